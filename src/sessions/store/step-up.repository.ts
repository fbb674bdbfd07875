import { Injectable } from '@nestjs/common';
import { execute, sqlArray, system, UnitOfWork, type Clause, type Tx } from '../../database/index.js';
import type { NewSession } from '../domain/records.js';

/** A step-up session whose link still stands. */
export interface OpenStepUp {
  readonly id: string;
  readonly organisationId: string;
  readonly customerId: string;
  readonly flowKey: string;
  readonly linkSealed: Buffer;
}

/** A transaction that asked for a session. */
export interface Asker {
  readonly sessionId: string;
  readonly organisationId: string;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
}

const { plain, text, bytes, uuids, instants } = sqlArray;

const OPEN = {
  name: 'step-ups-open',
  text: `SELECT DISTINCT ON (s.customer_id, f.key) s.id, s.organisation_id AS "organisationId",
                s.customer_id AS "customerId", f.key AS "flowKey", s.link_sealed AS "linkSealed"
         FROM kyc_sessions s JOIN flows f ON f.id = s.flow_id
         WHERE s.organisation_id = ANY($1::uuid[]) AND s.customer_id = ANY($2::uuid[]) AND s.status = 'PENDING'
           AND s.trigger = 'STEP_UP' AND s.expires_at > clock_timestamp() + interval '2 minutes'
         ORDER BY s.customer_id, f.key, s.expires_at DESC`,
};

const LAST_APPROVED = {
  name: 'sessions-last-approved',
  text: `SELECT c.id AS "customerId", s.ended_at AS "endedAt"
         FROM unnest($1::uuid[], $2::uuid[]) AS c (organisation_id, id)
         CROSS JOIN LATERAL (
           SELECT ended_at FROM kyc_sessions k
           WHERE k.organisation_id = c.organisation_id AND k.customer_id = c.id
             AND (k.outcome = 'APPROVED' OR k.outcome = 'REVIEW' AND 'APPROVED' =
                   (SELECT d.outcome FROM kyc_session_decisions d
                    WHERE d.organisation_id = k.organisation_id AND d.session_id = k.id
                    ORDER BY d.event_sequence DESC LIMIT 1))
           ORDER BY k.ended_at DESC LIMIT 1) AS s`,
};

