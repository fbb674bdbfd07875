import { Injectable } from '@nestjs/common';
import {
  column,
  columns,
  execute,
  statement,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { SessionRow } from '../domain/records.js';
import { SessionStepEntity, SessionUploadEntity, StepVisitEntity } from './entities.js';

/** The encrypted answers of one step. */
export type SavedStep = Readonly<SessionStepEntity>;

/** An artifact of a step. */
export interface RepeatedFile {
  readonly id: string;
  readonly stepId: string;
  readonly documentType: string | null;
  readonly side: string | null;
}

/** A refused file for a step, and why. */
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
   WHERE (SELECT count(*) FROM kyc_session_uploads WHERE session_id = $1) < 200 RETURNING id`,
  columns(SessionUploadEntity, 'id'),
);

const REPEAT = statement(
  'sessions.repeat-upload',
  `INSERT INTO kyc_session_uploads (id, organisation_id, session_id, step_id, artifact_id, document_type, side)
   SELECT $3, $2, $1, $4, $5, $6, $7
   WHERE NOT EXISTS (SELECT FROM kyc_session_uploads WHERE session_id = $1 AND artifact_id = $5 AND created_at > $8)
   RETURNING id`,
  columns(SessionUploadEntity, 'id'),
);

const FUNNEL_SHAPE = {
  stepId: column(StepVisitEntity, 'stepId'),
  shown: 'integer',
  done: 'integer',
  retries: 'integer',
  medianSeconds: 'float8 | null',
} as const;

export type StepFigures = RowOf<typeof FUNNEL_SHAPE>;

const VISIT = statement(
  'sessions.visit-step',
  `INSERT INTO kyc_step_visits AS v (session_id, organisation_id, step_id, flow_key, flow_version, done_at, tries)
   VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN clock_timestamp() END, $7::int)
   ON CONFLICT (session_id, step_id, organisation_id) DO UPDATE SET
     done_at = CASE WHEN $6 THEN coalesce(v.done_at, clock_timestamp()) ELSE v.done_at END, tries = v.tries + $7::int
   WHERE $6 OR $7::int > 0`,
);

const FUNNEL = statement(
  'sessions.funnel',
  `SELECT step_id AS "stepId", count(*)::int AS shown, count(done_at)::int AS done,
          sum(greatest(tries - 1, 0))::int AS retries,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM done_at - shown_at)::float8) AS "medianSeconds"
   FROM kyc_step_visits
   WHERE organisation_id = $1 AND flow_key = $2 AND flow_version = $3 AND shown_at >= $4
   GROUP BY step_id`,
  FUNNEL_SHAPE,
);

/** Stores the progress of sessions: the answers so far, refused and repeated files, and visited steps. */
@Injectable()
export class ProgressRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async listSavedSteps(organisationId: string, sessionId: string): Promise<SavedStep[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(SessionStepEntity, { where: { organisationId, sessionId }, order: { stepId: 'ASC' } }),
    );
  }

  /** Returns the refused files, in upload order, and the artifacts that were sent again, with the last time. */
  async readUploads(
    organisationId: string,
    sessionId: string,
  ): Promise<{
    readonly rejections: readonly RejectedUpload[];
    readonly repeated: ReadonlyMap<string, Date>;
  }> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(SessionUploadEntity, { where: { organisationId, sessionId }, order: { id: 'ASC' } }),
    );
    return {
      rejections: rows.filter(({ rejection }) => rejection !== null),
      repeated: new Map(
        rows.flatMap(({ artifactId, createdAt }) => (artifactId === null ? [] : [[artifactId, createdAt]])),
      ),
    };
  }

  /** Records that a file was sent again; false if that is already recorded after `since`. */
  async recordRepeat(
    tx: Tx,
    session: SessionRow,
    { id, stepId, documentType, side }: RepeatedFile,
    since: Date,
  ): Promise<boolean> {
    const values = [session.id, session.organisationId, newUuid(), stepId, id, documentType, side, since];
    return (await execute(tx, REPEAT, values)).length > 0;
  }

  /** Stores the answers of a step and replaces earlier answers; false if the session no longer accepts input. */
  async save(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    stepId: string,
    sealed: Buffer,
  ): Promise<boolean> {
    const rows = await execute(tx, SAVE, [session.id, session.organisationId, stepId, sealed]);
    return rows.length > 0;
  }

  /** Records a refused file; false beyond 200 per session, a limit because anybody with the link can send files. */
  async reject(
    tx: Tx,
    session: { readonly id: string; readonly organisationId: string },
    stepId: string,
    rejection: string,
  ): Promise<boolean> {
    const values = [session.id, session.organisationId, newUuid(), stepId, rejection];
    return (await execute(tx, REJECT, values)).length > 0;
  }

  /** Records that a step was shown, got a submission (`tries`), or was done. */
  async recordVisit(session: SessionRow, stepId: string, done: boolean, tries: 0 | 1): Promise<void> {
    const { id, organisationId, flowKey, flowVersion } = session;
    const values = [id, organisationId, stepId, flowKey, flowVersion, done, tries];
    await this.uow.run(organisationId, (tx) => execute(tx, VISIT, values));
  }

  async readFunnel(
    organisationId: string,
    key: string,
    version: number,
    since: Date,
  ): Promise<StepFigures[]> {
    return this.uow.rows(organisationId, FUNNEL, [organisationId, key, version, since]);
  }
}
