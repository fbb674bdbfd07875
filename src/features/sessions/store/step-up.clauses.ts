import type { ComposedEntry } from '../../audit/index.js';
import { isIn, sqlArray, unnested, type Clause } from '../../../platform/database/index.js';
import type { ComposedEvent } from '../../webhooks/index.js';
import type { NewSession, OpenLink } from '../domain/records.js';
import type { StepUpRequest } from '../domain/step-up.js';
import type { StepUpRequestLink } from './step-up.repository.js';
import { pick } from '../../../platform/kernel/index.js';

const { uuids } = sqlArray;

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
  const newSessionIds = new Set(prepared.flatMap(({ id, made }) => (made ? [id] : [])));
  const links = prepared.map(({ id, request }) => ({
    sessionId: id,
    ...pick(request, 'organisationId', 'transactionRef', 'evaluationVersion'),
    isNew: newSessionIds.has(id),
  }));
  return [
    insertClause(
      prepared.flatMap(({ made }) => made?.row ?? []),
      links,
      onlyFor,
    ),
    standingClause(links),
    requestLinksClause(links, onlyFor),
  ];
}

const SESSIONS = unnested<NewSession>(
  { uuid: ['id', 'organisationId', 'clientAppId', 'customerId'], bytea: ['subjectIndex'] },
  { uuid: ['flowId'], bytea: ['linkHash', 'linkSealed'] },
  { uuid: ['transactionRef'], int: ['evaluationVersion'] },
  { text: ['createdBy', 'requestId', 'correlationId', 'traceparent'] },
  { timestamptz: ['expiresAt'], bytea: ['trailHash'], int: ['noticeVersion'] },
);

/** Inserts a session if clause `onlyFor` returned any of its transactions as `id`. */
const insertClause = (
  sessions: readonly NewSession[],
  links: readonly NewRequestLink[],
  onlyFor: string,
): Clause => ({
  name: 'stepped_up',
  text: `INSERT INTO kyc_sessions (trigger, attempt, ${SESSIONS.columns})
             SELECT 'STEP_UP', 1, s.* FROM ${SESSIONS.from(3)}
             WHERE s.id IN (SELECT a.session_id FROM unnest($1::uuid[], $2::uuid[]) AS a (session_id, transaction_ref)
                            JOIN ${onlyFor} g ON g.id = a.transaction_ref)
             RETURNING id`,
  values: [
    uuids(links.map(({ sessionId }) => sessionId)),
    uuids(links.map(({ transactionRef }) => transactionRef)),
    ...SESSIONS.arrays(sessions),
  ],
});

interface NewRequestLink extends Omit<StepUpRequestLink, 'announcedAt'> {
  readonly evaluationVersion: number;
  readonly isNew: boolean;
}

/** Locks the existing sessions, so that none ends before this commit without being noticed. */
const standingClause = (links: readonly NewRequestLink[]): Clause => ({
  name: 'standing',
  text: `SELECT id, status FROM kyc_sessions WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE`,
  values: [uuids([...new Set(links.flatMap(({ isNew, sessionId }) => (isNew ? [] : [sessionId])))])],
});

const REQUEST_LINKS = unnested<NewRequestLink>({
  uuid: ['sessionId', 'organisationId', 'transactionRef'],
  int: ['evaluationVersion'],
  boolean: ['isNew'],
});

/**
 * Records the transactions of sessions that exist or that `stepped_up` has inserted. If a session has ended meanwhile,
 * the reconciler has the transaction re-evaluated immediately.
 */
function requestLinksClause(links: readonly NewRequestLink[], onlyFor: string): Clause {
  return {
    name: 'asked',
    text: `INSERT INTO kyc_session_transactions
               (session_id, organisation_id, transaction_ref, evaluation_version, announced_at)
             SELECT s.session_id, s.organisation_id, s.transaction_ref, s.evaluation_version,
                    CASE WHEN k.status IN ('COMPLETED', 'EXPIRED') THEN clock_timestamp() - interval '1 hour' END
             FROM ${REQUEST_LINKS.from()}
             JOIN ${onlyFor} g ON g.id = s.transaction_ref
             LEFT JOIN standing k ON k.id = s.session_id
             WHERE NOT s.is_new OR s.session_id IN (SELECT id FROM stepped_up)
             ON CONFLICT DO NOTHING RETURNING session_id`,
    values: REQUEST_LINKS.arrays(links),
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
