import { Injectable } from '@nestjs/common';
import {
  columns,
  execute,
  nullable,
  properties,
  statement,
  UnitOfWork,
  type Rows,
} from '../../database/index.js';
import { AuditCheckpointEntity } from './entities/audit-checkpoint.entity.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';
import { AuditLeafEntity } from './entities/audit-leaf.entity.js';
import { AuditLogEntity } from './entities/audit-log.entity.js';

/** One entry with its place in the log. */
export interface LoggedEntry extends Readonly<
  Pick<AuditEntryEntity, 'subjectType' | 'subjectId' | 'subjectSeq' | 'action' | 'recordedAt' | 'canonical'>
> {
  readonly index: number;
  readonly hash: Buffer;
}

/** A leaf with its entry; without it, when that was pruned. */
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
  /** Only the leaves that were noted down for this export. */
  readonly exportId?: string | undefined;
}

/** A page of a log in its own order: behind `after`, in the tree of the first `size` leaves. */
export interface LogPage {
  readonly after: number;
  readonly size: number;
  readonly limit: number;
}

/** A leaf, and of whose trail it is. */
export type LeafSubject = Rows<typeof SELECTED>;

export interface KeptCheckpoint extends Readonly<Omit<AuditCheckpointEntity, 'organisationId' | 'size'>> {
  readonly size: number;
}

/** Where a log stands now. */
export interface CurrentLog extends KeptCheckpoint {
  readonly rolledBack: boolean;
  /** How many of its entries are gone because their time of keeping was over. */
  readonly pruned: number;
}

const LEAF = columns(AuditLeafEntity, 'leafIndex', 'subjectType', 'subjectId', 'subjectSeq', 'hash');
const ENTRY = { ...LEAF, ...columns(AuditEntryEntity, 'action', 'recordedAt', 'canonical') };
const LEAF_ENTRY = {
  ...LEAF,
  action: nullable(ENTRY.action),
  recorded_at: nullable(ENTRY.recorded_at),
  canonical: nullable(ENTRY.canonical),
};
const SUBJECT = { index: 'float8', ...properties(AuditLeafEntity, 'subjectType', 'subjectId') } as const;

// The newest first. Kept checkpoints say between which leaves a span of time lies, so that no index over times is
// needed: that would be written with every entry.
const ENTRIES = statement(
  'audit.entries',
  `SELECT l.leaf_index, l.subject_type, l.subject_id, l.subject_seq, e.action, e.recorded_at, l.hash,
    e.canonical
  FROM audit_leaves l
  JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE l.organisation_id = $1
    AND ($2::text IS NULL OR l.subject_type = $2) AND ($3::text IS NULL OR l.subject_id = $3)
    AND ($4::text IS NULL OR e.action = $4)
    AND ($5::timestamptz IS NULL OR (e.recorded_at >= $5 AND l.leaf_index >= coalesce(
      (SELECT max(size) FROM audit_checkpoints c WHERE c.organisation_id = $1 AND c.signed_at < $5), 0)))
    AND ($6::timestamptz IS NULL OR (e.recorded_at < $6 AND l.leaf_index < coalesce(
      (SELECT min(size) FROM audit_checkpoints c
       WHERE c.organisation_id = $1 AND c.signed_at > $6::timestamptz + interval '1 minute'), 9007199254740991)))
    AND ($7::bigint IS NULL OR l.leaf_index < $7)
  ORDER BY l.leaf_index DESC LIMIT $8`,
  ENTRY,
);

// In the order of the log, for packages: the next page begins behind the last one. The kept checkpoints bound the leaves
// of a span of time, as above. Of what was pruned nobody can say whether it would be selected: it is. Of what is gone
// otherwise there is nothing, and whoever verifies the package finds that.
const FORWARD_COLUMNS = `l.leaf_index, l.subject_type, l.subject_id, l.subject_seq, e.action, e.recorded_at, l.hash,
    e.canonical`;
