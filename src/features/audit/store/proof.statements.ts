import { columns, execute, sqlArray, statement, type Reader } from '../../../platform/database/index.js';
import type { LeafRange } from '../domain/merkle.js';
import { AuditLeafEntity, AuditNodeEntity } from './entities.js';

/**
 * A range of leaves. At level 1 and up, its root is one stored node; at level 0, the root is computed from the leaves.
 */
export interface SubtreeRange extends LeafRange {
  readonly level: number;
}

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

export async function leafHashes(
  db: Reader,
  organisationId: string,
  runs: readonly LeafRange[],
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
  parts: readonly SubtreeRange[],
): Promise<Map<string, Buffer>> {
  if (parts.length === 0) return new Map();
  const rows = await execute(db, NODE_HASHES, [
    organisationId,
    sqlArray.plain(parts.map(({ level }) => level)),
    sqlArray.plain(parts.map(({ level, start }) => start / 2 ** level)),
  ]);
  return new Map(rows.map((row) => [`${row.level}/${row.node_index}`, row.hash]));
}
