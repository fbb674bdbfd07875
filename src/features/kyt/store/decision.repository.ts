import { Injectable } from '@nestjs/common';
import {
  column,
  nullable,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type Rows,
} from '../../../platform/database/index.js';
import { TransactionsOfCases, type ReviewedTransaction } from '../../reviews/index.js';
import { KytEvaluationEntity, KytTransactionEntity } from './entities.js';

/** A transaction that a decision is about, with the evaluation that was the newest at the time of the decision. */
export type DecidableTransaction = Rows<typeof FIND_UNDECIDED>;

/** Joins the newest decision of a person about the newest evaluation, which the query calls `e`. */
export const CURRENT_DECISION = `LEFT JOIN LATERAL (
    SELECT d.outcome, d.review_id, d.decided_at, d.single_control FROM kyt_decisions d
    WHERE d.organisation_id = e.organisation_id AND d.transaction_ref = e.transaction_ref
      AND d.evaluation_version = e.evaluation_version
    ORDER BY d.event_sequence DESC LIMIT 1) d ON true`;

const FIND_UNDECIDED = statement(
  'kyt.undecided',
  `SELECT t.id, t.transaction_id AS "transactionId", t.client_app_id AS "clientAppId",
                t.correlation_id AS "correlationId", t.traceparent, e.evaluation_version AS version, e.receipt,
                e.receipt_hash AS "receiptHash",
                (SELECT coalesce(max(v.sequence), 0) FROM events v WHERE v.resource_id = t.id) AS "newestSequence"
         FROM kyt_transactions t
         JOIN LATERAL (SELECT * FROM kyt_evaluations x WHERE x.transaction_ref = t.id
                       ORDER BY (x.evaluated_at <= $4) DESC, x.evaluation_version DESC LIMIT 1) e ON true
         WHERE t.organisation_id = $1 AND t.id = ANY ($3::uuid[])
           AND NOT EXISTS (SELECT FROM kyt_decisions d WHERE d.review_id = $2 AND d.transaction_ref = t.id)
         ORDER BY t.id`,
  {
    ...properties(KytTransactionEntity, 'id', 'transactionId', 'clientAppId', 'correlationId', 'traceparent'),
    ...properties(KytEvaluationEntity, 'receipt', 'receiptHash'),
    version: column(KytEvaluationEntity, 'evaluationVersion'),
    newestSequence: 'integer',
  },
);

const FIND_DECIDED = statement(
  'kyt.is-decided',
  `SELECT e.transaction_ref AS id
   FROM (SELECT * FROM kyt_evaluations WHERE organisation_id = $1 AND transaction_ref = $2
         ORDER BY evaluation_version DESC LIMIT 1) e
   ${CURRENT_DECISION} WHERE d.outcome IS NOT NULL`,
  { id: column(KytEvaluationEntity, 'transactionRef') },
);

const FIND_REVIEWED = statement(
  'kyt.reviewed',
  `SELECT t.id AS ref, t.transaction_id AS "transactionId", t.client_app_id AS "clientAppId", t.type,
                t.amount::text AS amount, t.currency, t.occurred_at AS "occurredAt",
                e.evaluation_version AS "evaluationVersion", coalesce(d.outcome, e.outcome) AS outcome,
                e.risk_score AS "riskScore", e.defensible,
                ARRAY(SELECT jsonb_array_elements_text(e.brief::jsonb -> 1)) AS rules
         FROM kyt_transactions t
         LEFT JOIN LATERAL (SELECT * FROM kyt_evaluations x WHERE x.transaction_ref = t.id
                            ORDER BY x.evaluation_version DESC LIMIT 1) e ON true
         ${CURRENT_DECISION}
         WHERE t.organisation_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`,
  {
    ...properties(KytTransactionEntity, 'transactionId', 'clientAppId', 'type', 'currency', 'occurredAt'),
    ref: column(KytTransactionEntity, 'id'),
    amount: 'text',
    evaluationVersion: nullable(column(KytEvaluationEntity, 'evaluationVersion')),
    outcome: value<KytEvaluationEntity['outcome'] | null>('text'),
    riskScore: column(KytEvaluationEntity, 'riskScore'),
    defensible: nullable(column(KytEvaluationEntity, 'defensible')),
    rules: 'text[]',
  },
);

/** Decisions of persons about transactions; they never change. */
@Injectable()
export class DecisionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the given transactions that the case has not decided yet. */
  async findUndecided(
    organisationId: string,
    reviewId: string,
    refs: readonly string[],
    decidedAt: Date,
  ): Promise<DecidableTransaction[]> {
    return this.uow.rows(organisationId, FIND_UNDECIDED, [
      organisationId,
      reviewId,
      sqlArray.plain(refs),
      decidedAt,
    ]);
  }

  /** True if a person has decided about the newest evaluation. */
  async isDecided(organisationId: string, transactionRef: string): Promise<boolean> {
    const rows = await this.uow.rows(organisationId, FIND_DECIDED, [organisationId, transactionRef]);
    return rows.length > 0;
  }

  /** Returns transactions in the form in which cases show them. */
  @TransactionsOfCases()
  async findCaseTransactions(
    organisationId: string,
    refs: readonly string[],
  ): Promise<ReviewedTransaction[]> {
    return this.uow.rows(organisationId, FIND_REVIEWED, [organisationId, sqlArray.plain(refs)]);
  }
}
