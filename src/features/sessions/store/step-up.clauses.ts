import type { ComposedEntry } from '../../audit/index.js';
import { isIn, sqlArray, type Clause } from '../../../platform/database/index.js';
import type { ComposedEvent } from '../../webhooks/index.js';
import type { NewSession, OpenLink } from '../domain/records.js';
import type { StepUpRequest } from '../domain/step-up.js';
import type { StepUpRequestLink } from './step-up.repository.js';
import { pick } from '../../../platform/kernel/index.js';

const { plain, text, bytes, uuids, instants } = sqlArray;

/** The session for one request: a new one, stored with the evaluation, or an existing one with a valid link. */
export interface PreparedStepUp {
  readonly request: StepUpRequest;
  readonly id: string;
  /** A reference to the session for logs and events. It gives no access to the session. */
  readonly sessionRef: string;
  readonly link: OpenLink;
  readonly made: {
    readonly row: NewSession;
    readonly entry: ComposedEntry;
    readonly event: ComposedEvent;
  } | null;
}

/** Returns clauses that store new sessions and their transactions, if `onlyFor` returned the transaction as `id`. */
export function stepUpClauses(prepared: readonly PreparedStepUp[], onlyFor: string): Clause[] {
  const mine = new Set(prepared.flatMap(({ id, made }) => (made ? [id] : [])));
  const askers = prepared.map(({ id, request }) => ({
    sessionId: id,
    ...pick(request, 'organisationId', 'transactionRef', 'evaluationVersion'),
    isNew: mine.has(id),
  }));
  return [
    insertClause(
      prepared.flatMap(({ made }) => made?.row ?? []),
      askers,
      onlyFor,
    ),
    standingClause(askers),
    askersClause(askers, onlyFor),
  ];
}

/** Inserts a session if clause `onlyFor` returned any of its transactions as `id`. */
function insertClause(sessions: readonly NewSession[], askers: readonly NewAsker[], onlyFor: string): Clause {
  return {
    name: 'stepped_up',
    text: `INSERT INTO kyc_sessions
               (id, organisation_id, client_app_id, customer_id, subject_index, flow_id, link_hash, link_sealed, trigger,
                transaction_ref, evaluation_version, attempt, created_by, request_id, correlation_id, traceparent,
                expires_at, trail_hash, notice_version)
             SELECT s.id, s.organisation_id, s.client_app_id, s.customer_id, s.subject_index, s.flow_id, s.link_hash,
                    s.link_sealed, 'STEP_UP', s.transaction_ref, s.evaluation_version, 1, s.created_by, s.request_id,
                    s.correlation_id, s.traceparent, s.expires_at, s.trail_hash, s.notice_version
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bytea[], $6::uuid[], $7::bytea[],
                         $8::bytea[], $9::uuid[], $10::int[], $11::text[], $12::text[], $13::text[], $14::text[],
                         $15::timestamptz[], $16::bytea[], $19::int[])
               AS s (id, organisation_id, client_app_id, customer_id, subject_index, flow_id, link_hash, link_sealed,
                     transaction_ref, evaluation_version, created_by, request_id, correlation_id, traceparent,
                     expires_at, trail_hash, notice_version)
             WHERE s.id IN (SELECT a.session_id FROM unnest($17::uuid[], $18::uuid[]) AS a (session_id, transaction_ref)
                            JOIN ${onlyFor} g ON g.id = a.transaction_ref)
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
      uuids(askers.map(({ sessionId }) => sessionId)),
      uuids(askers.map(({ transactionRef }) => transactionRef)),
      plain(sessions.map(({ noticeVersion }) => noticeVersion)),
    ],
  };
}

interface NewAsker extends Omit<StepUpRequestLink, 'announcedAt'> {
  readonly evaluationVersion: number;
  readonly isNew: boolean;
}

/** Locks the existing sessions, so that none ends before this commit without being noticed. */
const standingClause = (askers: readonly NewAsker[]): Clause => ({
  name: 'standing',
  text: `SELECT id, status FROM kyc_sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE`,
  values: [uuids([...new Set(askers.flatMap(({ isNew, sessionId }) => (isNew ? [] : [sessionId])))])],
});

/**
 * Records the transactions of sessions that exist or that `stepped_up` has inserted. If a session has ended meanwhile,
 * the reconciler has the transaction re-evaluated at once.
 */
function askersClause(askers: readonly NewAsker[], onlyFor: string): Clause {
  return {
    name: 'asked',
    text: `INSERT INTO kyc_session_transactions
               (session_id, organisation_id, transaction_ref, evaluation_version, announced_at)
             SELECT s.session_id, s.organisation_id, s.transaction_ref, s.evaluation_version,
                    CASE WHEN k.status IN ('COMPLETED', 'EXPIRED') THEN clock_timestamp() - interval '1 hour' END
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::boolean[])
               AS s (session_id, organisation_id, transaction_ref, evaluation_version, is_new)
             JOIN ${onlyFor} g ON g.id = s.transaction_ref
             LEFT JOIN standing k ON k.id = s.session_id
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

/** A clause that marks a transaction as re-evaluated, and returns its id only if that was still due. */
export const reEvaluatedClause = (
  name: string,
  { sessionId, organisationId, transactionRef, announcedAt }: StepUpRequestLink,
  onlyFor: string,
): Clause => ({
  name,
  text: `UPDATE kyc_session_transactions SET re_evaluated_at = clock_timestamp()
           WHERE session_id = $1 AND organisation_id = $2 AND transaction_ref = $3 AND re_evaluated_at IS NULL
             AND announced_at = $4::text::timestamptz AND ${isIn('transaction_ref', onlyFor)}
           RETURNING transaction_ref AS id`,
  values: [sessionId, organisationId, transactionRef, announcedAt],
});
