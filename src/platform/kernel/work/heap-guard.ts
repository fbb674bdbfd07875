import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Growth in bytes before a collection. The process may use 300 MB while it exports; the service uses about 200 MB.
const MAX_GROWTH = { all: 32 * 1_048_576, old: 32 * 1_048_576, young: 4 * 1_048_576 } as const;

/**
 * Bounds the garbage of long work by explicit collections. Left alone, V8 lets the old generation grow to two or three
 * times its live size. A full collection takes well below 100 ms, every few seconds. `young` is for large buffers that
 * are used once: a minor collection takes 1 to 2 ms, and without it 64 MB of them accumulate. `old` is for garbage that
 * requests cause: V8 collects the young generation by itself, and no request waits for a needless collection.
 */
export class HeapGuard {
  private readonly collect: (options?: { readonly type: 'minor' }) => void;
  private baseline: number;

  constructor(private readonly garbageKind: keyof typeof MAX_GROWTH = 'all') {
    this.baseline = usedBytes(garbageKind);
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as typeof this.collect;
  }

  /** Collects if enough garbage has accumulated since the last collection. */
  check(): void {
    const usedHeapBytes = usedBytes(this.garbageKind);
    // V8 has collected meanwhile: measure growth from here.
    if (usedHeapBytes < this.baseline) this.baseline = usedHeapBytes;
    if (usedHeapBytes - this.baseline < MAX_GROWTH[this.garbageKind]) return;
    if (this.garbageKind === 'young') this.collect({ type: 'minor' });
    else this.collect();
    this.baseline = usedBytes(this.garbageKind);
  }
}

function usedBytes(what: keyof typeof MAX_GROWTH): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external - (what === 'old' ? youngBytes() : 0);
}

const youngBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name.startsWith('new_'))
    .reduce((sum, { space_used_size: used }) => sum + used, 0);
