import { execute, properties, statement, unnested, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { Subject } from '../domain/entry.js';
import type { TrailVerdict } from '../domain/trail.js';
import { lockChains } from './trail.statements.js';
import { AuditFindingEntity } from './entities.js';

/** A finding about a subject. */
export type Finding = Pick<AuditFindingEntity, 'subjectType' | 'subjectId' | 'status' | 'gaps'>;

const FINDINGS = unnested<Finding & { readonly id: string }>(
  { text: ['subjectType', 'subjectId', 'status'], uuid: ['id'] },
  { json: ['gaps'] },
);

const NOTE = statement(
  'audit.note-findings',
  `INSERT INTO audit_findings AS f (organisation_id, ${FINDINGS.columns})
               SELECT $1::uuid, ${FINDINGS.read} FROM ${FINDINGS.from(2)} ORDER BY subject_type, subject_id
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

/** Stores findings, one of each subject. Returns how many were not stored already. */
export async function recordFindings(
  tx: Tx,
  organisationId: string,
  findings: readonly Finding[],
): Promise<number> {
  const rows = findings.map((finding) => ({ ...finding, id: newUuid() }));
  return (await execute(tx, NOTE, [organisationId, ...FINDINGS.arrays(rows)])).length;
}

/** Stores a finding; false if the same finding is stored already. */
export const recordFinding = async (
  tx: Tx,
  organisationId: string,
  { type, id }: Subject,
  { status, gaps }: Pick<TrailVerdict, 'status' | 'gaps'>,
): Promise<boolean> =>
  (await recordFindings(tx, organisationId, [{ subjectType: type, subjectId: id, status, gaps }])) > 0;
