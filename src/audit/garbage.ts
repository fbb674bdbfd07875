import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Of the 300 MB that a whole process may take while it exports, the service itself has about 200.
const MOST_GROWTH = 32 * 1_048_576;

/**
 * Bounds what long work leaves behind for the collector. Left alone the engine lets the old part of the heap grow to two or
 * three times of what is alive before it looks at it. One look takes well below a tenth of a second, every few seconds.
 */
export class GarbageBound {
  private readonly collect: () => void;
  private base = takenNow();

  constructor() {
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as () => void;
  }

  /** Collects when enough has come together since the last time. */
  check(): void {
    const taken = takenNow();
    // What the engine has collected by itself meanwhile counts from there on.
    if (taken < this.base) this.base = taken;
    if (taken - this.base < MOST_GROWTH) return;
    this.collect();
    this.base = takenNow();
  }
}

function takenNow(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
