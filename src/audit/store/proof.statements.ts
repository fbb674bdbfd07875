import { MoreThan } from 'typeorm';
import { columns, execute, sqlArray, statement, type Reader } from '../../database/index.js';
import type { Range } from '../domain/merkle.js';
import { AuditLeafEntity } from './entities/audit-leaf.entity.js';
import { AuditLogEntity } from './entities/audit-log.entity.js';
import { AuditNodeEntity } from './entities/audit-node.entity.js';
import type { AuditEntryEntity } from './entities/audit-entry.entity.js';

/** Where an entry stands in its log. */
export interface LeafPosition {
  readonly index: number;
  readonly hash: Buffer;
}

/** Where an entry stands in the chain of its subject. */
export type EntryPlace = Readonly<Pick<AuditEntryEntity, 'subjectType' | 'subjectId' | 'subjectSeq'>>;

/** A stored subtree root, or (level 0) a run of leaves. */
export interface Part extends Range {
  readonly level: number;
}

/** The signed state of a log. */
export type LogState = Pick<AuditLogEntity, 'size' | 'root' | 'note' | 'rolledBackAt'>;

const LEAF = statement(
  'audit.leaf-of',
  `SELECT leaf_index, hash FROM audit_leaves
   WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = $3 AND subject_seq = $4`,
  columns(AuditLeafEntity, 'leafIndex', 'hash'),
);

const LEAF_HASHES = statement(
  'audit.leaf-hashes',
  `SELECT l.leaf_index, l.hash FROM unnest($2::bigint[], $3::bigint[]) AS r (low, high)
   JOIN audit_leaves l ON l.organisation_id = $1 AND l.leaf_index >= r.low AND l.leaf_index < r.high`,
  columns(AuditLeafEntity, 'leafIndex', 'hash'),
);

const NODE_HASHES = statement(
  'audit.node-hashes',
  `SELECT n.level, n.node_index, n.hash FROM unnest($2::smallint[], $3::bigint[]) AS r (level, i)
   JOIN audit_nodes n ON n.organisation_id = $1 AND n.level = r.level AND n.node_index = r.i`,
  columns(AuditNodeEntity, 'level', 'nodeIndex', 'hash'),
);

/** The leaf of an entry, or null when it is not sealed yet. */
export async function leafOf(
  db: Reader,
  organisationId: string,
  { subjectType, subjectId, subjectSeq }: EntryPlace,
): Promise<LeafPosition | null> {
  const [row] = await execute(db, LEAF, [organisationId, subjectType, subjectId, subjectSeq]);
  return row ? { index: Number(row.leaf_index), hash: row.hash } : null;
}

export async function leafHashes(
  db: Reader,
  organisationId: string,
  runs: readonly Range[],
): Promise<Map<number, Buffer>> {
  if (runs.length === 0) return new Map();
  const rows = await execute(db, LEAF_HASHES, [
    organisationId,
    sqlArray.plain(runs.map(({ start }) => start)),
    sqlArray.plain(runs.map(({ start, length }) => start + length)),
  ]);
  return new Map(rows.map((row) => [Number(row.leaf_index), row.hash]));
}

export async function nodeHashes(
  db: Reader,
  organisationId: string,
  parts: readonly Part[],
): Promise<Map<string, Buffer>> {
  if (parts.length === 0) return new Map();
  const rows = await execute(db, NODE_HASHES, [
    organisationId,
    sqlArray.plain(parts.map(({ level }) => level)),
    sqlArray.plain(parts.map(({ level, start }) => start / 2 ** level)),
  ]);
  return new Map(rows.map((row) => [`${row.level}/${row.node_index}`, row.hash]));
}

export const logState = (db: Reader, organisationId: string): Promise<LogState | null> =>
  db.findOneBy(AuditLogEntity, { organisationId });

/** The notes of logs that were signed after this time, oldest first. */
export const notesSince = (
  db: Reader,
  since: Date,
): Promise<Pick<AuditLogEntity, 'organisationId' | 'note' | 'signedAt'>[]> =>
  db.find(AuditLogEntity, {
    select: { organisationId: true, note: true, signedAt: true },
    where: { signedAt: MoreThan(since) },
    order: { signedAt: 'ASC' },
  });
