import { Injectable } from '@nestjs/common';
import {
  column,
  columns,
  execute,
  properties,
  selectColumnsExcept,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type Tx,
} from '../../../platform/database/index.js';
import { LeasedJobRepository, leasedJobs } from '../../../platform/jobs/index.js';
import { quotas, QuotaUse } from '../../../platform/quotas/index.js';
import type { Subject } from '../domain/entry.js';
import { AuditExportPieceEntity, AuditExportSubjectEntity, AuditExportEntity } from './entities.js';

export const PIECE_BYTES = 1_048_576;
export const READ_BYTES = 131_072;

const ALL = selectColumnsExcept(AuditExportEntity, 'j');
const JOBS = leasedJobs('audit_exports', AuditExportEntity, {
  scope: system('audit.exports'),
  quota: 'exportsAtOnce',
  fallback: quotas.exportsAtOnce.fallback,
  claimed: ALL,
  // An interrupted export starts over.
  anew: ', done = 0',
});

/** An export whose lease this process holds. */
export type ClaimedExport = AuditExportEntity;

const EXPIRE = statement(
  'audit.expire-exports',
  `WITH gone AS (
     UPDATE audit_exports SET status = 'EXPIRED' WHERE id IN (
       SELECT id FROM audit_exports WHERE status = 'READY' AND expires_at < now()
       ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED)
     RETURNING id, organisation_id),
   pieces AS (DELETE FROM audit_export_pieces WHERE export_id IN (SELECT id FROM gone))
   SELECT id, organisation_id AS "organisationId" FROM gone`,
  properties(AuditExportEntity, 'id', 'organisationId'),
);

const ADD_PIECE = statement(
  'audit.add-export-piece',
  `INSERT INTO audit_export_pieces (export_id, organisation_id, fence, piece, bytes)
   SELECT id, organisation_id, fence, $3, $4 FROM audit_exports
   WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING piece`,
  columns(AuditExportPieceEntity, 'piece'),
);

const PIECE = statement(
  'audit.export-piece',
  `SELECT substring(bytes FROM $4 FOR ${READ_BYTES}) AS bytes FROM audit_export_pieces
   WHERE export_id = $1 AND fence = $2 AND piece = $3`,
  { bytes: 'bytea' },
);

const CLEAR = statement(
  'audit.clear-export',
  `WITH pieces AS (DELETE FROM audit_export_pieces WHERE export_id = $1 AND (fence < $2 OR $3)),
        subjects AS (DELETE FROM audit_export_subjects WHERE export_id = $1)
   DELETE FROM audit_export_leaves WHERE export_id = $1`,
);

const FORGET_SCOPE = statement(
  'audit.forget-export-scope',
  `WITH subjects AS (DELETE FROM audit_export_subjects WHERE export_id = $1)
   DELETE FROM audit_export_leaves WHERE export_id = $1`,
);

const NOTE = statement(
  'audit.note-export-subjects',
  `WITH given AS (SELECT DISTINCT * FROM unnest($3::text[], $4::text[]) AS s (type, id)),
        noted AS (INSERT INTO audit_export_subjects (export_id, organisation_id, subject_type, subject_id)
                  SELECT $1, $2, type, id FROM given ON CONFLICT DO NOTHING)
   INSERT INTO audit_export_leaves (export_id, organisation_id, leaf_index)
   SELECT $1, $2, l.leaf_index FROM given g JOIN audit_leaves l
     ON l.organisation_id = $2 AND l.subject_type = g.type AND l.subject_id = g.id
   ON CONFLICT DO NOTHING`,
);

const FIND_EXPORT_SUBJECTS = statement(
  'audit.noted-export-subjects',
  `SELECT subject_type AS type, subject_id AS id FROM audit_export_subjects
   WHERE export_id = $1 AND ($2::text IS NULL OR (subject_type, subject_id) > ($2, $3))
   ORDER BY subject_type, subject_id LIMIT $4`,
  {
    type: column(AuditExportSubjectEntity, 'subjectType'),
    id: column(AuditExportSubjectEntity, 'subjectId'),
  },
);