@Injectable()
export class StepUpRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Step-up sessions of these customers that can still be answered; one for each customer and flow. */
  async open(organisations: readonly string[], customers: readonly string[]): Promise<OpenStepUp[]> {
    return this.uow.read(organisations, (db) =>
      execute(db, OPEN, [uuids([...new Set(organisations)]), uuids([...new Set(customers)])]),
    );
  }

  /** When the newest approved session of each customer ended, in milliseconds since the epoch. */
  async lastApproved(
    organisations: readonly string[],
    customers: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.uow.read(organisations, (db) =>
      execute<{ customerId: string; endedAt: Date }>(db, LAST_APPROVED, [
        uuids(organisations),
        uuids(customers),
      ]),
    );
    return new Map(rows.map(({ customerId, endedAt }) => [customerId, endedAt.getTime()]));
  }

  /** Inserts the sessions whose asking transaction an earlier clause returned as `id`. */
  insertClause(sessions: readonly NewSession[], onlyFor: string): Clause {
    return {
      name: 'stepped_up',
      text: `INSERT INTO kyc_sessions
               (id, organisation_id, client_app_id, customer_id, subject_index, flow_id, link_hash, link_sealed, trigger,
                transaction_ref, evaluation_version, attempt, created_by, request_id, correlation_id, traceparent,
                expires_at, trail_hash)
             SELECT s.id, s.organisation_id, s.client_app_id, s.customer_id, s.subject_index, s.flow_id, s.link_hash,
                    s.link_sealed, 'STEP_UP', s.transaction_ref, s.evaluation_version, 1, s.created_by, s.request_id,
                    s.correlation_id, s.traceparent, s.expires_at, s.trail_hash
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bytea[], $6::uuid[], $7::bytea[],
                         $8::bytea[], $9::uuid[], $10::int[], $11::text[], $12::text[], $13::text[], $14::text[],
                         $15::timestamptz[], $16::bytea[])
               AS s (id, organisation_id, client_app_id, customer_id, subject_index, flow_id, link_hash, link_sealed,
                     transaction_ref, evaluation_version, created_by, request_id, correlation_id, traceparent,
                     expires_at, trail_hash)
             JOIN ${onlyFor} g ON g.id = s.transaction_ref
             RETURNING id`,
      values: [
        uuids(sessions.map(({ id }) => id)),
        uuids(sessions.map(({ organisationId }) => organisationId)),
        uuids(sessions.map(({ clientAppId }) => clientAppId)),
        uuids(sessions.map(({ customerId }) => customerId)),
        bytes(sessions.map(({ subjectIndex }) => subjectIndex)),
        uuids(sessions.map(({ flowId }) => flowId)),
        bytes(sessions.map(({ linkHash }) => linkHash)),
        bytes(sessions.map(({ linkSealed }) => linkSealed)),
        uuids(sessions.map(({ transactionRef }) => transactionRef)),
        plain(sessions.map(({ evaluationVersion }) => evaluationVersion)),
        text(sessions.map(({ createdBy }) => createdBy)),
        text(sessions.map(({ requestId }) => requestId)),
        text(sessions.map(({ correlationId }) => correlationId)),
        text(sessions.map(({ traceparent }) => traceparent)),
        instants(sessions.map(({ expiresAt }) => expiresAt)),
        bytes(sessions.map(({ trailHash }) => trailHash)),
      ],
    };
  }

  /** Remembers who asked, for sessions that were there or that `stepped_up` has made. */
  askersClause(askers: readonly (Asker & { readonly isNew: boolean })[], onlyFor: string): Clause {
    return {
      name: 'asked',
      text: `INSERT INTO kyc_session_transactions (session_id, organisation_id, transaction_ref, evaluation_version)
             SELECT s.session_id, s.organisation_id, s.transaction_ref, s.evaluation_version
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::boolean[])
               AS s (session_id, organisation_id, transaction_ref, evaluation_version, is_new)
             JOIN ${onlyFor} g ON g.id = s.transaction_ref
             WHERE NOT s.is_new OR s.session_id IN (SELECT id FROM stepped_up)
             ON CONFLICT DO NOTHING RETURNING session_id`,
      values: [
        uuids(askers.map(({ sessionId }) => sessionId)),
        uuids(askers.map(({ organisationId }) => organisationId)),
        uuids(askers.map(({ transactionRef }) => transactionRef)),
        plain(askers.map(({ evaluationVersion }) => evaluationVersion)),
        plain(askers.map(({ isNew }) => isNew)),
      ],
    };
  }

  /** Marks those who asked for a session whose outcome is another one now; how many there are. */
  async announceAgain(tx: Tx, organisationId: string, sessionId: string): Promise<number> {
    const [, count]: [unknown[], number] = await tx.query(
      `UPDATE kyc_session_transactions SET announced_at = clock_timestamp(), re_evaluated_at = NULL
       WHERE organisation_id = $1 AND session_id = $2`,
      [organisationId, sessionId],
    );
    return count;
  }

  /** Marks those who wait for a session that is over now; how many there are. */
  async announce(tx: Tx, organisationId: string, sessionId: string): Promise<number> {
    const [, count]: [unknown[], number] = await tx.query(
      `UPDATE kyc_session_transactions SET announced_at = clock_timestamp()
       WHERE organisation_id = $1 AND session_id = $2 AND re_evaluated_at IS NULL`,
      [organisationId, sessionId],
    );
    return count;
  }

  /** Who waits for these sessions, which are over. */
  async waiting(sessionIds: readonly string[]): Promise<Asker[]> {
    return this.uow.read(system('sessions.step-ups'), (db) =>
      db.query(
        `SELECT session_id AS "sessionId", organisation_id AS "organisationId", transaction_ref AS "transactionRef",
                evaluation_version AS "evaluationVersion"
         FROM kyc_session_transactions
         WHERE session_id = ANY($1::uuid[]) AND announced_at IS NOT NULL AND re_evaluated_at IS NULL
         ORDER BY session_id, transaction_ref`,
        [sessionIds],
      ),
    );
  }

  async done(tx: Tx, { organisationId, sessionId, transactionRef }: Asker): Promise<void> {
    await tx.query(
      `UPDATE kyc_session_transactions SET re_evaluated_at = clock_timestamp()
       WHERE organisation_id = $1 AND session_id = $2 AND transaction_ref = $3`,
      [organisationId, sessionId, transactionRef],
    );
  }

  /** Sessions that are over and whose transactions nobody evaluates again. */
  async unannounced(tx: Tx, quietSeconds: number): Promise<string[]> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE kyc_session_transactions SET announced_at = clock_timestamp()
       WHERE announced_at < clock_timestamp() - make_interval(secs => $1) AND re_evaluated_at IS NULL
       RETURNING session_id AS id`,
      [quietSeconds],
    );
    return [...new Set(rows.map(({ id }) => id))];
  }
}