const FORWARD_WHERE = `l.organisation_id = $1
    AND ($2::text IS NULL OR l.subject_type = $2) AND ($3::text IS NULL OR l.subject_id = $3)
    AND ($4::text IS NULL OR e.action IS NULL OR e.action = $4)
    AND ($5::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at >= $5) AND l.leaf_index >= coalesce(
      (SELECT max(size) FROM audit_checkpoints c WHERE c.organisation_id = $1 AND c.signed_at < $5), 0)))
    AND ($6::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at < $6) AND l.leaf_index < coalesce(
      (SELECT min(size) FROM audit_checkpoints c
       WHERE c.organisation_id = $1 AND c.signed_at > $6::timestamptz + interval '1 minute'), 9007199254740991)))
    AND (e.action IS NOT NULL OR EXISTS (
      SELECT FROM audit_pruned p WHERE p.organisation_id = l.organisation_id AND p.subject_type = l.subject_type
        AND p.subject_id = l.subject_id AND p.through_seq >= l.subject_seq))`;
const FORWARD = statement(
  'audit.forward',
  `SELECT ${FORWARD_COLUMNS} FROM audit_leaves l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${FORWARD_WHERE} AND l.leaf_index > $7 AND l.leaf_index < $8
  ORDER BY l.leaf_index LIMIT $9`,
  LEAF_ENTRY,
);
const FORWARD_NOTED = statement(
  'audit.forward-noted',
  `SELECT ${FORWARD_COLUMNS}
  FROM (SELECT leaf_index FROM audit_export_leaves WHERE export_id = $10 AND leaf_index > $7 AND leaf_index < $8
        ORDER BY leaf_index) x
  CROSS JOIN LATERAL (SELECT * FROM audit_leaves WHERE organisation_id = $1 AND leaf_index = x.leaf_index) l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE ${FORWARD_WHERE} ORDER BY x.leaf_index LIMIT $9`,
  LEAF_ENTRY,
);

// If the entry of a leaf is gone, conditions on the entry count as met.
const SELECTED = statement(
  'audit.selected-leaves',
  `SELECT l.leaf_index::float8 AS index, l.subject_type AS "subjectType", l.subject_id AS "subjectId"
  FROM audit_leaves l
  LEFT JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)
  WHERE l.organisation_id = $1 AND ($2::text IS NULL OR l.subject_type = $2)
    AND ($3::text IS NULL OR e.action IS NULL OR e.action = $3)
    AND ($4::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at >= $4) AND l.leaf_index >= coalesce(
      (SELECT max(size) FROM audit_checkpoints c WHERE c.organisation_id = $1 AND c.signed_at < $4), 0)))
    AND ($5::timestamptz IS NULL OR ((e.recorded_at IS NULL OR e.recorded_at < $5) AND l.leaf_index < coalesce(
      (SELECT min(size) FROM audit_checkpoints c
       WHERE c.organisation_id = $1 AND c.signed_at > $5::timestamptz + interval '1 minute'), 9007199254740991)))
    AND l.leaf_index > $6 AND l.leaf_index < $7
  ORDER BY l.leaf_index LIMIT $8`,
  SUBJECT,
);

const BEGINNINGS = statement(
  'audit.beginnings',
  `SELECT leaf_index::float8 AS index, subject_type AS "subjectType", subject_id AS "subjectId" FROM audit_leaves
  WHERE organisation_id = $1 AND leaf_index > $2 AND leaf_index <= $3 AND subject_seq = 1 ORDER BY leaf_index`,
  SUBJECT,
);

const CHECKPOINTS = statement(
  'audit.checkpoints',
  `SELECT incarnation, size, signed_at, root, note FROM audit_checkpoints
  WHERE organisation_id = $1 AND ($2::timestamptz IS NULL OR signed_at < $2) ORDER BY signed_at DESC LIMIT $3`,
  columns(AuditCheckpointEntity, 'incarnation', 'size', 'signedAt', 'root', 'note'),
);

const CURRENT = statement(
  'audit.current-log',
  `SELECT incarnation, size, signed_at, root, note, rolled_back_at IS NOT NULL AS rolled_back,
    pruned::float8 AS pruned
  FROM audit_logs WHERE organisation_id = $1`,
  {
    ...columns(AuditLogEntity, 'incarnation', 'size', 'signedAt', 'root', 'note'),
    rolled_back: 'boolean',
    pruned: 'float8',
  },
);

