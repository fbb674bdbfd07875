import { Injectable } from '@nestjs/common';
import {
  UnitOfWork,
  column,
  execute,
  nullable,
  prepared,
  notNullColumn,
  properties,
  selectColumns,
  sqlArray,
  statement,
  system,
  value,
  type RowOf,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { EndedSession } from '../domain/session-history.js';
import { FlowEntity, SessionDecisionEntity, SessionTransactionEntity, SessionEntity } from './entities.js';

const { uuids } = sqlArray;

const OPEN = prepared(
  'step-ups-open',
  `SELECT DISTINCT ON (s.customer_id, f.key) s.id, s.organisation_id AS "organisationId",
                s.customer_id AS "customerId", f.key AS "flowKey", s.link_sealed AS "linkSealed",
                s.expires_at AS "expiresAt"
         FROM kyc_sessions s JOIN flows f ON f.id = s.flow_id
         WHERE s.organisation_id = ANY($1::uuid[]) AND s.customer_id = ANY($2::uuid[]) AND s.status = 'PENDING'
           AND s.trigger = 'STEP_UP' AND s.expires_at > clock_timestamp() + interval '2 minutes'
         ORDER BY s.customer_id, f.key, s.expires_at DESC`,
  {
    ...properties(SessionEntity, 'id', 'organisationId', 'customerId', 'linkSealed', 'expiresAt'),
    flowKey: column(FlowEntity, 'key'),
  },
);

/** A step-up session whose link is valid for at least two more minutes. */
export type OpenStepUp = Rows<typeof OPEN>;

const SELECT_DECIDED_OUTCOME = `SELECT d.outcome FROM kyc_session_decisions d
             WHERE d.organisation_id = k.organisation_id AND d.session_id = k.id
             ORDER BY d.event_sequence DESC LIMIT 1`;
const OF_CUSTOMER = 'k.organisation_id = c.organisation_id AND k.customer_id = c.id';

// The newest ones are enough: an older approval is not recent for any rule.
const MOST_SESSIONS = 50;

const ENDED_SESSIONS = prepared(
  'sessions-ended',
  `SELECT c.id AS "customerId", c.organisation_id AS "organisationId", s.*
         FROM unnest($1::uuid[], $2::uuid[]) AS c (organisation_id, id)
         CROSS JOIN LATERAL (
           SELECT k.flow_id AS "flowId", k.ended_at AS "endedAt", coalesce(d.outcome, k.outcome) AS outcome,
             k.outcome = 'APPROVED' OR d.outcome IS NOT DISTINCT FROM 'APPROVED' AS approved,
             k.created_by LIKE 'operator:%' AND d.outcome IS NULL AS "byOperator"
           FROM kyc_sessions k
           LEFT JOIN LATERAL (${SELECT_DECIDED_OUTCOME}) d ON true
           WHERE ${OF_CUSTOMER} AND k.outcome IS NOT NULL AND k.ended_at IS NOT NULL
           ORDER BY k.ended_at DESC LIMIT ${MOST_SESSIONS}) AS s`,
  {
    customerId: 'uuid',
    ...properties(SessionEntity, 'organisationId', 'flowId'),
    endedAt: notNullColumn(column(SessionEntity, 'endedAt')),
    outcome: value<'APPROVED' | 'REVIEW' | 'REJECTED'>('text'),
    approved: 'boolean',
    byOperator: 'boolean',
  },
);

const LIST_FLOWS = statement(
  'sessions.flow-versions',
  `SELECT id, key, definition FROM flows WHERE organisation_id = $1 ORDER BY key, version`,
  properties(FlowEntity, 'id', 'key', 'definition'),
);

/** A version of a flow. */
export type FlowRow = Rows<typeof LIST_FLOWS>;

const FIND_REQUESTED_SESSIONS = prepared(
  'sessions-asked',
  `SELECT DISTINCT ON (t.transaction_ref, f.key) t.transaction_ref AS "transactionRef", f.key AS "flowKey", s.id,
          s.organisation_id AS "organisationId", s.status, s.status_reason AS "statusReason", s.outcome,
          d.outcome AS "decidedOutcome", s.link_sealed AS "linkSealed", s.expires_at AS "expiresAt",
          s.status = 'PENDING' AND s.expires_at > clock_timestamp() AS stands
   FROM kyc_session_transactions t
   JOIN kyc_sessions s ON s.id = t.session_id AND s.organisation_id = t.organisation_id
   JOIN flows f ON f.id = s.flow_id
   LEFT JOIN LATERAL (SELECT k.outcome FROM kyc_session_decisions k
                      WHERE k.organisation_id = s.organisation_id AND k.session_id = s.id
                      ORDER BY k.event_sequence DESC LIMIT 1) d ON true
   WHERE t.organisation_id = ANY($1::uuid[]) AND t.transaction_ref = ANY($2::uuid[])
   ORDER BY t.transaction_ref, f.key, t.asked_at DESC`,
  {
    ...properties(SessionEntity, 'id', 'organisationId', 'status', 'statusReason', 'outcome'),
    ...properties(SessionEntity, 'linkSealed', 'expiresAt'),
    transactionRef: column(SessionTransactionEntity, 'transactionRef'),
    flowKey: column(FlowEntity, 'key'),
    decidedOutcome: nullable(column(SessionDecisionEntity, 'outcome')),
    stands: 'boolean',
  },
);

export type RequestedSession = Rows<typeof FIND_REQUESTED_SESSIONS>;

const ASKED_BY = selectColumns(
  SessionTransactionEntity,
  't',
  'sessionId',
  'organisationId',
  'transactionRef',
);
// The time is a text: the row is found by it, and a JavaScript date loses the microseconds.
const ASKER = { ...ASKED_BY.shape, announcedAt: 'text' } as const;

/** A transaction that has to be re-evaluated since the end of its session was announced. */
export type StepUpRequestLink = RowOf<typeof ASKER>;

const FIND_WAITING_TRANSACTIONS = statement(
  'sessions.waiting-askers',
  `SELECT ${ASKED_BY.sql}, t.announced_at::text AS "announcedAt" FROM kyc_session_transactions t
     WHERE session_id = ANY($1::uuid[]) AND announced_at IS NOT NULL AND re_evaluated_at IS NULL
     ORDER BY session_id, transaction_ref`,
  ASKER,
);

const FIND_OWED_TRANSACTION = statement(
  'sessions.owed-asker',
  `SELECT session_id AS id FROM kyc_session_transactions
   WHERE session_id = $1 AND organisation_id = $2 AND transaction_ref = $3 AND announced_at = $4::text::timestamptz
     AND re_evaluated_at IS NULL`,
  { id: column(SessionTransactionEntity, 'sessionId') },
);

const CLAIM_UNANNOUNCED = statement(
  'sessions.unannounced-askers',
  `UPDATE kyc_session_transactions SET announced_at = clock_timestamp()
   WHERE announced_at < clock_timestamp() - make_interval(secs => $1) AND re_evaluated_at IS NULL
   RETURNING session_id AS id`,
  { id: column(SessionTransactionEntity, 'sessionId') },
);

@Injectable()
export class StepUpRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the open step-up sessions of these customers, one for each customer and flow. */
  async listOpenStepUps(
    organisations: readonly string[],
    customers: readonly string[],
  ): Promise<OpenStepUp[]> {
    return this.uow.rows(organisations, OPEN, [
      uuids([...new Set(organisations)]),
      uuids([...new Set(customers)]),
    ]);
  }

  /** Returns the newest sessions with a result of each customer, newest first; customers without one are left out. */
  async findEndedSessions(
    organisations: readonly string[],
    customers: readonly string[],
  ): Promise<
    ReadonlyMap<string, { readonly organisationId: string; readonly sessions: readonly EndedSession[] }>
  > {
    const rows = await this.uow.rows(organisations, ENDED_SESSIONS, [uuids(organisations), uuids(customers)]);
    const sessionsByCustomer = new Map<string, { organisationId: string; sessions: EndedSession[] }>();
    for (const { customerId, organisationId, ...session } of rows) {
      const endedSessions = sessionsByCustomer.get(customerId) ?? { organisationId, sessions: [] };
      endedSessions.sessions.push(session);
      sessionsByCustomer.set(customerId, endedSessions);
    }
    return sessionsByCustomer;
  }

  /** Returns all versions of the flows of an organisation, the newest of a key last. */
  async listFlows(organisationId: string): Promise<FlowRow[]> {
    return this.uow.rows(organisationId, LIST_FLOWS, [organisationId]);
  }

  /** Returns the transactions that have to be re-evaluated after the end of these sessions. */
  async findPending(sessionIds: readonly string[]): Promise<StepUpRequestLink[]> {
    return this.uow.rows(system('sessions.step-ups'), FIND_WAITING_TRANSACTIONS, [sessionIds]);
  }

  /** True if the transaction has not been re-evaluated since the end of its session was announced. */
  async needsReEvaluation({
    sessionId,
    organisationId,
    transactionRef,
    announcedAt,
  }: StepUpRequestLink): Promise<boolean> {
    const rows = await this.uow.rows(organisationId, FIND_OWED_TRANSACTION, [
      sessionId,
      organisationId,
      transactionRef,
      announcedAt,
    ]);
    return rows.length > 0;
  }

  /** Returns, for each of these transactions and each flow, the session requested last. */
  async findRequestedSessions(
    organisations: readonly string[],
    transactionRefs: readonly string[],
  ): Promise<RequestedSession[]> {
    return this.uow.rows(organisations, FIND_REQUESTED_SESSIONS, [
      uuids([...new Set(organisations)]),
      uuids(transactionRefs),
    ]);
  }

  /**
   * Claims ended sessions with transactions that are still not re-evaluated `quietSeconds` after the last announcement:
   * sets `announced_at` to now and returns the session ids.
   */
  async claimUnannounced(tx: Tx, quietSeconds: number): Promise<string[]> {
    const rows = await execute(tx, CLAIM_UNANNOUNCED, [quietSeconds]);
    return [...new Set(rows.map(({ id }) => id))];
  }
}
