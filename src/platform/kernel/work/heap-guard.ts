import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A whole process may take 300 MB while it exports; the service itself has about 200 of them.
const MAX_GROWTH = { all: 32 * 1_048_576, old: 32 * 1_048_576, young: 4 * 1_048_576 } as const;

/**
 * Bounds what long work leaves behind for the collector. Left alone the engine lets the old part of the heap grow to two or
 * three times of what is alive before it looks at it: one look takes well below a tenth of a second, every few seconds. What
 * is mostly large buffers, each used once, is young: a look at those takes a millisecond or two, and without it 64 MB of them
 * come together. Where a request makes the garbage and not a job, only what has become old counts: the rest goes by itself,
 * and nobody waits for a look that was not needed.
 */
export class HeapGuard {
  private readonly collect: (options?: { readonly type: 'minor' }) => void;
  private base: number;

  constructor(private readonly what: keyof typeof MAX_GROWTH = 'all') {
    this.base = takenNow(what);
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as typeof this.collect;
  }

  /** Collects when enough has come together since the last time. */
  check(): void {
    const taken = takenNow(this.what);
    // Memory that the engine has collected by itself meanwhile counts from there on.
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
