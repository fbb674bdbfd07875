import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../database/index.js';

/** What has been answered in one step. */
export interface SavedStep {
  readonly stepId: string;
  readonly sealed: Buffer;
  readonly attempts: number;
}

/** One upload for a step: an artifact, or why the file was not taken. */
export interface UploadRow {
  readonly id: string;
  readonly stepId: string;
  readonly artifactId: string | null;
  readonly documentType: string | null;
  readonly side: 'FRONT' | 'BACK' | null;
  readonly rejection: string | null;
}

/** What a person has given so far. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async steps(organisationId: string, sessionId: string): Promise<SavedStep[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT step_id AS "stepId", sealed, attempts FROM kyc_session_steps
         WHERE organisation_id = $1 AND session_id = $2 ORDER BY step_id`,
        [organisationId, sessionId],
      ),
    );
  }

  /** Uploads in the order they came. */
  async uploads(organisationId: string, sessionId: string): Promise<UploadRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, step_id AS "stepId", artifact_id AS "artifactId", document_type AS "documentType", side, rejection
         FROM kyc_session_uploads WHERE organisation_id = $1 AND session_id = $2 ORDER BY id`,
        [organisationId, sessionId],
      ),
    );
  }

  /** Keeps the answers of a step, in place of earlier ones; false when the session takes none any more. */
  async save(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    stepId: string,
    sealed: Buffer,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO kyc_session_steps (session_id, organisation_id, step_id, sealed)
       SELECT id, organisation_id, $3, $4 FROM kyc_sessions
       WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' AND expires_at > clock_timestamp() FOR SHARE
       ON CONFLICT (session_id, step_id)
       DO UPDATE SET sealed = excluded.sealed, attempts = kyc_session_steps.attempts + 1, saved_at = clock_timestamp()
       RETURNING step_id`,
      [session.id, session.organisationId, stepId, sealed],
    );
    return rows.length > 0;
  }

  /** Records an upload; false when the session has this artifact already, or takes none any more. */
  async addUpload(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    upload: UploadRow,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO kyc_session_uploads (id, organisation_id, session_id, step_id, artifact_id, document_type, side, rejection)
       SELECT $3, organisation_id, id, $4, $5, $6, $7, $8 FROM kyc_sessions
       WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' FOR SHARE
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        session.id,
        session.organisationId,
        upload.id,
        upload.stepId,
        upload.artifactId,
        upload.documentType,
        upload.side,
        upload.rejection,
      ],
    );
    return rows.length > 0;
  }
}
