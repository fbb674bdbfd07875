import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A whole process may take 300 MB while it exports; the service itself has about 200 of them.
const MAX_GROWTH = { all: 32 * 1_048_576, old: 32 * 1_048_576, young: 4 * 1_048_576 } as const;

/**
 * Bounds the garbage of long work. Left alone, the engine lets the old part of the heap grow to two or three times its
 * live size before it collects; a collection takes well below a tenth of a second, every few seconds. Large buffers, each
 * used once, are young: collecting them takes a millisecond or two, and 64 MB of them accumulate otherwise. Where
 * requests make the garbage and not a job, only the old part counts: the engine collects the rest anyway, and no request
 * waits for a needless collection.
 */
export class HeapGuard {
  private readonly collect: (options?: { readonly type: 'minor' }) => void;
  private base: number;

  constructor(private readonly what: keyof typeof MAX_GROWTH = 'all') {
    this.base = takenNow(what);
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as typeof this.collect;
  }

  /** Collects if enough garbage has accumulated since the last collection. */
  check(): void {
    const taken = takenNow(this.what);
    // After a collection by the engine itself, growth counts from there.
    if (taken < this.base) this.base = taken;
    if (taken - this.base < MAX_GROWTH[this.what]) return;
    if (this.what === 'young') this.collect({ type: 'minor' });
    else this.collect();
    this.base = takenNow(this.what);
  }
}

function takenNow(what: keyof typeof MAX_GROWTH): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external - (what === 'old' ? youngNow() : 0);
}

const youngNow = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name.startsWith('new_'))
    .reduce((sum, { space_used_size: used }) => sum + used, 0);
