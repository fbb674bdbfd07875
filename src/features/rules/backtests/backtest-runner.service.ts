import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  auditDraftOf,
  systemActor,
  type AuditContent,
  type AuditAction,
} from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { LongJobRunner } from '../../../platform/jobs/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { BacktestHistory, FROM_THE_BEGINNING, type HistoryPage } from './backtest-history.js';
import { BacktestWorkerPool } from './backtest-worker-pool.js';
import type { BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import { BacktestRepository, type ClaimedBacktest } from '../store/backtest.repository.js';

// Snapshots per page, a few megabytes: the overhead of its statement and of its message to a thread is small.
const CHUNK = 5_000;
const PROGRESS_MS = 500;
const CHECKPOINT_MS = 2_000;
const MAX_ATTEMPTS = 3;

/** Runs back-tests: reads past transactions in pages, lets threads evaluate them, and stores the progress. */
@Injectable()
export class BacktestRunnerService extends LongJobRunner<ClaimedBacktest> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly backtests: BacktestRepository,
    private readonly history: BacktestHistory,
  ) {
    super(backtests, { title: 'back-test', maxAttempts: MAX_ATTEMPTS });
  }

  protected async work(claimed: ClaimedBacktest): Promise<void> {
    const pool = new BacktestWorkerPool(claimed);
    try {
      await this.evaluatePages(claimed, pool);
    } finally {
      await pool.close();
    }
  }

  protected override fail(claimed: ClaimedBacktest, code: string): Promise<void> {
    return this.endBacktest(claimed, 'backtest.failed', { code }, (tx) =>
      this.backtests.fail(tx, claimed, code),
    );
  }

  private async evaluatePages(claimed: ClaimedBacktest, pool: BacktestWorkerPool): Promise<void> {
    const total = await this.history.count(claimed);
    if (claimed.checkpoint) await pool.resume(claimed.checkpoint);
    const after = claimed.checkpoint?.after ?? FROM_THE_BEGINNING;
    const before = claimed.checkpoint?.done ?? 0;
    if (!(await this.backtests.recordProgress(claimed, { done: before, total, checkpoint: null }))) return;
    const pace = { reported: performance.now(), kept: performance.now() };
    // The next page is read while the threads evaluate this one.
    let ahead = this.history.nextPage(claimed, after, CHUNK);
    for (let chunk = await ahead; chunk; chunk = await ahead) {
      ahead = this.history.nextPage(claimed, chunk.last, CHUNK);
      // If this page fails, the pending read of the next page must not become an unhandled rejection.
      ahead.catch(() => undefined);
      await pool.submit(chunk);
      if (this.stopping) {
        const checkpoint = await this.makeCheckpoint(pool, chunk, before);
        await this.backtests.recordProgress(claimed, { done: checkpoint.done, total, checkpoint });
        await this.release(claimed);
        return;
      }
      if (!(await this.report(claimed, pool, chunk, { before, total }, pace))) return;
    }
    const report = await pool.report();
    await this.endBacktest(
      claimed,
      'backtest.finished',
      {
        snapshots: report.snapshots,
        flips: report.outcomes.flips.reduce((sum, { count }) => sum + count, 0),
      },
      (tx) => this.backtests.finish(tx, claimed, report, before + pool.counted),
    );
  }

  /** Reports progress and renews the lease, at most every 500 ms; false when this process has lost the back-test. */
  private async report(
    claimed: ClaimedBacktest,
    pool: BacktestWorkerPool,
    chunk: HistoryPage,
    { before, total }: { before: number; total: number },
    pace: { reported: number; kept: number },
  ): Promise<boolean> {
    const now = performance.now();
    if (now - pace.reported < PROGRESS_MS) return true;
    pace.reported = now;
    const isKept = now - pace.kept >= CHECKPOINT_MS;
    if (isKept) pace.kept = now;
    const checkpoint = isKept ? await this.makeCheckpoint(pool, chunk, before) : null;
    const done = checkpoint?.done ?? before + pool.counted;
    return this.backtests.recordProgress(claimed, { done, total: Math.max(total, done), checkpoint });
  }

  /** Returns the checkpoint from which an interrupted run resumes; it counts all pages up to `chunk`. */
  private async makeCheckpoint(
    pool: BacktestWorkerPool,
    chunk: HistoryPage,
    before: number,
  ): Promise<BacktestCheckpoint> {
    const tally = await pool.state();
    return { after: chunk.last, done: before + pool.counted, tally };
  }

  private async endBacktest(
    claimed: ClaimedBacktest,
    action: AuditAction,
    content: AuditContent,
    settle: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    const { organisationId, id } = claimed;
    const ctx = systemActor(organisationId, 'rules.backtest');
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      if (!(await settle(tx))) return;
      await this.audit.record(tx, auditDraftOf(ctx, 'backtest', id, action, now, content));
    });
  }
}
