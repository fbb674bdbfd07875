import { Injectable } from '@nestjs/common';
import { system, UnitOfWork, type Tx } from '../../database/index.js';
import type { NewSession, SessionFilter, SessionResult, SessionRow } from '../domain/records.js';

const STATUS = `CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE s.status END`;
const SELECT = `SELECT s.id, s.organisation_id AS "organisationId", s.client_app_id AS "clientAppId",
    s.customer_id AS "customerId", s.subject_index AS "subjectIndex", s.link_sealed AS "linkSealed",
    ${STATUS} AS status,
    CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'TIMEOUT' ELSE s.status_reason END
      AS "statusReason",
    s.trigger, s.transaction_ref AS "transactionRef", s.evaluation_version AS "evaluationVersion",
    s.previous_session_id AS "previousSessionId", s.attempt, s.created_by AS "createdBy",
    s.correlation_id AS "correlationId", s.traceparent, s.created_at AS "createdAt", s.expires_at AS "expiresAt",
    s.submitted_at AS "submittedAt", s.submission_hash AS "submissionHash", s.answers_sealed AS "answersSealed",
    s.ended_at AS "endedAt", coalesce(d.outcome, s.outcome) AS outcome, d.outcome AS "decidedOutcome",
    d.decided_at AS "decidedAt", s.risk_score AS "riskScore", s.composition, s.defensible,
    s.non_defensible_reasons AS "nonDefensibleReasons", s.evidence, s.trail_hash AS "trailHash",
    f.key AS "flowKey", f.version AS "flowVersion", f.definition AS flow
  FROM kyc_sessions s JOIN flows f ON f.id = s.flow_id
  LEFT JOIN LATERAL (SELECT k.outcome, k.decided_at FROM kyc_session_decisions k
                     WHERE k.organisation_id = s.organisation_id AND k.session_id = s.id
                     ORDER BY k.event_sequence DESC LIMIT 1) d ON true`;

