import { Injectable } from '@nestjs/common';
import {
  execute,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../database/index.js';
import { entryHash, type AuditSubject, type SubjectType } from '../domain/entry.js';
import type { AppliedRepair, StoredEntry } from '../domain/trail.js';
import { AuditLeafEntity } from './entities/audit-leaf.entity.js';
import { AuditRepairEntity } from './entities/audit-repair.entity.js';

export type RepairStatus = 'REQUESTED' | 'APPLIED' | 'REFUSED';

/** Bytes that were given back, in the form of the entry that they are. */
export type RestoredEntry = StoredEntry;

export type RepairRow = RowOf<typeof SHAPE>;

export interface NewRepair extends Pick<
  RepairRow,
  'id' | 'kind' | 'gaps' | 'justification' | 'evidence' | 'restoredSeq' | 'requestedBy'
> {
  readonly subject: AuditSubject;
  readonly restored: Buffer | null;
}

const COLUMNS = `id, organisation_id AS "organisationId", subject_type AS "subjectType", subject_id AS "subjectId", kind,
  gaps, justification, evidence, restored_seq AS "restoredSeq", status, requested_by AS "requestedBy",
  requested_at AS "requestedAt", decided_by AS "decidedBy", decided_at AS "decidedAt"`;

const SHAPE = {
  ...properties(
    AuditRepairEntity,
    'id',
    'organisationId',
    'subjectType',
    'subjectId',
    'kind',
    'gaps',
    'justification',
  ),
  ...properties(
    AuditRepairEntity,
    'evidence',
    'restoredSeq',
    'status',
    'requestedBy',
    'requestedAt',
    'decidedBy',
  ),
  ...properties(AuditRepairEntity, 'decidedAt'),
};

const APPLIED = statement(
  'audit.applied-repairs',
  `SELECT id, subject_id AS "subjectId", kind, gaps, restored FROM audit_repairs
           WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = ANY($3::text[]) AND status = 'APPLIED'
           ORDER BY decided_at`,
  properties(AuditRepairEntity, 'id', 'subjectId', 'kind', 'gaps', 'restored'),
);

const INSERT = statement(
  'audit.insert-repair',
  `INSERT INTO audit_repairs (id, organisation_id, subject_type, subject_id, kind, gaps, justification, evidence,
                                          restored_seq, restored, requested_by)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

const DECIDE = statement(
  'audit.decide-repair',
  `UPDATE audit_repairs SET status = $3, decided_by = $4, decided_at = clock_timestamp()
               WHERE organisation_id = $1 AND id = $2 AND status = 'REQUESTED' RETURNING ${COLUMNS}`,
  SHAPE,
);

const FIND = statement(
  'audit.find-repair',
  `SELECT ${COLUMNS} FROM audit_repairs WHERE organisation_id = $1 AND id = $2`,
  SHAPE,
);

const PAGE = statement(
  'audit.repair-page',
  `SELECT ${COLUMNS} FROM audit_repairs
         WHERE organisation_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::uuid IS NULL OR id < $3)
         ORDER BY id DESC LIMIT $4`,
  SHAPE,
);

const SEALED_HASH = statement(
  'audit.sealed-hash',
  `SELECT hash FROM audit_leaves
         WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = $3 AND subject_seq = $4`,
  properties(AuditLeafEntity, 'hash'),
);

/** Repairs of trails. They stand beside the entries, which nobody changes. */
@Injectable()
export class RepairRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The applied repairs of subjects, and the entries that they brought back; by subject, where there are any. */
  async of(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<Map<string, { repairs: AppliedRepair[]; restored: RestoredEntry[] }>> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, APPLIED, [organisationId, type, sqlArray.text(ids)]),
    );
    const found = new Map<string, { repairs: AppliedRepair[]; restored: RestoredEntry[] }>();
    for (const { id, subjectId, kind, gaps, restored } of rows) {
      const own = found.get(subjectId) ?? { repairs: [], restored: [] };
      // A restored entry shows by itself; its gaps need no other answer.
      own.repairs.push({ id, kind, gaps: kind === 'RESTORE' ? [] : gaps });
      if (restored) own.restored.push(restoredEntry(restored));
      found.set(subjectId, own);
    }
    return found;
  }

  async insert(tx: Tx, repair: NewRepair): Promise<void> {
    const { subject } = repair;
    await execute(tx, INSERT, [
      repair.id,
      subject.organisationId,
      subject.type,
      subject.id,
      repair.kind,
      JSON.stringify(repair.gaps),
      repair.justification,
      JSON.stringify(repair.evidence),
      repair.restoredSeq,
      repair.restored,
      repair.requestedBy,
    ]);
  }

  /** Decides a repair that nobody has decided yet; null when somebody has. */
  async decide(
    tx: Tx,
    organisationId: string,
    id: string,
    status: 'APPLIED' | 'REFUSED',
    decidedBy: string,
  ): Promise<RepairRow | null> {
    const rows = await execute(tx, DECIDE, [organisationId, id, status, decidedBy]);
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<RepairRow | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return rows[0] ?? null;
  }

  /** The newest first. */
  async page(
    organisationId: string,
    status: RepairStatus | null,
    before: string | null,
    limit: number,
  ): Promise<RepairRow[]> {
    return this.uow.read(organisationId, (db) => execute(db, PAGE, [organisationId, status, before, limit]));
  }

  /** The hash that the log sealed for an entry; null while it is not sealed. */
  async sealedHash(subject: AuditSubject, seq: number): Promise<Buffer | null> {
    const rows = await this.uow.read(subject.organisationId, (db) =>
      execute(db, SEALED_HASH, [subject.organisationId, subject.type, subject.id, seq]),
    );
    return rows[0]?.hash ?? null;
  }
}

/** An entry from its canonical bytes, which are all that is hashed of it. */
export function restoredEntry(canonical: Buffer): RestoredEntry {
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
