import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail, type AuditContent, type AuditAction } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Clock } from '../kernel/index.js';
import { BacktestHistory, FROM_THE_BEGINNING, type HistoryPiece } from './backtest-history.js';
import { BacktestThread } from './backtest.thread.js';
import type { BacktestCheckpoint } from './domain/backtest-tally.js';
import { BacktestRepository, type ClaimedBacktest } from './store/backtest.repository.js';

// A megabyte or two: a few milliseconds of this process for each, and enough for the thread to be busy.
const CHUNK = 2_000;
const PROGRESS_MS = 500;
const CHECKPOINT_MS = 2_000;
const MOST_ATTEMPTS = 3;

/** Carries out back-tests: reads the history in pieces, has a thread judge them, and keeps count. */
@Injectable()
export class BacktestRunner implements OnModuleDestroy {
  private readonly logger = new Logger(BacktestRunner.name);
  private stopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly backtests: BacktestRepository,
    private readonly history: BacktestHistory,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Runs a back-test unless somebody else does or it has ended. Goes on where an interrupted run was. */
  async run(id: string): Promise<void> {
    const claimed = await this.backtests.claim(id);
    if (!claimed) return;
    if (claimed.attempts > MOST_ATTEMPTS) {
      await this.end(claimed, 'backtest.failed', { code: 'ATTEMPTS_EXHAUSTED' }, (tx) =>
        this.backtests.fail(tx, claimed, 'ATTEMPTS_EXHAUSTED'),
      );
      return;
    }
    let thread: BacktestThread | null = null;
    try {
      thread = new BacktestThread(claimed);
      await this.judge(claimed, thread);
    } catch (error) {
      const code = error instanceof Error ? error.name : 'UNKNOWN';
      this.logger.error(`back-test ${id} was interrupted (${code}), attempt ${claimed.attempts}`);
      await this.backtests.release(claimed);
    } finally {
      await thread?.close();
    }
  }

  private async judge(claimed: ClaimedBacktest, thread: BacktestThread): Promise<void> {
    const total = await this.history.count(claimed);
    if (claimed.checkpoint) await thread.resume(claimed.checkpoint);
    const after = claimed.checkpoint?.after ?? FROM_THE_BEGINNING;
    let done = claimed.checkpoint?.done ?? 0;
    if (!(await this.backtests.progress(claimed, { done, total, checkpoint: null }))) return;
    const pace = { reported: performance.now(), kept: performance.now() };
    // The next piece is read while the thread judges this one.
    let ahead = this.history.next(claimed, after, CHUNK);
    for (let chunk = await ahead; chunk; chunk = await ahead) {
      ahead = this.history.next(claimed, chunk.last, CHUNK);
      // Whatever comes of this piece, the one ahead must not be an unhandled rejection.
      ahead.catch(() => undefined);
      done += await thread.add(chunk.hex);
      if (this.stopping) {
        await this.backtests.progress(claimed, {
          done,
          total,
          checkpoint: await this.keep(thread, chunk, done),
        });
        await this.backtests.release(claimed);
        return;
      }
      if (!(await this.report(claimed, thread, chunk, { done, total: Math.max(total, done) }, pace))) return;
    }
    const report = await thread.report();
    await this.end(
      claimed,
      'backtest.finished',
      {
        snapshots: report.snapshots,
        flips: report.outcomes.flips.reduce((sum, { count }) => sum + count, 0),
      },
      (tx) => this.backtests.finish(tx, claimed, report, done),
    );
  }

  /** Tells how far it is, now and then; false when the back-test is not this process's any more. */
  private async report(
    claimed: ClaimedBacktest,
    thread: BacktestThread,
    chunk: HistoryPiece,
    { done, total }: { done: number; total: number },
    pace: { reported: number; kept: number },
  ): Promise<boolean> {
    const now = performance.now();
    if (now - pace.reported < PROGRESS_MS) return true;
    pace.reported = now;
    const isKept = now - pace.kept >= CHECKPOINT_MS;
    if (isKept) pace.kept = now;
    const checkpoint = isKept ? await this.keep(thread, chunk, done) : null;
    return this.backtests.progress(claimed, { done, total, checkpoint });
  }

  private async keep(thread: BacktestThread, chunk: HistoryPiece, done: number): Promise<BacktestCheckpoint> {
    return { after: chunk.last, done, tally: await thread.state() };
  }

  private async end(
    claimed: ClaimedBacktest,
    action: AuditAction,
    content: AuditContent,
    settle: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    const { organisationId, id } = claimed;
    const occurredAt = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      if (!(await settle(tx))) return;
      await this.audit.record(tx, [
        {
          subject: { organisationId, type: 'backtest', id },
          action,
          actor: { type: 'system', id: 'rules.backtest' },
          requestId: null,
          correlationId: null,
          occurredAt,
          content,
        },
      ]);
    });
  }
}
