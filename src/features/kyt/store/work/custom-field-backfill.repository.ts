import { Injectable } from '@nestjs/common';
import {
  execute,
  properties,
  statement,
  system,
  unnested,
  UnitOfWork,
  type RowOf,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { LeasedJobRepository, leasedJobs } from '../../../../platform/jobs/index.js';
import { quotas, QuotaUse } from '../../../../platform/quotas/index.js';
import { CustomFieldBackfillEntity } from '../../../rules/index.js';
import type { CustomFieldValue } from '../../domain/submission/prepared-transaction.js';
import { KytTransactionEntity } from '../entities.js';

const HELD = properties(
  CustomFieldBackfillEntity,
  'id',
  'organisationId',
  'fields',
  'attempts',
  'fence',
  'beginsAt',
);

// `until`, the last transaction to read, is set only once: later transactions get their values at ingest.
const CLAIMED = {
  ...HELD,
  ...properties(CustomFieldBackfillEntity, 'after', 'until'),
  done: 'float8',
  filled: 'float8',
  unreadable: 'float8',
  total: 'float8 | null',
} as const;
const JOBS = leasedJobs('custom_field_backfills', CustomFieldBackfillEntity, {
  scope: system('kyt.custom-field-backfill'),
  quota: 'backfillsAtOnce',
  fallback: quotas.backfillsAtOnce.fallback,
  claimed: {
    sql: `id, organisation_id AS "organisationId", fields, attempts, fence, begins_at AS "beginsAt", after, until,
     done::float8 AS done, filled::float8 AS filled, unreadable::float8 AS unreadable, total::float8 AS total`,
    shape: CLAIMED,
  },
});

/** A back-fill under the lease of this process. */
export type ClaimedBackfill = RowOf<typeof CLAIMED>;

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

const VALUES = unnested<CustomFieldValue & { readonly ref: string }>(
  { uuid: { id: 'ref' } },
  { int: ['field'], text: ['value'], bytea: ['key'] },
);
const FILL = statement(
  'kyt.backfill',
  `INSERT INTO kyt_custom_field_values (organisation_id, seq, field, transaction_ref, occurred_at, value, key, velocity_entry)
   SELECT t.organisation_id, t.seq, v.field, t.id, t.occurred_at, v.value, v.key, t.velocity_entry
   FROM ${VALUES.from(1, 'v')}
   JOIN kyt_transactions t ON t.id = v.id
   ON CONFLICT DO NOTHING`,
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
export class CustomFieldBackfillRepository extends LeasedJobRepository<
  CustomFieldBackfillEntity,
  ClaimedBackfill
> {
  constructor(uow: UnitOfWork) {
    super(uow, JOBS);
  }

  @QuotaUse('backfillsAtOnce')
  override countRunning(organisationId: string): Promise<number> {
    return super.countRunning(organisationId);
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
    claimed: ClaimedBackfill,
    kept: readonly (CustomFieldValue & { readonly ref: string })[],
    { done, filled, unreadable, after, until, total }: BackfillProgress,
  ): Promise<boolean> {
    const countedColumns = { done: String(done), filled: String(filled), unreadable: String(unreadable) };
    const reached = { after, until, total: total === null ? null : String(total), attempts: 1 };
    return this.uow.run(claimed.organisationId, async (tx) => {
      if (!(await this.keep(tx, claimed, { ...countedColumns, ...reached }))) return false;
      if (kept.length > 0) await execute(tx, FILL, VALUES.arrays(kept));
      return true;
    });
  }

  finish(
    tx: Tx,
    claimed: ClaimedBackfill,
    status: 'FINISHED' | 'FAILED',
    failureCode: string | null,
  ): Promise<boolean> {
    return this.conclude(tx, claimed, { status, failureCode });
  }
}
