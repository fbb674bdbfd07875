import { Any } from 'typeorm';
import type { Reader } from '../../database/index.js';
import { entryHash, type SubjectType } from '../domain/entry.js';
import type { AppliedRepair, StoredEntry } from '../domain/trail.js';
import { AuditRepairEntity } from './entities/audit-repair.entity.js';

/** The applied repairs of subjects, and the entries that they brought back; by subject, where there are any. */
export async function appliedRepairs(
  db: Reader,
  organisationId: string,
  subjectType: SubjectType,
  ids: readonly string[],
): Promise<Map<string, { repairs: AppliedRepair[]; restored: StoredEntry[] }>> {
  const rows = await db.find(AuditRepairEntity, {
    select: { id: true, subjectId: true, kind: true, gaps: true, restored: true },
    where: { organisationId, subjectType, subjectId: Any(ids), status: 'APPLIED' },
    order: { decidedAt: 'ASC' },
  });
  const found = new Map<string, { repairs: AppliedRepair[]; restored: StoredEntry[] }>();
  for (const { id, subjectId, kind, gaps, restored } of rows) {
    const own = found.get(subjectId) ?? { repairs: [], restored: [] };
    // A restored entry shows by itself; its gaps need no other answer.
    own.repairs.push({ id, kind, gaps: kind === 'RESTORE' ? [] : gaps });
    if (restored) own.restored.push(restoredEntry(restored));
    found.set(subjectId, own);
  }
  return found;
}

/** An entry from its canonical bytes, which are all that is hashed of it. */
export function restoredEntry(canonical: Buffer): StoredEntry {
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
