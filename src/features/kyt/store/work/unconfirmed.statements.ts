import { column, statement } from '../../../../platform/database/index.js';
import { CURRENT_DECISION } from '../decision.repository.js';
import { KytEvaluationEntity } from '../entities.js';

// Longer than the reconciler ever needs; later somebody re-evaluates a transaction by hand.
const LOOKED_BACK = "interval '7 days'";

/**
 * Transactions that do not pass yet, of open cases or because the customer is asked for a session, that no person decided
 * about, and that were not evaluated since a fact about their customer is confirmed.
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
 * The confirmations of the last days, `$1` seconds later. The reconciler asks this of one table all the time, and the next
 * statement only when there are any: it must not hold up a migration.
 */
export const FIND_CONFIRMATIONS = statement(
  'kyt.confirmations',
  `SELECT a.id::text AS id FROM approvals a
   WHERE a.act = 'fact.confirm' AND a.status = 'APPLIED'
     AND a.applied_at < now() - make_interval(secs => $1) AND a.applied_at > now() - ${LOOKED_BACK}`,
  { id: 'text' },
);

/** The confirmations among these that have such transactions. */
export const FIND_UNFINISHED = statement(
  'kyt.unconfirmed-left',
  `SELECT DISTINCT a.id::text AS id ${WAITING} AND a.id = ANY ($1::uuid[])`,
  { id: 'text' },
);
