import { Injectable } from '@nestjs/common';
import { And, LessThan, LessThanOrEqual, MoreThan } from 'typeorm';
import {
  column,
  execute,
  nullable,
  selectColumns,
  statement,
  UnitOfWork,
  type Rows,
} from '../../../platform/database/index.js';
import type { Subject } from '../domain/entry.js';
import { AuditCheckpointEntity, AuditEntryEntity, AuditLeafEntity, AuditLogEntity } from './entities.js';

export type LoggedEntry = Rows<typeof ENTRIES>;

/** A leaf with its entry; null if the entry was pruned or erased. */
export interface LoggedLeaf extends Pick<
  LoggedEntry,
  'index' | 'subjectType' | 'subjectId' | 'subjectSeq' | 'hash'
> {
  readonly entry: Pick<LoggedEntry, 'action' | 'recordedAt' | 'canonical'> | null;
}

export interface LogFilter {
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only the leaves that are stored for this export. */
  readonly exportId?: string | undefined;
}

/** A page of a log in its order: leaves after index `after`, among the first `size` leaves. */
export interface LogPageRequest {
  readonly after: number;
  readonly size: number;
  readonly limit: number;
}

export interface StoredCheckpoint extends Readonly<Omit<AuditCheckpointEntity, 'organisationId' | 'size'>> {
  readonly size: number;
}

/** The newest state of a log. */
export interface CurrentLog extends StoredCheckpoint {
  readonly rolledBack: boolean;
  /** Number of entries that were pruned after their retention. */
  readonly pruned: number;
}

const LEAF = selectColumns(AuditLeafEntity, 'l', 'subjectType', 'subjectId', 'subjectSeq', 'hash');
const ENTRY_COLUMNS = selectColumns(AuditEntryEntity, 'e', 'action', 'recordedAt', 'canonical');
const COLUMNS = `l.leaf_index::float8 AS index, ${LEAF.sql}, ${ENTRY_COLUMNS.sql}`;
const ENTRY = { index: 'float8', ...LEAF.shape, ...ENTRY_COLUMNS.shape } as const;
const LEAF_ENTRY = {
  ...ENTRY,
  action: nullable(ENTRY.action),
  recordedAt: nullable(ENTRY.recordedAt),
  canonical: nullable(ENTRY.canonical),
};

// The conditions of a filter. Stored checkpoints limit a time span to a range of leaves. An index on time would cost a
// write with every entry. The COALESCE is inside the sub-select: outside, row-level security would not treat it as
// leakproof, and the leaf index could only filter. If the entry of a leaf was deleted, conditions on the entry count as
// met.
const MATCHES = `l.organisation_id = $1
    AND ($2::text IS NULL OR l.subject_type = $2) AND ($3::text IS NULL OR l.subject_id = $3)
    AND ($4::text IS NULL OR e.action IS NULL OR e.action = $4)
    AND ($5::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at >= $5) AND l.leaf_index >=
      (SELECT coalesce(max(size), 0) FROM audit_checkpoints c WHERE c.organisation_id = $1 AND c.signed_at < $5)))
    AND ($6::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at < $6) AND l.leaf_index <
      (SELECT coalesce(min(size), 9007199254740991) FROM audit_checkpoints c
       WHERE c.organisation_id = $1 AND c.signed_at > $6::timestamptz + interval '1 minute')))`;

// Nearly all entries are about these subject types. The other types have an index of their own (`0048-kyt-customer-events`).
const COMMON = ['transaction', 'customer_event', 'delivery', 'state', 'access'] as const;
const RARE = [
  ...['transaction.decided', 'transaction.dead_lettered', 'transaction.replayed', 'transaction.discarded'],
  ...['transaction.conflict_refused', 'transaction.late_noted', 'state.altered'],
  ...['delivery.exhausted', 'delivery.cancelled', 'delivery.retried', 'delivery.recovered'],
] as const;
const quoteNames = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

// Selects entries, the newest first. $9: the subject type is not in COMMON. $10: the action is in RARE. Each selects a
// partial index.
const ENTRIES = statement(
  'audit.entries',
  `SELECT ${COLUMNS} FROM audit_leaves l
  JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${MATCHES} AND ($7::bigint IS NULL OR l.leaf_index < $7)
    AND ($9::boolean IS NOT TRUE OR l.subject_type NOT IN (${quoteNames(COMMON)}))
    AND ($10::boolean IS NOT TRUE OR (e.organisation_id = $1 AND e.action = $4 AND e.action IN (${quoteNames(RARE)})))
  ORDER BY l.leaf_index DESC LIMIT $8`,
  ENTRY,
);

// Selects leaves in the order of the log, for packages. The leaf of a deleted entry is selected, because it is unknown
// whether the entry matched the filter; the package says whether the entry was pruned or erased.
const FORWARD = statement(
  'audit.forward',
  `SELECT ${COLUMNS} FROM audit_leaves l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${MATCHES} AND l.leaf_index > $7 AND l.leaf_index < $8
  ORDER BY l.leaf_index LIMIT $9`,
  LEAF_ENTRY,
);
const FIND_LEAVES_OF_EXPORT = statement(
  'audit.forward-noted',
  `SELECT ${COLUMNS}
  FROM (SELECT leaf_index FROM audit_export_leaves WHERE export_id = $10 AND leaf_index > $7 AND leaf_index < $8
        ORDER BY leaf_index) x
  CROSS JOIN LATERAL (SELECT * FROM audit_leaves WHERE organisation_id = $1 AND leaf_index = x.leaf_index) l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${MATCHES} ORDER BY x.leaf_index LIMIT $9`,
  LEAF_ENTRY,
);

