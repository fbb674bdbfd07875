import {
  column,
  columns,
  execute,
  nullable,
  sqlArray,
  statement,
  type Reader,
  type Rows,
} from '../../database/index.js';
import { KytDecisionEntity } from './entities/kyt-decision.entity.js';
import { KytEvaluationEntity } from './entities/kyt-evaluation.entity.js';
import { KytTransactionEntity } from './entities/kyt-transaction.entity.js';
import { KytWorkEntity } from './entities/kyt-work.entity.js';

const TRANSACTIONS = statement(
  'kyt.trail-transactions',
  `SELECT t.id, t.trail_hash, w.status, t.transaction_id, t.source, encode(t.fingerprint, 'hex') AS fingerprint,
     t.type, t.amount::text AS amount, t.currency,
     to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS occurred_at
   FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
   WHERE t.id = ANY($1::uuid[]) AND t.organisation_id = $2`,
  {
    ...columns(KytTransactionEntity, 'id', 'trailHash', 'transactionId', 'source', 'type', 'currency'),
    status: nullable(column(KytWorkEntity, 'status')),
    fingerprint: 'text',
    amount: 'text',
    occurred_at: 'text',
  },
);

// A receipt whose text no longer gives its hash has none that an entry could confirm.
const EVALUATIONS = statement(
  'kyt.trail-evaluations',
  `SELECT transaction_ref, trail_hash, evaluation_version, outcome, risk_score, composition, defensible,
     CASE WHEN receipt_hash = sha256(convert_to(receipt, 'UTF8')) THEN encode(receipt_hash, 'hex') END AS receipt_hash
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
    ...columns(KytEvaluationEntity, 'composition', 'defensible'),
    receipt_hash: 'text | null',
  },
);

const DECISIONS = statement(
  'kyt.trail-decisions',
  `SELECT transaction_ref, trail_hash, evaluation_version, outcome FROM kyt_decisions
   WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2 ORDER BY transaction_ref, event_sequence`,
  columns(KytDecisionEntity, 'transactionRef', 'trailHash', 'evaluationVersion', 'outcome'),
);

/** The state of a stored transaction; no status once it is evaluated. */
export type TransactionState = Omit<Rows<typeof TRANSACTIONS>, 'id'>;
export type EvaluationState = Omit<Rows<typeof EVALUATIONS>, 'transaction_ref'>;

/** The decision of a person. */
export type DecisionState = Omit<Rows<typeof DECISIONS>, 'transaction_ref'>;

/** The rows of transactions whose trail is judged. */
export interface TrailStates {
  readonly transactions: Rows<typeof TRANSACTIONS>[];
  readonly evaluations: Rows<typeof EVALUATIONS>[];
  readonly decisions: Rows<typeof DECISIONS>[];
}

/** Evaluations and decisions come in the order in which they were made. */
export async function trailStates(
  db: Reader,
  organisationId: string,
  ids: readonly string[],
): Promise<TrailStates> {
  const values = [sqlArray.plain(ids), organisationId];
  return {
    transactions: await execute(db, TRANSACTIONS, values),
    evaluations: await execute(db, EVALUATIONS, values),
    decisions: await execute(db, DECISIONS, values),
  };
}
