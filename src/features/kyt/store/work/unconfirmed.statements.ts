import { column, statement } from '../../../../platform/database/index.js';
import { CURRENT_DECISION } from '../decision.repository.js';
import { KytEvaluationEntity } from '../entities.js';

// Age of the oldest confirmations that the reconciler looks at. It never needs so long; after that, an operator has to
// re-evaluate a transaction.
const LOOKED_BACK = "interval '7 days'";

/**
 * Selects transactions that wait for the confirmation of a fact: in an open case of the customer, or in a pending
 * session. They did not pass, no person has decided about them, and their newest evaluation is older than the
 * confirmation.
 */
const WAITING = `
   FROM approvals a
   CROSS JOIN LATERAL (
     SELECT l.transaction_ref FROM reviews r
     JOIN review_transactions l ON l.review_id = r.id AND l.organisation_id = r.organisation_id
       AND l.origin <> 'RELATED'
     WHERE r.organisation_id = a.organisation_id AND r.customer_id = a.subject_id::uuid
       AND r.status NOT IN ('CLOSED', 'MERGED')
     UNION
     SELECT t.transaction_ref FROM kyc_sessions s
     JOIN kyc_session_transactions t ON t.session_id = s.id AND t.organisation_id = s.organisation_id
     WHERE s.organisation_id = a.organisation_id AND s.customer_id = a.subject_id::uuid AND s.status = 'PENDING') l
   CROSS JOIN LATERAL (
     SELECT e.organisation_id, e.transaction_ref, e.evaluation_version, e.outcome, e.evaluated_at
     FROM kyt_evaluations e WHERE e.transaction_ref = l.transaction_ref
     ORDER BY e.evaluation_version DESC LIMIT 1) e
   ${CURRENT_DECISION}
   WHERE a.act = 'fact.confirm' AND a.status = 'APPLIED' AND d.outcome IS NULL AND e.outcome <> 'APPROVED'
     AND e.evaluated_at < a.applied_at`;

export const FIND_UNCONFIRMED = statement(
  'kyt.unconfirmed',
  `SELECT DISTINCT e.organisation_id AS "organisationId", e.transaction_ref AS "transactionRef"
   ${WAITING} AND a.id = ANY ($1::uuid[])
   ORDER BY e.transaction_ref`,
  {
    organisationId: column(KytEvaluationEntity, 'organisationId'),
    transactionRef: column(KytEvaluationEntity, 'transactionRef'),
  },
);

/**
 * Finds the confirmations of the last days that are older than `$1` seconds. The reconciler runs this statement often,
 * so it reads one table; `FIND_UNFINISHED` runs only when there are confirmations, so that it does not hold up
 * migrations.
 */
export const FIND_CONFIRMATIONS = statement(
  'kyt.confirmations',
  `SELECT a.id::text AS id FROM approvals a
   WHERE a.act = 'fact.confirm' AND a.status = 'APPLIED'
     AND a.applied_at < now() - make_interval(secs => $1) AND a.applied_at > now() - ${LOOKED_BACK}`,
  { id: 'text' },
);

/** Finds the confirmations, among the given ones, for which transactions still wait. */
export const FIND_UNFINISHED = statement(
  'kyt.unconfirmed-left',
  `SELECT DISTINCT a.id::text AS id ${WAITING} AND a.id = ANY ($1::uuid[])`,
  { id: 'text' },
);
