import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  column,
  execute,
  leasedJobs,
  newestFirst,
  nextJob,
  properties,
  releaseJob,
  selectColumns,
  sqlArray,
  statement,
  system,
  requeueJobs,
  UnitOfWork,
  type RowOf,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { quotas, QuotaUse } from '../../../../platform/quotas/index.js';
import type { LookBackCounts } from '../../domain/look-back.js';
import { KytEvaluationEntity, KytTransactionEntity, LookBackEntity } from '../entities.js';

const LEASE = `now() + interval '15 seconds'`;

const CLAIMED_LOOK_BACK = selectColumns(
  LookBackEntity,
  'b',
  ...(['id', 'organisationId', 'kind', 'rulesetKey', 'rulesetVersion', 'contentHash', 'listId'] as const),
  ...(['reached', 'counts', 'attempts', 'fence'] as const),
);
const CLAIMED = {
  ...CLAIMED_LOOK_BACK.shape,
  from: column(LookBackEntity, 'fromAt'),
  to: column(LookBackEntity, 'toAt'),
} as const;
const JOBS = leasedJobs('look_backs', LookBackEntity, {
  quota: 'lookBacksAtOnce',
  fallback: quotas.lookBacksAtOnce.fallback,
});

const CLAIM = statement(
  'kyt.claim-look-back',
  `UPDATE look_backs AS b SET status = 'RUNNING', attempts = attempts + 1, fence = fence + 1, lease_until = ${LEASE},
             started_at = coalesce(started_at, now())
         WHERE id = $1 AND (status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now()))
         RETURNING ${CLAIMED_LOOK_BACK.sql}, from_at AS "from", to_at AS "to"`,
  CLAIMED,
);

/** A look-back under the lease of this process. */
export type ClaimedLookBack = RowOf<typeof CLAIMED>;
export type LookBackRow = Readonly<LookBackEntity>;

// Only evaluated transactions: the live rules evaluate queued transactions anyway.
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

const mine = ({ id, fence }: Pick<ClaimedLookBack, 'id' | 'fence'>) => ({
  id,
  fence,
  status: 'RUNNING' as const,
});

/** The leases, the progress and the results of look-backs. */
@Injectable()
export class LookBackRepository {
  constructor(private readonly uow: UnitOfWork) {}

  find(organisationId: string, id: string): Promise<LookBackRow | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(LookBackEntity, { organisationId, id }));
  }

  /** Returns a page of look-backs, the newest first. */
  page(organisationId: string, before: string | null, limit: number): Promise<LookBackRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(LookBackEntity, newestFirst({ organisationId }, before, limit)),
    );
  }

  /** Claims the next look-back that waits; null if none may run now. */
  async claimNext(): Promise<ClaimedLookBack | null> {
    return this.uow.run(system('kyt.look-backs'), async (tx) => {
      const id = await nextJob(tx, JOBS);
      if (id === null) return null;
      const [claimed] = await execute(tx, CLAIM, [id]);
      return claimed ?? null;
    });
  }

  @QuotaUse('lookBacksAtOnce')
  async countRunning(organisationId: string): Promise<number> {
    return this.uow.read(organisationId, (db) =>
      db.countBy(LookBackEntity, { organisationId, status: 'RUNNING' }),
    );
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
  async recordTotal({ organisationId, ...claimed }: ClaimedLookBack, total: number): Promise<void> {
    await this.uow.run(organisationId, (tx) =>
      tx.update(LookBackEntity, mine(claimed), { total: String(total), leaseUntil: () => LEASE }),
    );
  }

  /**
   * Stores the progress in the commit of the cases, and resets the attempts, which count only without progress. Returns
   * false if this process has lost the lease.
   */
  async saveProgress(
    tx: Tx,
    claimed: ClaimedLookBack,
    reached: string,
    counts: LookBackCounts,
  ): Promise<boolean> {
    const { affected } = await tx.update(LookBackEntity, mine(claimed), {
      ...{ reached, counts, attempts: 1, done: String(counts.looked) },
      leaseUntil: () => LEASE,
    });
    return affected === 1;
  }

  async finish(tx: Tx, claimed: ClaimedLookBack, counts: LookBackCounts): Promise<boolean> {
    const ended = { status: 'FINISHED', finishedAt: () => 'now()' } as const;
    const { affected } = await tx.update(LookBackEntity, mine(claimed), {
      ...{ report: counts, counts, done: String(counts.looked), total: String(counts.looked) },
      ...ended,
    });
    return affected === 1;
  }

  async fail(tx: Tx, claimed: ClaimedLookBack, failureCode: string): Promise<boolean> {
    const ended = { status: 'FAILED', failureCode, finishedAt: () => 'now()' } as const;
    const { affected } = await tx.update(LookBackEntity, mine(claimed), ended);
    return affected === 1;
  }

  async cancel(tx: Tx, organisationId: string, id: string, by: string): Promise<boolean> {
    const { affected } = await tx.update(
      LookBackEntity,
      { id, organisationId, status: In(['QUEUED', 'RUNNING']) },
      { status: 'CANCELLED', cancelledBy: by, finishedAt: () => 'now()', fence: () => 'fence + 1' },
    );
    return affected === 1;
  }

  /** Releases the lease, at shutdown or for another attempt; the cases stay. */
  async release(claimed: ClaimedLookBack): Promise<void> {
    await releaseJob(this.uow, JOBS, claimed);
  }

  /** Returns look-backs that wait without a job, or whose lease has expired. */
  async requeueUnfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    return requeueJobs(tx, JOBS, which);
  }
}
