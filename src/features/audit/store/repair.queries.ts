import { Any } from 'typeorm';
import { execute, statement, value, type Reader, type Tx } from '../../../platform/database/index.js';
import { entryHash, type SubjectType } from '../domain/entry.js';
import { stateTrailId } from '../domain/state.js';
import type { AppliedRepair, StoredEntry } from '../domain/trail.js';
import type { Patch, RowColumn } from '../domain/candidate-patches.js';
import { AuditRepairEntity } from './entities.js';

/** An applied repair, with the entry that it restored; null if it restored no entry. */
export interface StoredRepair extends AppliedRepair {
  readonly restored: StoredEntry | null;
}

/** Returns the applied repairs of the subjects with these types and ids, grouped by trail (`type:id`), oldest first. */
export async function readAppliedRepairs(
  db: Reader,
  organisationId: string,
  types: readonly SubjectType[],
  ids: readonly string[],
): Promise<Map<string, StoredRepair[]>> {
  const rows = await db.find(AuditRepairEntity, {
    select: { id: true, subjectType: true, subjectId: true, kind: true, gaps: true, restored: true },
    where: { organisationId, subjectType: Any(types), subjectId: Any(ids), status: 'APPLIED' },
    order: { decidedAt: 'ASC' },
  });
  const repairsByTable = new Map<string, StoredRepair[]>();
  for (const { id, subjectType: type, subjectId, kind, gaps, restored } of rows) {
    const name = stateTrailId({ type, id: subjectId });
    const repairsOfTable = repairsByTable.get(name) ?? [];
    // The restored entry fills the gap, so nothing is left to explain.
    const answered = kind === 'RESTORE' ? [] : gaps;
    repairsOfTable.push({ id, kind, gaps: answered, restored: restored && parseRestoredEntry(restored) });
    repairsByTable.set(name, repairsOfTable);
  }
  return repairsByTable;
}

/** Parses an entry from its canonical bytes and computes its hash. Throws if the bytes are not JSON. */
export function parseRestoredEntry(canonical: Buffer): StoredEntry {
  const { seq, action, previous } = JSON.parse(canonical.toString('utf8')) as {
    seq: number;
    action: string;
    previous: string | null;
  };
  return {
    seq,
    action,
    canonical,
    hash: entryHash(canonical),
    previousHash: previous === null ? null : Buffer.from(previous, 'hex'),
  };
}

// `value` has times in the form of to_jsonb, which differs from the form in entries.
const ROW = statement(
  'audit.row-of-subject',
  `SELECT a.attname::text AS name, format_type(a.atttypid, -1) AS type, NOT a.attnotnull AS nullable,
     r.found -> a.attname::text AS value,
     ARRAY(SELECT m[1] FROM pg_constraint c CROSS JOIN LATERAL regexp_matches(pg_get_constraintdef(c.oid), '''([A-Z_]+)''::', 'g') m
           WHERE c.conrelid = a.attrelid AND c.contype = 'c' AND a.attnum = ANY (c.conkey)) AS literals
   FROM audit_row($1, $2, $3) AS r (found) JOIN pg_attribute a ON a.attrelid = $2::text::regclass
   WHERE a.attname = ANY (audit_columns($2)) ORDER BY a.attnum`,
  {
    name: 'text',
    type: 'text',
    nullable: 'boolean',
    value: value<unknown>('jsonb'),
    literals: 'text[]',
  },
);

/** Returns the regulated columns of the row that a subject has in a table. */
export const readRegulatedRow = (
  db: Reader,
  organisationId: string,
  table: string,
  subjectId: string,
): Promise<RowColumn[]> => execute(db, ROW, [organisationId, table, subjectId]);

const MATCH = statement('audit.matching-patch', 'SELECT audit_match($1, $2, $3, $4, $5) AS found', {
  found: 'integer | null',
});

/** Tries patches on the row of a subject. Returns the index of the patch that gives `digest`; null if none does. */
export async function findMatchingPatch(
  db: Reader,
  organisationId: string,
  table: string,
  subjectId: string,
  patches: readonly Patch[],
  digest: string,
): Promise<number | null> {
  if (patches.length === 0) return null;
  const [row] = await execute(db, MATCH, [organisationId, table, subjectId, JSON.stringify(patches), digest]);
  return row?.found === null || row === undefined ? null : row.found - 1;
}

const REDERIVE = statement('audit.rederive', 'SELECT audit_rederive($1, $2, $3, $4, $5) AS changed', {
  changed: 'integer',
});

/** Restores columns for the repair that this transaction applies. Returns the number of changed rows. */
export async function restoreRow(
  tx: Tx,
  organisationId: string,
  repairId: string,
  { table, which, patch }: { readonly table: string; readonly which: Patch; readonly patch: Patch },
): Promise<number> {
  const values = [organisationId, repairId, table, JSON.stringify(which), JSON.stringify(patch)];
  return (await execute(tx, REDERIVE, values))[0]?.changed ?? 0;
}
