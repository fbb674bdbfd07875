import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { columns, execute, statement, UnitOfWork, type Tx } from '../../database/index.js';
import { newUuid } from '../../kernel/index.js';
import { SessionStepEntity } from './entities/session-step.entity.js';
import { SessionUploadEntity } from './entities/session-upload.entity.js';

/** The sealed answers of one step. */
export type SavedStep = Readonly<SessionStepEntity>;

/** A file for a step that was not taken, and why. */
export type RejectedUpload = Pick<SessionUploadEntity, 'stepId' | 'createdAt' | 'rejection'>;

const SAVE = statement(
  'sessions.save-step',
  `INSERT INTO kyc_session_steps (session_id, organisation_id, step_id, sealed)
   SELECT id, organisation_id, $3, $4 FROM kyc_sessions
   WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' AND expires_at > clock_timestamp() FOR SHARE
   ON CONFLICT (session_id, step_id, organisation_id)
   DO UPDATE SET sealed = excluded.sealed, attempts = kyc_session_steps.attempts + 1, saved_at = clock_timestamp()
   RETURNING step_id`,
  columns(SessionStepEntity, 'stepId'),
);

const REJECT = statement(
  'sessions.reject-upload',
  `INSERT INTO kyc_session_uploads (id, organisation_id, session_id, step_id, rejection)
   SELECT $3, $2, $1, $4, $5
   WHERE (SELECT count(*) FROM kyc_session_uploads WHERE session_id = $1) < 200`,
);

/** Answers that a person has given so far. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async steps(organisationId: string, sessionId: string): Promise<SavedStep[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(SessionStepEntity, { where: { organisationId, sessionId }, order: { stepId: 'ASC' } }),
    );
  }

  /** Files that were not taken, in the order they came. */
  async rejections(organisationId: string, sessionId: string): Promise<RejectedUpload[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(SessionUploadEntity, {
        where: { organisationId, sessionId, rejection: Not(IsNull()) },
        order: { id: 'ASC' },
      }),
    );
  }

  /** Keeps the answers of a step, in place of earlier ones; false when the session takes none any more. */
  async save(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    stepId: string,
    sealed: Buffer,
  ): Promise<boolean> {
    const rows = await execute(tx, SAVE, [session.id, session.organisationId, stepId, sealed]);
    return rows.length > 0;
  }

  /** Remembers that a file was not taken; at most so many a session, for anybody can send them. */
  async reject(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    stepId: string,
    rejection: string,
  ): Promise<void> {
    await execute(tx, REJECT, [session.id, session.organisationId, newUuid(), stepId, rejection]);
  }
}
