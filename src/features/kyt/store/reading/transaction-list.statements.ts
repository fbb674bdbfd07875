import {
  column,
  nullable,
  properties,
  statementForms,
  value,
  type Rows,
} from '../../../../platform/database/index.js';
import { CURRENT_DECISION } from '../decision.repository.js';
import type { TransactionStatus } from '../../domain/status.js';
import { KytEvaluationEntity, KytTransactionEntity, KytWorkEntity } from '../entities.js';

/** The columns that a list shows of a transaction; for a query that reads `SUMMARY_OF`. */
export const SUMMARY = `t.id, t.client_app_id AS "clientAppId", t.transaction_id AS "transactionId", t.type, t.channel,
  t.amount::text AS amount, t.currency, t.direction, t.occurred_at AS "occurredAt", t.received_at AS "receivedAt",
  coalesce(w.status, 'COMPLETED') AS status, w.failure_code AS "failureCode", w.failure_stage AS "failureStage",
  w.attempts, e.evaluation_version AS "evaluationVersion", coalesce(d.outcome, e.outcome) AS outcome,
  CASE d.outcome WHEN 'APPROVED' THEN 'NONE' WHEN 'REJECTED' THEN 'DECLINE' ELSE e.recommended_action END AS "recommendedAction",
  e.risk_score AS "riskScore", e.risk_level AS "riskLevel", e.composition, e.defensible,
  e.evaluated_at AS "evaluatedAt"`;

export const SUMMARY_OF = `LEFT JOIN kyt_work w ON w.transaction_ref = t.id
  LEFT JOIN LATERAL (SELECT organisation_id, transaction_ref, evaluation_version, outcome, recommended_action, risk_score,
                            risk_level, composition, defensible, evaluated_at
                     FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                     ORDER BY e.evaluation_version DESC LIMIT 1) e ON true
  ${CURRENT_DECISION}`;

export const SUMMARY_SHAPE = {
  ...properties(
    KytTransactionEntity,
    'id',
    'clientAppId',
    'transactionId',
    'type',
    'channel',
    'currency',
    'direction',
  ),
  ...properties(KytTransactionEntity, 'occurredAt', 'receivedAt'),
  ...properties(KytWorkEntity, 'failureCode', 'failureStage'),
  ...properties(KytEvaluationEntity, 'riskScore', 'riskLevel'),
  amount: 'text',
  status: value<TransactionStatus>('text'),
  attempts: nullable(column(KytWorkEntity, 'attempts')),
  evaluationVersion: nullable(column(KytEvaluationEntity, 'evaluationVersion')),
  outcome: value<KytEvaluationEntity['outcome'] | null>('text'),
  recommendedAction: nullable(column(KytEvaluationEntity, 'recommendedAction')),
  composition: nullable(column(KytEvaluationEntity, 'composition')),
  defensible: nullable(column(KytEvaluationEntity, 'defensible')),
  evaluatedAt: nullable(column(KytEvaluationEntity, 'evaluatedAt')),
} as const;

// The conditions of all filters. The statements are not prepared by name: PostgreSQL then plans for the values, and an
// unused condition costs nothing.
const MATCHES = `t.organisation_id = $1
  AND ($2::uuid IS NULL OR t.id < $2) AND ($3::uuid IS NULL OR t.id >= $3) AND ($4::uuid IS NULL OR t.id < $4)
  AND ($5::text IS NULL OR coalesce(w.status, 'COMPLETED') = $5)
  AND ($6::text IS NULL OR coalesce(d.outcome, e.outcome) = $6)
  AND ($7::text IS NULL OR t.type = $7) AND ($8::uuid IS NULL OR t.client_app_id = $8)
  AND ($9::text IS NULL OR t.transaction_id = $9) AND ($10::bytea IS NULL OR t.external_key = $10)
  AND ($11::bytea[] IS NULL OR t.customer_key = ANY ($11)) AND ($12::int IS NULL OR e.risk_score >= $12)
  AND ($13::boolean IS NULL OR e.defensible = $13)`;

// The range of ids of `MATCHES`, for tables `o` that refer to transactions.
const SPAN = `($2::uuid IS NULL OR o.transaction_ref < $2) AND ($3::uuid IS NULL OR o.transaction_ref >= $3)
  AND ($4::uuid IS NULL OR o.transaction_ref < $4)`;

const NEWEST = 'ORDER BY t.id DESC LIMIT $14';