const PENDING = statement(
  'audit.pending-entries',
  `SELECT coalesce(sum(cardinality(hashes)), 0)::int AS count FROM audit_pending WHERE organisation_id = $1`,
  { count: 'integer' },
);

/** Reads the log for auditors. */
@Injectable()
export class LogQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async entries(
    organisationId: string,
    filter: LogFilter,
    before: number | null,
    limit: number,
  ): Promise<LoggedEntry[]> {
    const { subjectType = null, subjectId = null, action = null, from = null, to = null } = filter;
    const values = [organisationId, subjectType, subjectId, action, from, to, before, limit];
    const rows = await this.uow.read(organisationId, (db) => execute(db, ENTRIES, values));
    return rows.map(toEntry);
  }

  /** The leaves behind `after` in a log of `size`, in the order of the log, with their entries. */
  async forward(
    organisationId: string,
    filter: LogFilter,
    { after, size, limit }: LogPage,
  ): Promise<LoggedLeaf[]> {
    const { subjectType = null, subjectId = null, action = null, from = null, to = null, exportId } = filter;
    const values = [organisationId, subjectType, subjectId, action, from, to, after, size, limit];
    const rows = await this.uow.read(organisationId, (db) =>
      exportId === undefined
        ? execute(db, FORWARD, values)
        : execute(db, FORWARD_NOTED, [...values, exportId]),
    );
    return rows.map(toLeaf);
  }

  /** Returns the subjects of the selected leaves, in the order of the log. */
  async selected(
    organisationId: string,
    filter: LogFilter,
    { after, size, limit }: LogPage,
  ): Promise<LeafSubject[]> {
    const { subjectType = null, action = null, from = null, to = null } = filter;
    const values = [organisationId, subjectType, action, from, to, after, size, limit];
    return this.uow.read(organisationId, (db) => execute(db, SELECTED, values));
  }

  /** The subjects whose first entry has a leaf behind `after` and up to `last`. */
  async beginnings(organisationId: string, after: number, last: number): Promise<LeafSubject[]> {
    return this.uow.read(organisationId, (db) => execute(db, BEGINNINGS, [organisationId, after, last]));
  }

  /** The checkpoints of the history, the newest first. */
  async checkpoints(organisationId: string, before: string | null, limit: number): Promise<KeptCheckpoint[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, CHECKPOINTS, [organisationId, before, limit]),
    );
    return rows.map(toCheckpoint);
  }

  /** How many entries wait for their leaf. */
  async pending(organisationId: string): Promise<number> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, PENDING, [organisationId]));
    return rows[0]?.count ?? 0;
  }

  /** Where the log stands now; null before its first checkpoint. */
  async current(organisationId: string): Promise<CurrentLog | null> {
    const [row] = await this.uow.read(organisationId, (db) => execute(db, CURRENT, [organisationId]));
    return row ? { ...toCheckpoint(row), rolledBack: row.rolled_back, pruned: row.pruned } : null;
  }
}

const toLeaf = (row: Rows<typeof FORWARD>): LoggedLeaf => {
  const { action, recorded_at: recordedAt, canonical } = row;
  return {
    index: Number(row.leaf_index),
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    subjectSeq: row.subject_seq,
    hash: row.hash,
    entry: action !== null && recordedAt && canonical ? { action, recordedAt, canonical } : null,
  };
};

const toEntry = (row: Rows<typeof ENTRIES>): LoggedEntry => ({
  index: Number(row.leaf_index),
  subjectType: row.subject_type,
  subjectId: row.subject_id,
  subjectSeq: row.subject_seq,
  action: row.action,
  recordedAt: row.recorded_at,
  hash: row.hash,
  canonical: row.canonical,
});

const toCheckpoint = (row: Rows<typeof CHECKPOINTS>): KeptCheckpoint => ({
  incarnation: row.incarnation,
  size: Number(row.size),
  signedAt: row.signed_at,
  root: row.root,
  note: row.note,
});
