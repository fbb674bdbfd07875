import { availableParallelism } from 'node:os';
import { localDayIn } from '../../../platform/kernel/values/local-day.js';
import type { HistoryPage } from './backtest-history.js';
import { BacktestThread } from './backtest.thread.js';
import { BacktestTally, type BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import type { BacktestReport } from '../domain/backtest/backtest-report.js';
import type { RulesetDefinition } from '../language/index.js';

/** Two threads evaluate faster than pages can be read from the database; one is slower. */
const MAX_THREADS = 2;

/** A few threads that evaluate snapshots in parallel. The counts do not depend on the order of pages. */
export class BacktestWorkerPool {
  private readonly threads: readonly BacktestThread[];
  private readonly idleThreads: BacktestThread[];
  private readonly underWay = new Set<Promise<void>>();
  private failure: Error | null = null;
  private inRangeCount = 0;

  constructor(private readonly task: { content: RulesetDefinition; from: Date; to: Date }) {
    const count = Math.min(MAX_THREADS, availableParallelism());
    this.threads = Array.from({ length: count }, () => new BacktestThread(task));
    this.idleThreads = [...this.threads];
  }

  /** Number of counted snapshots that occurred in the range. */
  get counted(): number {
    return this.inRangeCount;
  }

  async resume(checkpoint: BacktestCheckpoint): Promise<void> {
    await this.threads[0]?.resume(checkpoint);
  }

  /** Resolves when a thread has accepted the page; throws the failure of an earlier page. */
  async submit(piece: Pick<HistoryPage, 'bytes' | 'declared'>): Promise<void> {
    while (this.idleThreads.length === 0 && !this.failure) await Promise.race(this.underWay);
    if (this.failure) throw this.failure;
    const thread = this.idleThreads.pop();
    if (!thread) throw new Error('a back-test has no threads');
    const work = this.carryOut(thread, piece);
    this.underWay.add(work);
    void work.then(() => this.underWay.delete(work));
  }

  /** Waits until all submitted pages are counted; throws the failure of any of them. */
  async waitUntilCounted(): Promise<void> {
    await Promise.all(this.underWay);
    if (this.failure) throw this.failure;
  }

  async state(): Promise<BacktestCheckpoint['tally']> {
    return (await this.joinTallies()).state();
  }

  async report(): Promise<BacktestReport> {
    return (await this.joinTallies()).report();
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  /** Lets a thread evaluate a page. Never rejects: the next `submit` or `waitUntilCounted` throws the failure. */
  private async carryOut(
    thread: BacktestThread,
    piece: Pick<HistoryPage, 'bytes' | 'declared'>,
  ): Promise<void> {
    try {
      this.inRangeCount += await thread.add(piece);
      this.idleThreads.push(thread);
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error('a thread of a back-test failed');
    }
  }

  private async joinTallies(): Promise<BacktestTally> {
    await this.waitUntilCounted();
    const { rules } = this.task.content;
    const tally = BacktestTally.ofRules(rules, localDayIn('America/Sao_Paulo'));
    for (const thread of this.threads) tally.addTally(await thread.state());
    return tally;
  }
}
