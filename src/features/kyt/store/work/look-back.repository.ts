import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  column,
  newestFirst,
  properties,
  selectColumns,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type RowOf,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { LeasedJobRepository, leasedJobs } from '../../../../platform/jobs/index.js';
import { quotas, QuotaUse } from '../../../../platform/quotas/index.js';
import type { LookBackCounts } from '../../domain/look-back.js';
import { KytEvaluationEntity, KytTransactionEntity, LookBackEntity } from '../entities.js';

const CLAIMED_LOOK_BACK = selectColumns(
  LookBackEntity,
  'j',
  ...(['id', 'organisationId', 'kind', 'rulesetKey', 'rulesetVersion', 'contentHash', 'listId'] as const),
  ...(['reached', 'counts', 'attempts', 'fence'] as const),
);
const CLAIMED = {
  ...CLAIMED_LOOK_BACK.shape,
  from: column(LookBackEntity, 'fromAt'),
  to: column(LookBackEntity, 'toAt'),
} as const;
const JOBS = leasedJobs('look_backs', LookBackEntity, {
  scope: system('kyt.look-backs'),
  quota: 'lookBacksAtOnce',
  fallback: quotas.lookBacksAtOnce.fallback,
  claimed: { sql: `${CLAIMED_LOOK_BACK.sql}, from_at AS "from", to_at AS "to"`, shape: CLAIMED },
});

/** A look-back under the lease of this process. */
export type ClaimedLookBack = RowOf<typeof CLAIMED>;
export type LookBackRow = Readonly<LookBackEntity>;

// This finds only evaluated transactions: the live rules evaluate queued transactions anyway.
const PIECE = statement(
  'kyt.look-back-piece',
  `SELECT t.id FROM kyt_transactions t
   WHERE t.organisation_id = $1 AND t.id > $2 AND t.occurred_at >= $3 AND t.occurred_at < $4
     AND EXISTS (SELECT FROM kyt_evaluations e WHERE e.transaction_ref = t.id)
   ORDER BY t.id LIMIT $5`,
  { id: column(KytTransactionEntity, 'id') },
);

const FIND_NEWEST_EVALUATIONS = statement(
  'kyt.newest-evaluations',
  `SELECT DISTINCT ON (transaction_ref) transaction_ref AS ref, evaluation_version AS version, receipt, facts
   FROM kyt_evaluations WHERE organisation_id = $1 AND transaction_ref = ANY ($2::uuid[])
   ORDER BY transaction_ref, evaluation_version DESC`,
  {
    ref: column(KytEvaluationEntity, 'transactionRef'),
    version: column(KytEvaluationEntity, 'evaluationVersion'),
    ...properties(KytEvaluationEntity, 'receipt', 'facts'),
  },
);

/** The leases, the progress and the results of look-backs. */
@Injectable()
export class LookBackRepository extends LeasedJobRepository<LookBackEntity, ClaimedLookBack> {
  constructor(uow: UnitOfWork) {
    super(uow, JOBS);
  }

  find(organisationId: string, id: string): Promise<LookBackRow | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(LookBackEntity, { organisationId, id }));
  }

  /** Returns a page of look-backs, the newest first. */
  page(organisationId: string, before: string | null, limit: number): Promise<LookBackRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(LookBackEntity, newestFirst({ organisationId }, before, limit)),
    );
  }

  @QuotaUse('lookBacksAtOnce')
  override countRunning(organisationId: string): Promise<number> {
    return super.countRunning(organisationId);
  }

  /** Returns a page of the evaluated transactions of the range, after an id. */
  async nextPage(
    { organisationId, from, to }: Pick<ClaimedLookBack, 'organisationId' | 'from' | 'to'>,
    after: string,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.uow.rows(organisationId, PIECE, [organisationId, after, from, to, limit]);
    return rows.map(({ id }) => id);
  }

  /** Returns the newest evaluation of each of these transactions. */
  async readNewestEvaluations(
    organisationId: string,
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, Rows<typeof FIND_NEWEST_EVALUATIONS>>> {
    if (refs.length === 0) return new Map();
    const rows = await this.uow.rows(organisationId, FIND_NEWEST_EVALUATIONS, [
      organisationId,
      sqlArray.uuids(refs),
    ]);
    return new Map(rows.map((row) => [row.ref, row]));
  }

  /** Stores how many transactions there are, and renews the lease. */
  async recordTotal(claimed: ClaimedLookBack, total: number): Promise<void> {
    await this.uow.run(claimed.organisationId, (tx) => this.keep(tx, claimed, { total: String(total) }));
  }

  /**
   * Stores the progress in the commit of the cases, and resets the attempts, which count only without progress. Returns
   * false if this process has lost the lease.
   */
  saveProgress(tx: Tx, claimed: ClaimedLookBack, reached: string, counts: LookBackCounts): Promise<boolean> {
    return this.keep(tx, claimed, { reached, counts, attempts: 1, done: String(counts.looked) });
  }

  finish(tx: Tx, claimed: ClaimedLookBack, counts: LookBackCounts): Promise<boolean> {
    const looked = String(counts.looked);
    return this.conclude(tx, claimed, {
      status: 'FINISHED',
      report: counts,
      counts,
      done: looked,
      total: looked,
    });
  }

  fail(tx: Tx, claimed: ClaimedLookBack, failureCode: string): Promise<boolean> {
    return this.conclude(tx, claimed, { status: 'FAILED', failureCode });
  }

  async cancel(tx: Tx, organisationId: string, id: string, by: string): Promise<boolean> {
    const { affected } = await tx.update(
      LookBackEntity,
      { id, organisationId, status: In(['QUEUED', 'RUNNING']) },
      { status: 'CANCELLED', cancelledBy: by, finishedAt: () => 'now()', fence: () => 'fence + 1' },
    );
    return affected === 1;
  }
}
