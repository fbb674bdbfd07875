import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Of the 300 MB that a whole process may take while it exports, the service itself has about 200.
const MOST_GROWTH = { all: 32 * 1_048_576, young: 4 * 1_048_576 } as const;

/**
 * Bounds what long work leaves behind for the collector. Left alone the engine lets the old part of the heap grow to two or
 * three times of what is alive before it looks at it: one look takes well below a tenth of a second, every few seconds. What
 * is mostly large buffers, each used once, is young: a look at those takes a millisecond or two, and without it 64 MB of them
 * come together.
 */
export class GarbageBound {
  private readonly collect: (options?: { readonly type: 'minor' }) => void;
  private base = takenNow();

  constructor(private readonly what: keyof typeof MOST_GROWTH = 'all') {
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as typeof this.collect;
  }

  /** Collects when enough has come together since the last time. */
  check(): void {
    const taken = takenNow();
    // What the engine has collected by itself meanwhile counts from there on.
    if (taken < this.base) this.base = taken;
    if (taken - this.base < MOST_GROWTH[this.what]) return;
    if (this.what === 'all') this.collect();
    else this.collect({ type: 'minor' });
    this.base = takenNow();
  }
}

function takenNow(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
