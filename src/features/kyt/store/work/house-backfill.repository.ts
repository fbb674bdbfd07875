import { Injectable } from '@nestjs/common';
import {
  columns,
  execute,
  leasedJobs,
  nextJob,
  properties,
  releaseJob,
  statement,
  system,
  requeueJobs,
  unnested,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { quotas, QuotaUse } from '../../../../platform/quotas/index.js';
import { HouseBackfillEntity } from '../../../rules/index.js';
import type { HouseValue } from '../../ingest/house-field-validation.service.js';
import { KytTransactionEntity } from '../entities.js';

const LEASE = `now() + interval '15 seconds'`;

const HELD = properties(
  HouseBackfillEntity,
  'id',
  'organisationId',
  'fields',
  'attempts',
  'fence',
  'beginsAt',
);

const JOBS = leasedJobs('house_backfills', HouseBackfillEntity, {
  quota: 'backfillsAtOnce',
  fallback: quotas.backfillsAtOnce.fallback,
});

// `until`, the last transaction to read, is set only once: later transactions get their values at ingest.
const CLAIM = statement(
  'kyt.claim-backfill',
  `UPDATE house_backfills AS b SET status = 'RUNNING', attempts = attempts + 1, fence = fence + 1, lease_until = ${LEASE},
     started_at = coalesce(started_at, now())
   WHERE id = $1 AND (status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now()))
   RETURNING id, organisation_id AS "organisationId", fields, attempts, fence, begins_at AS "beginsAt", after, until,
     done::float8 AS done, filled::float8 AS filled, unreadable::float8 AS unreadable, total::float8 AS total`,
  {
    ...HELD,
    ...properties(HouseBackfillEntity, 'after', 'until'),
    done: 'float8',
    filled: 'float8',
    unreadable: 'float8',
    total: 'float8 | null',
  },
);

/** A back-fill under the lease of this process. */
export type ClaimedBackfill = Rows<typeof CLAIM>;

const EXTENT = statement(
  'kyt.backfill-extent',
  `SELECT count(*)::float8 AS total, (SELECT id FROM kyt_transactions WHERE organisation_id = $1 ORDER BY id DESC LIMIT 1) AS until
   FROM kyt_transactions WHERE organisation_id = $1`,
  { total: 'float8', until: 'uuid | null' },
);

/** The number of transactions to read, and the last transaction. */
export type BackfillExtent = Rows<typeof EXTENT>;

const CHUNK = statement(
  'kyt.backfill-chunk',
  `SELECT id, source, transaction_id AS "transactionId", type, received_at AS "receivedAt", sealed_body AS "sealedBody"
   FROM kyt_transactions WHERE organisation_id = $1 AND id > $2 AND id <= $3 ORDER BY id LIMIT $4`,
  properties(KytTransactionEntity, 'id', 'source', 'transactionId', 'type', 'receivedAt', 'sealedBody'),
);

/** A transaction from whose body the values are read. */
export type BackfillRow = Rows<typeof CHUNK>;

const VALUES = unnested<HouseValue & { readonly ref: string }>(
  { uuid: { id: 'ref' } },
  { int: ['field'], text: ['value'], bytea: ['key'] },
);
const FILL = statement(
  'kyt.backfill',
  `INSERT INTO kyt_house_values (organisation_id, seq, field, transaction_ref, occurred_at, value, key, velocity_entry)
   SELECT t.organisation_id, t.seq, v.field, t.id, t.occurred_at, v.value, v.key, t.velocity_entry
   FROM ${VALUES.from(1, 'v')}
   JOIN kyt_transactions t ON t.id = v.id
   ON CONFLICT DO NOTHING`,
);

const PROGRESS = statement(
  'kyt.backfill-progress',
  `UPDATE house_backfills SET done = $3, filled = $4, unreadable = $5, after = $6, until = $7, total = $8, attempts = 1,
     lease_until = ${LEASE}
   WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING id`,
  columns(HouseBackfillEntity, 'id'),
);

const RENEW = statement(
  'kyt.backfill-renew',
  `UPDATE house_backfills SET lease_until = ${LEASE} WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING id`,
  columns(HouseBackfillEntity, 'id'),
);

const END = statement(
  'kyt.backfill-end',
  `UPDATE house_backfills SET status = $3, failure_code = $4, finished_at = now()
   WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING id`,
  columns(HouseBackfillEntity, 'id'),
);

export interface BackfillProgress {
  readonly done: number;
  readonly filled: number;
  readonly unreadable: number;
  readonly after: string | null;
  readonly until: string | null;
  readonly total: number | null;
}

/** The leases of back-fills, and the values that they store. */
@Injectable()
export class HouseBackfillRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Claims the next back-fill that waits; null if none may run now. */
  async claimNext(): Promise<ClaimedBackfill | null> {
    return this.uow.run(system('kyt.house-backfill'), async (tx) => {
      const id = await nextJob(tx, JOBS);
      if (id === null) return null;
      const [claimed] = await execute(tx, CLAIM, [id]);
      return claimed ?? null;
    });
  }

  @QuotaUse('backfillsAtOnce')
  countRunning(organisationId: string): Promise<number> {
    return this.uow.read(organisationId, (db) =>
      db.countBy(HouseBackfillEntity, { organisationId, status: 'RUNNING' }),
    );
  }

  async readExtent({ organisationId }: ClaimedBackfill): Promise<BackfillExtent> {
    const [row] = await this.uow.rows(organisationId, EXTENT, [organisationId]);
    if (!row) throw new Error('a statement without a condition returned no row');
    return row;
  }

  /** Returns the next transactions, in the order of their ids. */
  async findNext(
    { organisationId }: ClaimedBackfill,
    after: string,
    until: string,
    limit: number,
  ): Promise<BackfillRow[]> {
    return this.uow.rows(organisationId, CHUNK, [organisationId, after, until, limit]);
  }

  /** Stores values and progress in one commit. Returns false and stores nothing if this process has lost the lease. */
  async storeValues(
    { id, organisationId, fence }: ClaimedBackfill,
    kept: readonly (HouseValue & { readonly ref: string })[],
    progress: BackfillProgress,
  ): Promise<boolean> {
    const { done, filled, unreadable, after, until, total } = progress;
    return this.uow.run(organisationId, async (tx) => {
      const mine = await execute(tx, PROGRESS, [
        ...[id, fence, done, filled, unreadable, after, until, total],
      ]);
      if (mine.length === 0) return false;
      if (kept.length > 0) await execute(tx, FILL, VALUES.arrays(kept));
      return true;
    });
  }

  /** Extends the lease. Returns false if this process has lost it. */
  async renew({ id, organisationId, fence }: ClaimedBackfill): Promise<boolean> {
    return (await this.uow.write(organisationId, RENEW, [id, fence])).length > 0;
  }

  async finish(
    tx: Tx,
    { id, fence }: ClaimedBackfill,
    status: 'FINISHED' | 'FAILED',
    failureCode: string | null,
  ): Promise<boolean> {
    return (await execute(tx, END, [id, fence, status, failureCode])).length > 0;
  }

  /** Releases the lease, at shutdown or for another attempt; stored values stay. */
  async release(claimed: ClaimedBackfill): Promise<void> {
    await releaseJob(this.uow, JOBS, claimed);
  }

  /** Returns back-fills that wait without a job, or whose lease has expired. */
  requeueUnfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    return requeueJobs(tx, JOBS, which);
  }
}