@Injectable()
export class SessionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The session behind a link, whoever it belongs to. */
  async byLink(hash: Buffer): Promise<SessionRow | null> {
    const rows: SessionRow[] = await this.uow.read(system('sessions.by-link'), (db) =>
      db.query(`${SELECT} WHERE s.link_hash = $1`, [hash]),
    );
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<SessionRow | null> {
    const rows: SessionRow[] = await this.uow.read(organisationId, (db) =>
      db.query(`${SELECT} WHERE s.organisation_id = $1 AND s.id = $2`, [organisationId, id]),
    );
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
      db.query(
        `${SELECT} WHERE s.organisation_id = $1 AND ($2::uuid IS NULL OR s.id < $2)
           AND ($3::text IS NULL OR ${STATUS} = $3) AND ($4::uuid IS NULL OR s.customer_id = $4)
           AND ($5::text IS NULL OR f.key = $5)
         ORDER BY s.id DESC LIMIT $6`,
        [organisationId, before, status ?? null, customerId ?? null, flowKey ?? null, limit],
      ),
    );
  }

  async insert(tx: Tx, session: NewSession): Promise<void> {
    await tx.query(
      `INSERT INTO kyc_sessions
         (id, organisation_id, client_app_id, customer_id, subject_index, flow_id, link_hash, link_sealed, trigger,
          transaction_ref, evaluation_version, previous_session_id, attempt, created_by, request_id, correlation_id,
          traceparent, expires_at, trail_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
      [
        session.id,
        session.organisationId,
        session.clientAppId,
        session.customerId,
        session.subjectIndex,
        session.flowId,
        session.linkHash,
        session.linkSealed,
        session.trigger,
        session.transactionRef,
        session.evaluationVersion,
        session.previousSessionId,
        session.attempt,
        session.createdBy,
        session.requestId,
        session.correlationId,
        session.traceparent,
        session.expiresAt,
        session.trailHash,
      ],
    );
  }

  /** PENDING to PROCESSING, unless its time is over; null when somebody or the clock was quicker. */
  async submit(
    tx: Tx,
    session: Pick<SessionRow, 'id' | 'organisationId'>,
    submission: { readonly hash: Buffer; readonly answersSealed: Buffer; readonly subjectIndex: Buffer },
  ): Promise<Date | null> {
    const [rows]: [{ submittedAt: Date }[], number] = await tx.query(
      `UPDATE kyc_sessions SET status = 'PROCESSING', submitted_at = clock_timestamp(), submission_hash = $3,
         answers_sealed = $4, subject_index = $5
       WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' AND expires_at > clock_timestamp()
       RETURNING submitted_at AS "submittedAt"`,
      [
        session.id,
        session.organisationId,
        submission.hash,
        submission.answersSealed,
        submission.subjectIndex,
      ],
    );
    const [row] = rows;
    if (!row) return null;
    await this.forgetSteps(tx, [session.id]);
    await tx.query(`INSERT INTO kyc_session_work (session_id, organisation_id) VALUES ($1, $2)`, [
      session.id,
      session.organisationId,
    ]);
    return row.submittedAt;
  }

  /** Whether the session takes anything now; holds it so until the transaction ends. */
  async holdOpen(
    tx: Tx,
    { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>,
  ): Promise<'OPEN' | 'SUBMITTED' | 'OVER'> {
    const rows: { status: string; over: boolean }[] = await tx.query(
      `SELECT status, expires_at <= clock_timestamp() AS over FROM kyc_sessions
       WHERE id = $1 AND organisation_id = $2 FOR SHARE`,
      [id, organisationId],
    );
    const [row] = rows;
    if (row?.status === 'PROCESSING' || row?.status === 'COMPLETED') return 'SUBMITTED';
    return row?.status === 'PENDING' && !row.over ? 'OPEN' : 'OVER';
  }

  /** PENDING to EXPIRED because somebody said so; null when it is not PENDING any more. */
  async cancel(tx: Tx, organisationId: string, id: string): Promise<Date | null> {
    const [rows]: [{ endedAt: Date }[], number] = await tx.query(
      `UPDATE kyc_sessions SET status = 'EXPIRED', status_reason = 'CANCELLED', ended_at = clock_timestamp()
       WHERE id = $1 AND organisation_id = $2 AND status = 'PENDING' RETURNING ended_at AS "endedAt"`,
      [id, organisationId],
    );
    const [row] = rows;
    if (row) await this.forgetSteps(tx, [id]);
    return row?.endedAt ?? null;
  }

  /** Sessions whose time is over and that nobody has ended, the oldest first. */
  async overdue(limit: number): Promise<SessionRow[]> {
    return this.uow.read(system('sessions.sweep'), (db) =>
      db.query(
        `${SELECT} WHERE s.status = 'PENDING' AND s.expires_at <= clock_timestamp() ORDER BY s.expires_at LIMIT $1`,
        [limit],
      ),
    );
  }

  /** PENDING to EXPIRED for those whose time is over; the ids of those that this call ended. */
  async expire(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE kyc_sessions SET status = 'EXPIRED', status_reason = 'TIMEOUT', ended_at = clock_timestamp()
       WHERE id = ANY($1::uuid[]) AND status = 'PENDING' AND expires_at <= clock_timestamp() RETURNING id`,
      [ids],
    );
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
    const [rows]: [{ endedAt: Date }[], number] = await tx.query(
      `UPDATE kyc_sessions SET status = 'COMPLETED', status_reason = 'CHECKED', ended_at = clock_timestamp(),
         outcome = $3, risk_score = $4, composition = $5, defensible = $6, non_defensible_reasons = $7, evidence = $8,
         customer_id = $9
       WHERE id = $1 AND organisation_id = $2 AND status = 'PROCESSING' RETURNING ended_at AS "endedAt"`,
      [
        session.id,
        session.organisationId,
        result.outcome,
        result.riskScore,
        result.composition,
        result.defensible,
        result.nonDefensibleReasons,
        JSON.stringify(result.evidence),
        customerId,
      ],
    );
    return rows[0]?.endedAt ?? null;
  }

  private async forgetSteps(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(`DELETE FROM kyc_session_steps WHERE session_id = ANY($1::uuid[])`, [ids]);
  }
}
