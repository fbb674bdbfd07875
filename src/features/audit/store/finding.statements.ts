import { execute, properties, statement, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { Subject } from '../domain/entry.js';
import type { TrailVerdict } from '../domain/trail.js';
import { lockChains } from './trail.statements.js';
import { AuditFindingEntity } from './entities/audit-finding.entity.js';

const NOTE = statement(
  'audit.note-finding',
  `INSERT INTO audit_findings AS f (organisation_id, subject_type, subject_id, status, gaps, id)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (organisation_id, subject_type, subject_id) DO UPDATE
                 SET id = excluded.id, status = excluded.status, gaps = excluded.gaps, found_at = clock_timestamp(), cleared_at = NULL
                 WHERE f.cleared_at IS NOT NULL OR f.gaps <> excluded.gaps RETURNING f.id`,
  properties(AuditFindingEntity, 'id'),
);

// Runs under the lock of `countOpenFindings`, so that each entry records the count after its own change.
const COUNT = statement(
  'audit.open-findings',
  `SELECT count(*)::int AS open FROM audit_findings WHERE organisation_id = $1 AND cleared_at IS NULL`,
  { open: 'integer' },
);

/** Counts open findings for the entry about a change. The lock stops other changes of findings until the commit. */
export async function countOpenFindings(tx: Tx, organisationId: string): Promise<number> {
  await lockChains(tx, [chainNameOf(organisationId)]);
  const [row] = await execute(tx, COUNT, [organisationId]);
  return row?.open ?? 0;
}

const chainNameOf = (organisationId: string): string => `${organisationId}|audit_log|${organisationId}`;

/** Stores a finding; false if the same finding is stored already. */
export async function recordFinding(
  tx: Tx,
  organisationId: string,
  { type, id }: Subject,
  { status, gaps }: Pick<TrailVerdict, 'status' | 'gaps'>,
): Promise<boolean> {
  const rows = await execute(tx, NOTE, [organisationId, type, id, status, JSON.stringify(gaps), newUuid()]);
  return rows.length > 0;
}