const FIND_SELECTED_LEAVES = statement(
  'audit.selected-leaves',
  `SELECT l.leaf_index::float8 AS index, l.subject_type AS type, l.subject_id AS id FROM audit_leaves l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${MATCHES} AND l.leaf_index > $7 AND l.leaf_index < $8
  ORDER BY l.leaf_index LIMIT $9`,
  {
    index: 'float8',
    type: column(AuditLeafEntity, 'subjectType'),
    id: column(AuditLeafEntity, 'subjectId'),
  },
);

const COUNT_PENDING = statement(
  'audit.pending-entries',
  `SELECT coalesce(sum(cardinality(hashes)), 0)::int AS count FROM audit_pending WHERE organisation_id = $1`,
  { count: 'integer' },
);

@Injectable()
export class LogQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async listEntries(
    organisationId: string,
    filter: LogFilter,
    before: number | null,
    limit: number,
  ): Promise<LoggedEntry[]> {
    const { subjectType, action } = filter;
    const subject = subjectType ?? action?.split('.')[0];
    const isOther = subject !== undefined && !COMMON.some((one) => one === subject);
    const isRare = RARE.some((one) => one === action);
    const values = [organisationId, ...valuesOf(filter), before, limit, isOther, isRare];
    return this.uow.rows(organisationId, ENTRIES, values);
  }

  /** Returns a page of leaves in the order of the log, with their entries. */
  async listLeaves(
    organisationId: string,
    filter: LogFilter,
    { after, size, limit }: LogPageRequest,
  ): Promise<LoggedLeaf[]> {
    const { exportId } = filter;
    const values = [organisationId, ...valuesOf(filter), after, size, limit];
    const rows = await this.uow.read(organisationId, (db) =>
      exportId === undefined
        ? execute(db, FORWARD, values)
        : execute(db, FIND_LEAVES_OF_EXPORT, [...values, exportId]),
    );
    return rows.map(({ action, recordedAt, canonical, ...leaf }) => ({
      ...leaf,
      entry: action !== null && recordedAt && canonical ? { action, recordedAt, canonical } : null,
    }));
  }

  /** Returns the subjects of the selected leaves, in the order of the log. */
  async listSelectedSubjects(
    organisationId: string,
    filter: LogFilter,
    { after, size, limit }: LogPageRequest,
  ): Promise<(Subject & { readonly index: number })[]> {
    const values = [organisationId, ...valuesOf(filter), after, size, limit];
    return this.uow.rows(organisationId, FIND_SELECTED_LEAVES, values);
  }

  /** Returns the subjects whose first entry has a leaf after index `after` and up to `last`. */
  async listNewSubjects(organisationId: string, after: number, last: number): Promise<Subject[]> {
    const firstLeaves = await this.uow.read(organisationId, (db) =>
      db.find(AuditLeafEntity, {
        select: { leafIndex: true, subjectType: true, subjectId: true },
        where: {
          organisationId,
          leafIndex: And(MoreThan(String(after)), LessThanOrEqual(String(last))),
          subjectSeq: 1,
        },
        order: { leafIndex: 'ASC' },
      }),
    );
    return firstLeaves.map(({ subjectType, subjectId }) => ({ type: subjectType, id: subjectId }));
  }

  /** Lists the stored checkpoints that were signed before `before`, newest first. */
  async listCheckpoints(
    organisationId: string,
    before: string | null,
    limit: number,
  ): Promise<StoredCheckpoint[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(AuditCheckpointEntity, {
        where: { organisationId, ...(before !== null && { signedAt: LessThan(new Date(before)) }) },
        order: { signedAt: 'DESC' },
        take: limit,
      }),
    );
    return rows.map(({ size, ...row }) => ({ ...row, size: Number(size) }));
  }

  /** Counts the entries that wait for their leaf. */
  async countPending(organisationId: string): Promise<number> {
    const rows = await this.uow.rows(organisationId, COUNT_PENDING, [organisationId]);
    return rows[0]?.count ?? 0;
  }

  /** Returns the newest state of the log; null if it has no checkpoint yet. */
  async findCurrentLog(organisationId: string): Promise<CurrentLog | null> {
    const log = await this.uow.read(organisationId, (db) => db.findOneBy(AuditLogEntity, { organisationId }));
    if (!log) return null;
    const { size, pruned, rolledBackAt, ...rest } = log;
    return { ...rest, size: Number(size), pruned: Number(pruned), rolledBack: rolledBackAt !== null };
  }
}

const valuesOf = (filter: LogFilter): unknown[] => {
  const { subjectType = null, subjectId = null, action = null, from = null, to = null } = filter;
  return [subjectType, subjectId, action, from, to];
};
