import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs some work together and some alone. Work that runs alone begins when all other work has ended. Other work waits
 * for its end, but not longer than `mostAloneMs`.
 */
export class SharedTurns {
  private readonly running = new Set<Promise<unknown>>();
  /** Resolves when others may go on; null if no work runs alone. */
  private closed: Promise<unknown> | null = null;

  constructor(private readonly mostAloneMs: number) {}

  async runTogether<T>(work: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    return this.runCounted(work);
  }

  async runAlone<T>(work: () => Promise<T>): Promise<T> {
    while (this.closed) await this.closed;
    const completion = new AbortController();
    const otherTurns = Promise.allSettled([...this.running]);
    const closed = otherTurns.then(() =>
      sleep(this.mostAloneMs, undefined, { signal: completion.signal }).catch(() => undefined),
    );
    this.closed = closed;
    void closed.finally(() => {
      this.closed = null;
    });
    try {
      await otherTurns;
      return await this.runCounted(work);
    } finally {
      completion.abort();
    }
  }

  private async runCounted<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    this.running.add(result);
    try {
      return await result;
    } finally {
      this.running.delete(result);
    }
  }
}
