import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  column,
  execute,
  nullable,
  present,
  properties,
  selectedBut,
  statement,
  system,
  UnitOfWork,
  value,
  type Tx,
} from '../../database/index.js';
import type { SessionOutcome, SessionStatus, StatusReason } from '../domain/session.js';
import { FlowEntity } from './entities/flow.entity.js';
import { SessionDecisionEntity } from './entities/session-decision.entity.js';
import { SessionStepEntity } from './entities/session-step.entity.js';
import { SessionWorkEntity } from './entities/session-work.entity.js';
import { SessionEntity } from './entities/session.entity.js';
import type { NewSession, SessionFilter, SessionResult, SessionRow } from '../domain/records.js';

const STATUS = `CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE s.status END`;
const STORED = selectedBut(
  SessionEntity,
  's',
  'flowId',
  'linkHash',
  'requestId',
  'status',
  'statusReason',
  'outcome',
);
const SESSION_SHAPE = {
  ...STORED.shape,
  status: value<SessionStatus>('text'),
  statusReason: value<StatusReason | null>('text'),
  outcome: value<SessionOutcome | null>('text'),
  decidedOutcome: nullable(column(SessionDecisionEntity, 'outcome')),
  decidedAt: nullable(column(SessionDecisionEntity, 'decidedAt')),
  flowKey: column(FlowEntity, 'key'),
  flowVersion: column(FlowEntity, 'version'),
  flow: column(FlowEntity, 'definition'),
};
// EXPIRED as soon as its time is over, whether the sweep has been there or not. What a person decided goes before the checks.
const SELECT = `SELECT ${STORED.sql}, ${STATUS} AS status,
    CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'TIMEOUT' ELSE s.status_reason END
      AS "statusReason",
    coalesce(d.outcome, s.outcome) AS outcome, d.outcome AS "decidedOutcome", d.decided_at AS "decidedAt",
    f.key AS "flowKey", f.version AS "flowVersion", f.definition AS flow
  FROM kyc_sessions s JOIN flows f ON f.id = s.flow_id
  LEFT JOIN LATERAL (SELECT k.outcome, k.decided_at FROM kyc_session_decisions k
                     WHERE k.organisation_id = s.organisation_id AND k.session_id = s.id
                     ORDER BY k.event_sequence DESC LIMIT 1) d ON true`;
const ENDED = { endedAt: present(column(SessionEntity, 'endedAt')) };

const BY_LINK = statement('sessions.by-link', `${SELECT} WHERE s.link_hash = $1`, SESSION_SHAPE);

const FIND = statement(
  'sessions.find',
  `${SELECT} WHERE s.organisation_id = $1 AND s.id = $2`,
  SESSION_SHAPE,
);

const PAGE = statement(
  'sessions.page',
  `${SELECT} WHERE s.organisation_id = $1 AND ($2::uuid IS NULL OR s.id < $2)
       AND ($3::text IS NULL OR ${STATUS} = $3) AND ($4::uuid IS NULL OR s.customer_id = $4)
       AND ($5::text IS NULL OR f.key = $5)
     ORDER BY s.id DESC LIMIT $6`,
  SESSION_SHAPE,
);

const SUBMIT = statement(
  'sessions.submit',
  `UPDATE kyc_sessions SET status = 'PROCESSING', submitted_at = clock_timestamp(), submission_hash = $3,
     answers_sealed = $4, subject_index = $5
   WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' AND expires_at > clock_timestamp()
   RETURNING submitted_at AS "submittedAt"`,
  { submittedAt: present(column(SessionEntity, 'submittedAt')) },
);

const HOLD_OPEN = statement(
  'sessions.hold-open',
  `SELECT status, expires_at <= clock_timestamp() AS over FROM kyc_sessions
   WHERE id = $1 AND organisation_id = $2 FOR SHARE`,
  { ...properties(SessionEntity, 'status'), over: 'boolean' },
);

const CANCEL = statement(
  'sessions.cancel',
  `UPDATE kyc_sessions SET status = 'EXPIRED', status_reason = 'CANCELLED', ended_at = clock_timestamp()
   WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' RETURNING ended_at AS "endedAt"`,
  ENDED,
);

const OVERDUE = statement(
  'sessions.overdue',
  `${SELECT} WHERE s.status = 'PENDING' AND s.expires_at <= clock_timestamp() ORDER BY s.expires_at LIMIT $1`,
  SESSION_SHAPE,
);

