import {
  column,
  columns,
  execute,
  nullable,
  sqlArray,
  statement,
  type Reader,
  type Rows,
} from '../../../platform/database/index.js';
import { countEvents } from '../../webhooks/index.js';
import { KytDecisionEntity, KytEvaluationEntity, KytTransactionEntity, KytWorkEntity } from './entities.js';

/**
 * SQL condition: true if the key of an encrypted value exists or was erased on request. The value begins `at` bytes into
 * the column, with a version and the id of its key.
 */
export const sealedKeyExists = (column: string, at: number): string =>
  `CASE WHEN length(${column}) < ${at + 17} THEN false ELSE EXISTS (SELECT FROM subject_keys k
  WHERE k.id = encode(substring(${column} FROM ${at + 2} FOR 16), 'hex')::uuid
    AND (k.wrapped_key IS NOT NULL OR k.erase_requested_at IS NOT NULL)) END`;

// A body begins with its layout, the number of the first section and its length (6 bytes).
const BODY_KEY = sealedKeyExists('t.sealed_body', 6);

const TRANSACTIONS = statement(
  'kyt.trail-transactions',
  `SELECT t.id, t.trail_hash, w.status, t.transaction_id, t.source, encode(t.fingerprint, 'hex') AS fingerprint,
     t.type, t.amount::text AS amount, t.currency,
     to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS occurred_at,
     t.organisation_id, t.client_app_id, t.channel, t.cash, t.direction, t.direction_source, t.received_at,
     t.document_key, t.customer_key, t.external_key, t.account_key, t.device_key, t.ip_key, t.counterparty_key,
     t.card_key, t.origin_country, t.destination_country,
     sha256(t.sealed_body) AS body_digest, ${BODY_KEY} AS has_key, t.warnings, t.request_id, t.correlation_id, t.traceparent
   FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
   WHERE t.id = ANY($1::uuid[]) AND t.organisation_id = $2`,
  {
    ...columns(KytTransactionEntity, 'id', 'trailHash', 'transactionId', 'source', 'type', 'currency'),
    ...columns(KytTransactionEntity, 'organisationId', 'clientAppId', 'channel', 'cash', 'direction'),
    ...columns(KytTransactionEntity, 'directionSource', 'receivedAt', 'documentKey', 'customerKey'),
    ...columns(KytTransactionEntity, 'externalKey', 'accountKey', 'deviceKey', 'ipKey', 'counterpartyKey'),
    ...columns(KytTransactionEntity, 'cardKey', 'originCountry', 'destinationCountry'),
    ...columns(KytTransactionEntity, 'warnings', 'requestId', 'correlationId', 'traceparent'),
    body_digest: 'bytea',
    has_key: 'boolean',
    status: nullable(column(KytWorkEntity, 'status')),
    fingerprint: 'text',
    amount: 'text',
    occurred_at: 'text',
  },
);

const EVALUATIONS = statement(
  'kyt.trail-evaluations',
  `SELECT transaction_ref, trail_hash, evaluation_version, outcome, risk_score, composition, defensible,
     organisation_id, recommended_action, risk_level, ruleset_id, evaluated_at, sha256(facts) AS facts_digest, brief,
     receipt, receipt_hash
   FROM kyt_evaluations
   WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2 ORDER BY transaction_ref, evaluation_version`,
  {
    ...columns(
      KytEvaluationEntity,
      'transactionRef',
      'trailHash',
      'evaluationVersion',
      'outcome',
      'riskScore',
    ),
    ...columns(KytEvaluationEntity, 'composition', 'defensible', 'organisationId', 'recommendedAction'),
    ...columns(KytEvaluationEntity, 'riskLevel', 'rulesetId', 'evaluatedAt', 'brief'),
    ...columns(KytEvaluationEntity, 'receipt', 'receiptHash'),
    facts_digest: 'bytea | null',
  },
);

const DECISIONS = statement(
  'kyt.trail-decisions',
  `SELECT transaction_ref, trail_hash, evaluation_version, outcome FROM kyt_decisions
   WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2 ORDER BY transaction_ref, event_sequence`,
  columns(KytDecisionEntity, 'transactionRef', 'trailHash', 'evaluationVersion', 'outcome'),
);

// Derives again the rows that triggers of the database derive from evaluations and decisions: somebody may have changed
// these rows.
const STRAY_STANDINGS = statement(
  'kyt.trail-standings',
  `WITH newest AS (
     SELECT DISTINCT ON (transaction_ref) transaction_ref, evaluation_version, outcome, risk_score, defensible
     FROM kyt_evaluations WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2
     ORDER BY transaction_ref, evaluation_version DESC
   ), decided AS (
     SELECT DISTINCT ON (transaction_ref, evaluation_version) transaction_ref, evaluation_version, outcome
     FROM kyt_decisions WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2
     ORDER BY transaction_ref, evaluation_version, event_sequence DESC
   )
   SELECT n.transaction_ref FROM newest n LEFT JOIN decided d USING (transaction_ref, evaluation_version)
     LEFT JOIN kyt_standings s ON s.transaction_ref = n.transaction_ref AND s.organisation_id = $2
   WHERE CASE WHEN n.outcome = 'APPROVED' AND n.defensible AND coalesce(n.risk_score, 0) = 0
       AND n.evaluation_version = 1 AND d.outcome IS NULL
     THEN s.transaction_ref IS NOT NULL
     ELSE (s.evaluation_version, s.outcome, s.risk_score, s.defensible) IS DISTINCT FROM
       (n.evaluation_version, coalesce(d.outcome, n.outcome), n.risk_score, n.defensible) END`,
  columns(KytEvaluationEntity, 'transactionRef'),
);

/** The state of a stored transaction; `status` is null once it is evaluated. */
export type TransactionState = Omit<Rows<typeof TRANSACTIONS>, 'id'>;
export type EvaluationState = Omit<Rows<typeof EVALUATIONS>, 'transaction_ref'>;

/** The state of a person's decision. */
export type DecisionState = Omit<Rows<typeof DECISIONS>, 'transaction_ref'>;

/** The rows of transactions whose trails are verified. */
export interface TrailStates {
  readonly transactions: Rows<typeof TRANSACTIONS>[];
  readonly evaluations: Rows<typeof EVALUATIONS>[];
  readonly decisions: Rows<typeof DECISIONS>[];
  /** The number of events about each transaction. */
  readonly events: ReadonlyMap<string, number>;
  /** Transactions whose row for lists differs from their evaluations and decisions. */
  readonly stray: ReadonlySet<string>;
}

/** Returns evaluations and decisions in the order in which they were made. */
export async function readTrailStates(
  db: Reader,
  organisationId: string,
  ids: readonly string[],
): Promise<TrailStates> {
  const values = [sqlArray.plain(ids), organisationId];
  return {
    transactions: await execute(db, TRANSACTIONS, values),
    evaluations: await execute(db, EVALUATIONS, values),
    decisions: await execute(db, DECISIONS, values),
    events: await countEvents(db, organisationId, ids),
    stray: new Set(
      (await execute(db, STRAY_STANDINGS, values)).map(({ transaction_ref }) => transaction_ref),
    ),
  };
}
