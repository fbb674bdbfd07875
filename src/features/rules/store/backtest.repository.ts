import { Injectable } from '@nestjs/common';
import {
  column,
  selectColumns,
  system,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { LeasedJobRepository, leasedJobs } from '../../../platform/jobs/index.js';
import { quotas, QuotaUse } from '../../../platform/quotas/index.js';
import type { BacktestReport } from '../domain/backtest/backtest-report.js';
import type { BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import { BacktestEntity } from './entities.js';

const CLAIMED_BACKTEST = selectColumns(
  BacktestEntity,
  'j',
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
  scope: system('rules.backtests'),
  quota: 'backtestsAtOnce',
  fallback: quotas.backtestsAtOnce.fallback,
  claimed: {
    sql: `${CLAIMED_BACKTEST.sql}, from_at AS "from", to_at AS "to", done::float8 AS done`,
    shape: CLAIMED,
  },
});

/** A back-test on which this process has the lease. */
export type ClaimedBacktest = RowOf<typeof CLAIMED>;

/** Stores the leases, progress and results of back-tests. */
@Injectable()
export class BacktestRepository extends LeasedJobRepository<BacktestEntity, ClaimedBacktest> {
  constructor(uow: UnitOfWork) {
    super(uow, JOBS);
  }

  @QuotaUse('backtestsAtOnce')
  override countRunning(organisationId: string): Promise<number> {
    return super.countRunning(organisationId);
  }

  /** Stores progress and renews the lease; false when this process has lost the back-test, or it was cancelled. */
  async recordProgress(
    claimed: ClaimedBacktest,
    { done, total, checkpoint }: { done: number; total: number; checkpoint: BacktestCheckpoint | null },
  ): Promise<boolean> {
    const progress = { done: String(done), total: String(total), ...(checkpoint && { checkpoint }) };
    return this.uow.run(claimed.organisationId, (tx) => this.keep(tx, claimed, progress));
  }

  finish(tx: Tx, claimed: ClaimedBacktest, report: BacktestReport, total: number): Promise<boolean> {
    const wholeCounts = { done: String(total), total: String(total) };
    return this.conclude(tx, claimed, { ...wholeCounts, status: 'FINISHED', report, checkpoint: null });
  }

  fail(tx: Tx, claimed: ClaimedBacktest, failureCode: string): Promise<boolean> {
    return this.conclude(tx, claimed, { status: 'FAILED', failureCode, checkpoint: null });
  }
}