const EXPIRE = statement(
  'sessions.expire',
  `UPDATE kyc_sessions SET status = 'EXPIRED', status_reason = 'TIMEOUT', ended_at = clock_timestamp()
   WHERE id = ANY($1::uuid[]) AND status = 'PENDING' AND expires_at <= clock_timestamp() RETURNING id`,
  properties(SessionEntity, 'id'),
);

const CONCLUDE = statement(
  'sessions.conclude',
  `UPDATE kyc_sessions SET status = 'COMPLETED', status_reason = 'CHECKED', ended_at = clock_timestamp(),
     outcome = $3, risk_score = $4, composition = $5, defensible = $6, non_defensible_reasons = $7, evidence = $8,
     customer_id = $9
   WHERE id = $1 AND organisation_id = $2 AND status = 'PROCESSING' RETURNING ended_at AS "endedAt"`,
  ENDED,
);

@Injectable()
export class SessionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The session behind a link, whoever it belongs to. */
  async byLink(hash: Buffer): Promise<SessionRow | null> {
    const rows = await this.uow.read(system('sessions.by-link'), (db) => execute(db, BY_LINK, [hash]));
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<SessionRow | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return rows[0] ?? null;
  }

  /** Sessions, newest first. */
  async page(
    organisationId: string,
    { status, customerId, flowKey }: SessionFilter,
    before: string | null,
    limit: number,
  ): Promise<SessionRow[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, PAGE, [organisationId, before, status ?? null, customerId ?? null, flowKey ?? null, limit]),
    );
  }

  async insert(tx: Tx, session: NewSession): Promise<void> {
    await tx.insert(SessionEntity, { ...session });
  }

  /** PENDING to PROCESSING, unless its time is over; null when somebody or the clock was quicker. */
  async submit(
    tx: Tx,
    session: Pick<SessionRow, 'id' | 'organisationId'>,
    submission: { readonly hash: Buffer; readonly answersSealed: Buffer; readonly subjectIndex: Buffer },
  ): Promise<Date | null> {
    const rows = await execute(tx, SUBMIT, [
      session.id,
      session.organisationId,
      submission.hash,
      submission.answersSealed,
      submission.subjectIndex,
    ]);
    const [row] = rows;
    if (!row) return null;
    await this.forgetSteps(tx, [session.id]);
    await tx.insert(SessionWorkEntity, { sessionId: session.id, organisationId: session.organisationId });
    return row.submittedAt;
  }

  /** Whether the session takes anything now; locks it so until the transaction ends. */
  async lockOpen(
    tx: Tx,
    { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>,
  ): Promise<'OPEN' | 'SUBMITTED' | 'OVER'> {
    const rows = await execute(tx, HOLD_OPEN, [id, organisationId]);
    const [row] = rows;
    if (row?.status === 'PROCESSING' || row?.status === 'COMPLETED') return 'SUBMITTED';
    return row?.status === 'PENDING' && !row.over ? 'OPEN' : 'OVER';
  }

  /** PENDING to EXPIRED because somebody said so; null when it is not PENDING any more. */
  async cancel(tx: Tx, organisationId: string, id: string): Promise<Date | null> {
    const rows = await execute(tx, CANCEL, [id, organisationId]);
    const [row] = rows;
    if (row) await this.forgetSteps(tx, [id]);
    return row?.endedAt ?? null;
  }

  /** Sessions whose time is over and that nobody has ended, the oldest first. */
  async overdue(limit: number): Promise<SessionRow[]> {
    return this.uow.read(system('sessions.sweep'), (db) => execute(db, OVERDUE, [limit]));
  }

  /** PENDING to EXPIRED for those whose time is over; the ids of those that this call ended. */
  async expire(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    const rows = await execute(tx, EXPIRE, [ids]);
    await this.forgetSteps(
      tx,
      rows.map(({ id }) => id),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** PROCESSING to COMPLETED with the result; false when it is not PROCESSING any more. */
  async conclude(
    tx: Tx,
    session: Pick<SessionRow, 'id' | 'organisationId'>,
    result: SessionResult,
    customerId: string,
  ): Promise<Date | null> {
    const rows = await execute(tx, CONCLUDE, [
      session.id,
      session.organisationId,
      result.outcome,
      result.riskScore,
      result.composition,
      result.defensible,
      result.nonDefensibleReasons,
      JSON.stringify(result.evidence),
      customerId,
    ]);
    return rows[0]?.endedAt ?? null;
  }

  private async forgetSteps(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.delete(SessionStepEntity, { sessionId: In(ids) });
  }
}