/** Returns a query for transactions in the order of a narrow table that refers to them by id. */
const selectInOrderOf = (table: string, condition: string): string =>
  `SELECT ${SUMMARY} FROM ${table} o JOIN kyt_transactions t ON t.id = o.transaction_ref ${SUMMARY_OF}
   WHERE o.organisation_id = $1 AND ${condition} AND ${SPAN} AND ${MATCHES} ORDER BY o.transaction_ref DESC LIMIT $14`;

// Selects transactions in the order of spans: the index is ordered by span (65 s), but not within a span.
const inSpans = `SELECT ${SUMMARY} FROM kyt_transactions t ${SUMMARY_OF}
   WHERE ${MATCHES} AND ($15::int IS NULL OR t.received_span >= $15) AND ($16::int IS NULL OR t.received_span <= $16)
   ORDER BY t.received_span DESC, t.id DESC LIMIT $14`;

const selectFrom = (from: string): string =>
  `SELECT ${SUMMARY} FROM ${from} ${SUMMARY_OF} WHERE ${MATCHES} ${NEWEST}`;

/**
 * One statement for each access path; `accessPathOf` chooses the path that reads the fewest rows. Each statement has
 * all conditions, so that all of them return the same rows.
 */
const textsByPath = {
  RECEIVED: selectFrom('kyt_transactions t'),
  WORK: selectInOrderOf('kyt_work', 'o.status = $5'),
  OUTCOME: selectInOrderOf('kyt_standings', 'o.outcome = $6'),
  UNDEFENDED: selectInOrderOf('kyt_standings', 'NOT o.defensible'),
  // Reads the newest transactions of each score from the minimum to 100.
  SCORE: `SELECT l.* FROM generate_series($12::int, 100) AS band
    CROSS JOIN LATERAL (${selectInOrderOf('kyt_standings', 'o.risk_score = band')}) l ORDER BY l.id DESC LIMIT $14`,
  TRANSACTION_ID: selectFrom(
    'client_apps a JOIN kyt_transactions t ON a.organisation_id = $1 AND t.client_app_id = a.id AND t.transaction_id = $9',
  ),
  EXTERNAL_ID: selectFrom('kyt_transactions t'),
  CUSTOMER: selectFrom('kyt_transactions t'),
  TYPE: inSpans,
  CLIENT_APP: inSpans,
} as const;

export type AccessPath = keyof typeof textsByPath;

const titleOf = (way: AccessPath): string => `kyt.list:${way}`;

const LIST = statementForms('kyt.list', SUMMARY_SHAPE, () =>
  (Object.keys(textsByPath) as AccessPath[]).map((way) => ({
    title: titleOf(way),
    text: textsByPath[way],
    prepareAs: undefined,
  })),
);

export const listBy = (way: AccessPath): ReturnType<typeof LIST> => LIST(titleOf(way));

/** A transaction as operators see it in a list. */
export type ListedTransaction = Rows<ReturnType<typeof LIST>>;

/** The filters that decide about the access path. */
export interface TransactionListQuery {
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly type?: string | undefined;
  readonly clientAppId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly externalKey?: Buffer | undefined;
  readonly customerKeys?: readonly Buffer[] | undefined;
  readonly minScore?: number | undefined;
  readonly defensible?: boolean | undefined;
}

/**
 * Chooses the access path by the filter that the fewest rows match: a person or an id, then unfinished work, then
 * `kyt_standings`. Most transactions are evaluated, approved and defensible; these are read in the order of receipt.
 */
export function accessPathOf(asked: TransactionListQuery): AccessPath {
  if (asked.transactionId !== undefined) return 'TRANSACTION_ID';
  if (asked.externalKey !== undefined) return 'EXTERNAL_ID';
  if (asked.customerKeys !== undefined) return 'CUSTOMER';
  if (asked.status !== undefined && asked.status !== 'COMPLETED') return 'WORK';
  if (asked.outcome !== undefined && asked.outcome !== 'APPROVED') return 'OUTCOME';
  if (asked.minScore !== undefined && asked.minScore > 0) return 'SCORE';
  if (asked.defensible === false) return 'UNDEFENDED';
  if (asked.type !== undefined) return 'TYPE';
  if (asked.clientAppId !== undefined) return 'CLIENT_APP';
  return 'RECEIVED';
}

/** True if the statement reads by span; it takes the bounds of the spans as two more values. */
export const isOrderedBySpan = (way: AccessPath): boolean => way === 'TYPE' || way === 'CLIENT_APP';

/** Returns the span of 65 seconds in which an id was created, as in `received_span`. */
export const timeSpanOfId = (id: string): number => Number.parseInt(id.slice(0, 8), 16) | 0;
