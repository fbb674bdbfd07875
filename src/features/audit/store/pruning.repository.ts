import { Injectable } from '@nestjs/common';
import {
  column,
  columns,
  execute,
  notNullColumn,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { entryHash, type Subject, type SubjectType } from '../domain/entry.js';
import { isInRanges } from '../domain/pruning.js';
import { AuditEntryEntity, AuditLeafEntity, AuditPrunedEntity } from './entities.js';

/** A trail of a prunable type, with the index of its first leaf. */
export type PrunableTrail = Rows<typeof FIND_OLDEST_TRAILS>;

/** True if the log itself names the leaf at this index as pruned. */
export type NamedLeaves = (index: number) => boolean;

const FIND_OLDEST_TRAILS = statement(
  'audit.oldest-trails',
  `SELECT l.leaf_index::float8 AS index, l.subject_type AS type, l.subject_id AS id, e.oldest, e.newest
  FROM audit_leaves l
  CROSS JOIN LATERAL (
    SELECT min(recorded_at) FILTER (WHERE subject_seq = 1) AS oldest, max(recorded_at) AS newest FROM audit_entries
    WHERE organisation_id = l.organisation_id AND subject_type = l.subject_type AND subject_id = l.subject_id) e
  WHERE l.organisation_id = $1 AND l.leaf_index > $2 AND l.subject_seq = 1 AND l.subject_type = ANY ($3::text[])
  ORDER BY l.leaf_index LIMIT $4`,
  {
    index: 'float8',
    type: column(AuditLeafEntity, 'subjectType'),
    id: column(AuditLeafEntity, 'subjectId'),
    /** Time of the first entry; null if it is not stored any more. */
    oldest: 'timestamptz | null',
    /** Time of the last entry; null if no entry is stored any more. */
    newest: 'timestamptz | null',
  },
);

const STORED_LEAVES = statement(
  'audit.stored-leaves',
  `SELECT l.leaf_index::float8 AS index FROM unnest($2::text[], $3::text[]) AS s (type, id)
  JOIN audit_leaves l ON l.organisation_id = $1 AND l.subject_type = s.type AND l.subject_id = s.id
  JOIN audit_entries e USING (organisation_id, subject_type, subject_id, subject_seq)`,
  { index: 'float8' },
);

// An entry about a pruning counts if its leaf has the same hash, or if the entry is not sealed yet.
const FIND_NAMED_LEAVES = statement(
  'audit.named-pruned',
  `SELECT p.subject_id AS id, e.canonical, e.hash FROM audit_pruned p
  JOIN audit_entries e ON e.organisation_id = p.organisation_id AND e.subject_type = 'audit_log'
    AND e.subject_id = p.organisation_id::text AND e.subject_seq = p.named_by AND e.action = 'audit_log.pruned'
  LEFT JOIN audit_leaves l ON l.organisation_id = e.organisation_id AND l.subject_type = e.subject_type
    AND l.subject_id = e.subject_id AND l.subject_seq = e.subject_seq
  WHERE p.organisation_id = $1 AND p.subject_type = $2 AND p.subject_id = ANY ($3::text[])
    AND (l.hash IS NULL OR l.hash = e.hash)`,
  {
    id: column(AuditPrunedEntity, 'subjectId'),
    ...columns(AuditEntryEntity, 'canonical'),
    hash: notNullColumn(column(AuditEntryEntity, 'hash')),
  },
);

const PRUNE = statement('audit.prune', 'SELECT audit_prune($1, $2, $3, $4, $5)::float8 AS gone', {
  gone: 'float8',
});

/** Reads and prunes trails after their retention. */
@Injectable()
export class PruningRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns trails whose first leaf has an index above `after`, in the order of the log. */
  async listTrails(
    organisationId: string,
    types: readonly SubjectType[],
    after: number,
    limit: number,
  ): Promise<PrunableTrail[]> {
    return this.uow.rows(organisationId, FIND_OLDEST_TRAILS, [
      organisationId,
      after,
      sqlArray.text(types),
      limit,
    ]);
  }

  /** Returns the leaf indices of the stored entries of these trails. */
  async readStoredLeaves(tx: Tx, organisationId: string, subjects: readonly Subject[]): Promise<number[]> {
    const rows = await execute(tx, STORED_LEAVES, [organisationId, ...columnsOf(subjects)]);
    return rows.map(({ index }) => index);
  }

  /** Deletes the entries of these trails and returns their number. Entry `namedBy` about the log names their leaves. */
  async prune(
    tx: Tx,
    organisationId: string,
    subjects: readonly Subject[],
    { before, namedBy }: { readonly before: Date; readonly namedBy: number },
  ): Promise<number> {
    const values = [organisationId, ...columnsOf(subjects), before.toISOString(), namedBy];
    const [row] = await execute(tx, PRUNE, values);
    return row?.gone ?? 0;
  }

  /** Returns, by subject id, which leaves an entry about a pruning names. */
  async readNamedLeaves(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, NamedLeaves>> {
    const rows = await this.uow.rows(organisationId, FIND_NAMED_LEAVES, [
      organisationId,
      type,
      sqlArray.text(ids),
    ]);
    const ranges = new Map<string, string[]>();
    for (const { id, canonical, hash } of rows) {
      if (!entryHash(canonical).equals(hash)) continue;
      const { content } = JSON.parse(canonical.toString('utf8')) as { content: { leaves: string[] } };
      ranges.set(id, [...(ranges.get(id) ?? []), ...content.leaves]);
    }
    return new Map([...ranges].map(([id, own]) => [id, (index: number) => isInRanges(own, index)]));
  }
}

const columnsOf = (subjects: readonly Subject[]): [Buffer, Buffer] => [
  sqlArray.text(subjects.map(({ type }) => type)),
  sqlArray.text(subjects.map(({ id }) => id)),
];
