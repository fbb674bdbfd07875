import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  leasedJobs,
  nextJob,
  releaseJob,
  selectColumns,
  statement,
  system,
  requeueJobs,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { quotas, QuotaUse } from '../../../platform/quotas/index.js';
import type { BacktestReport } from '../domain/backtest/backtest-report.js';
import type { BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import { BacktestEntity } from './entities.js';

const LEASE = `now() + interval '15 seconds'`;

const CLAIMED_BACKTEST = selectColumns(
  BacktestEntity,
  'b',
  'id',
  'organisationId',
  'rulesetKey',
  'rulesetVersion',
  'content',
  'checkpoint',
  'attempts',
  'fence',
);
const CLAIMED = {
  ...CLAIMED_BACKTEST.shape,
  from: column(BacktestEntity, 'fromAt'),
  to: column(BacktestEntity, 'toAt'),
  done: 'float8',
} as const;
const JOBS = leasedJobs('backtests', BacktestEntity, {
  quota: 'backtestsAtOnce',
  fallback: quotas.backtestsAtOnce.fallback,
});

/** A back-test on which this process has the lease. */
export type ClaimedBacktest = RowOf<typeof CLAIMED>;

const CLAIM = statement(
  'rules.claim-backtest',
  `UPDATE backtests AS b SET status = 'RUNNING', attempts = attempts + 1, fence = fence + 1, lease_until = ${LEASE},
             started_at = coalesce(started_at, now())
         WHERE id = $1 AND (status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now()))
         RETURNING ${CLAIMED_BACKTEST.sql}, from_at AS "from", to_at AS "to", done::float8 AS done`,
  CLAIMED,
);

const mine = ({ id, fence }: ClaimedBacktest) => ({ id, fence, status: 'RUNNING' as const });

/** Stores the leases, progress and results of back-tests. */
@Injectable()
export class BacktestRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Claims the next waiting back-test; null when none may run now. */
  async claimNext(): Promise<ClaimedBacktest | null> {
    return this.uow.run(system('rules.backtests'), async (tx) => {
      const id = await nextJob(tx, JOBS);
      if (id === null) return null;
      const [claimed] = await execute(tx, CLAIM, [id]);
      return claimed ?? null;
    });
  }

  @QuotaUse('backtestsAtOnce')
  async countRunning(organisationId: string): Promise<number> {
    return this.uow.read(organisationId, (db) =>
      db.countBy(BacktestEntity, { organisationId, status: 'RUNNING' }),
    );
  }

  /** Stores progress and renews the lease; false when this process has lost the back-test, or it was cancelled. */
  async recordProgress(
    claimed: ClaimedBacktest,
    { done, total, checkpoint }: { done: number; total: number; checkpoint: BacktestCheckpoint | null },
  ): Promise<boolean> {
    const { affected } = await this.uow.run(claimed.organisationId, (tx) =>
      tx.update(BacktestEntity, mine(claimed), {
        done: String(done),
        total: String(total),
        ...(checkpoint && { checkpoint }),
        leaseUntil: () => LEASE,
      }),
    );
    return affected === 1;
  }

  async finish(tx: Tx, claimed: ClaimedBacktest, report: BacktestReport, total: number): Promise<boolean> {
    const counted = { done: String(total), total: String(total) };
    const { affected } = await tx.update(BacktestEntity, mine(claimed), {
      ...counted,
      status: 'FINISHED',
      report,
      checkpoint: null,
      finishedAt: () => 'now()',
    });
    return affected === 1;
  }

  async fail(tx: Tx, claimed: ClaimedBacktest, failureCode: string): Promise<boolean> {
    const ended = { status: 'FAILED', failureCode, checkpoint: null, finishedAt: () => 'now()' } as const;
    const { affected } = await tx.update(BacktestEntity, mine(claimed), ended);
    return affected === 1;
  }

  /** Releases a back-test, because this process stops or for another attempt; its checkpoint stays. */
  async release(claimed: ClaimedBacktest): Promise<void> {
    await releaseJob(this.uow, JOBS, claimed);
  }

  /** Returns back-tests that are queued without a job, or whose process has died. */
  async requeueUnfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    return requeueJobs(tx, JOBS, which);
  }
}