/** Stores exports, their files in chunks and, while an export runs, its subjects and leaves. */
@Injectable()
export class ExportRepository extends LeasedJobRepository<AuditExportEntity, ClaimedExport> {
  constructor(uow: UnitOfWork) {
    super(uow, JOBS);
  }

  @QuotaUse('exportsAtOnce')
  override countRunning(organisationId: string): Promise<number> {
    return super.countRunning(organisationId);
  }

  /** Stores the progress and renews the lease; false if another process has the export. */
  async recordProgress(claimed: ClaimedExport, done: number, total: number): Promise<boolean> {
    const progress = { done: String(done), total: String(total) };
    return this.uow.run(claimed.organisationId, (tx) => this.keep(tx, claimed, progress));
  }

  /** Ends an export; false if another process has claimed it. */
  end(
    tx: Tx,
    claimed: ClaimedExport,
    ended: Pick<ClaimedExport, 'status' | 'result' | 'gaps' | 'failureCode'>,
    keptDays: number,
  ): Promise<boolean> {
    const expiresAt = ended.status === 'READY' ? () => `now() + interval '${keptDays} days'` : null;
    return this.conclude(tx, claimed, { ...ended, done: () => 'coalesce(total, 0)', expiresAt });
  }

  /** Expires at most ten exports after the retention of their files, deletes the files, and returns the exports. */
  async expire(tx: Tx): Promise<Pick<ClaimedExport, 'id' | 'organisationId'>[]> {
    return execute(tx, EXPIRE, []);
  }

  /** Stores a chunk of the file; false if another process has claimed the export. */
  async addChunk(
    { id, organisationId, fence }: ClaimedExport,
    piece: number,
    bytes: Buffer,
  ): Promise<boolean> {
    const rows = await this.uow.write(organisationId, ADD_PIECE, [id, fence, piece, bytes]);
    return rows.length === 1;
  }

  /** Reads at most READ_BYTES of a chunk from byte `from`: in transfer, bytes take several times their size. */
  async readChunk(
    { id, organisationId, fence }: Pick<ClaimedExport, 'id' | 'organisationId' | 'fence'>,
    piece: number,
    from: number,
  ): Promise<Buffer | null> {
    const rows = await this.uow.rows(organisationId, PIECE, [id, fence, piece, from + 1]);
    return rows[0]?.bytes ?? null;
  }

  /** Deletes the stored data of earlier attempts (`before`), or of all attempts including this one (`all`). */
  async deleteChunks({ id, organisationId, fence }: ClaimedExport, which: 'before' | 'all'): Promise<void> {
    await this.uow.write(organisationId, CLEAR, [id, fence, which === 'all']);
  }

  /** Deletes the stored subjects and leaves of an export, but not its file. */
  async deleteScope({ id, organisationId }: ClaimedExport): Promise<void> {
    await this.uow.write(organisationId, FORGET_SCOPE, [id]);
  }

  /** Stores subjects and their leaves for an export. */
  async addSubjects({ id, organisationId }: ClaimedExport, subjects: readonly Subject[]): Promise<void> {
    await this.uow.write(organisationId, NOTE, [
      id,
      organisationId,
      sqlArray.text(subjects.map(({ type }) => type)),
      sqlArray.text(subjects.map((subject) => subject.id)),
    ]);
  }

  /** Reads the stored subjects that follow `after`. */
  async readSubjects(
    { id, organisationId }: ClaimedExport,
    after: Subject | null,
    limit: number,
  ): Promise<Subject[]> {
    return this.uow.rows(organisationId, FIND_EXPORT_SUBJECTS, [
      id,
      after?.type ?? null,
      after?.id ?? null,
      limit,
    ]);
  }
}
