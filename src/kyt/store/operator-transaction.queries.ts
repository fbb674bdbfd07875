import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  nullable,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type Rows,
} from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { EVALUATION_TEXT, type StoredEvaluationText } from './archive.queries.js';
import { CURRENT_DECISION } from './decision.repository.js';
import type { TransactionStatus } from '../domain/status.js';
import { KytEvaluationEntity } from './entities/kyt-evaluation.entity.js';
import { KytTransactionEntity } from './entities/kyt-transaction.entity.js';
import { KytWorkEntity } from './entities/kyt-work.entity.js';

/** A transaction as operators see it in a list. */
export type ListedTransaction = Rows<typeof LIST>;

export type TransactionDetail = Rows<typeof FIND>;

export type StoredEvaluation = StoredEvaluationText & Pick<KytEvaluationEntity, 'outcome' | 'riskScore'>;

export interface TransactionFilter {
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly type?: string | undefined;
  readonly clientAppId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly externalKey?: Buffer | undefined;
  /** The keys of one customer. */
  readonly customerKeys?: readonly Buffer[] | undefined;
  readonly minScore?: number | undefined;
  readonly defensible?: boolean | undefined;
  readonly receivedFrom?: Date | undefined;
  readonly receivedTo?: Date | undefined;
}

const SUMMARY = `t.id, t.client_app_id AS "clientAppId", t.transaction_id AS "transactionId", t.type, t.channel,
  t.amount::text AS amount, t.currency, t.direction, t.occurred_at AS "occurredAt", t.received_at AS "receivedAt",
  coalesce(w.status, 'COMPLETED') AS status, w.failure_code AS "failureCode", w.failure_stage AS "failureStage",
  w.attempts, e.evaluation_version AS "evaluationVersion", coalesce(d.outcome, e.outcome) AS outcome,
  CASE d.outcome WHEN 'APPROVED' THEN 'NONE' WHEN 'REJECTED' THEN 'DECLINE' ELSE e.recommended_action END AS "recommendedAction",
  e.risk_score AS "riskScore", e.risk_level AS "riskLevel", e.composition, e.defensible,
  e.evaluated_at AS "evaluatedAt"`;

const FROM = `FROM kyt_transactions t
  LEFT JOIN kyt_work w ON w.transaction_ref = t.id
  LEFT JOIN LATERAL (SELECT organisation_id, transaction_ref, evaluation_version, outcome, recommended_action, risk_score, risk_level, composition,
                            defensible, evaluated_at
                     FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                     ORDER BY e.evaluation_version DESC LIMIT 1) e ON true
  ${CURRENT_DECISION}`;

const SUMMARY_SHAPE = {
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

// Without a name, so that it is planned for its values: a condition that is not asked for costs nothing.
const LIST = statement(
  'kyt.list',
  `SELECT ${SUMMARY} ${FROM}
   WHERE t.organisation_id = $1
     AND ($2::uuid IS NULL OR t.id < $2) AND ($3::uuid IS NULL OR t.id >= $3) AND ($4::uuid IS NULL OR t.id < $4)
     AND ($5::text IS NULL OR coalesce(w.status, 'COMPLETED') = $5)
     AND ($6::text IS NULL OR coalesce(d.outcome, e.outcome) = $6)
     AND ($7::text IS NULL OR t.type = $7) AND ($8::uuid IS NULL OR t.client_app_id = $8)
     AND ($9::text IS NULL OR t.transaction_id = $9) AND ($10::bytea IS NULL OR t.external_key = $10)
     AND ($11::bytea[] IS NULL OR t.customer_key = ANY ($11)) AND ($12::int IS NULL OR e.risk_score >= $12)
     AND ($13::boolean IS NULL OR e.defensible = $13)
   ORDER BY t.id DESC LIMIT $14`,
  SUMMARY_SHAPE,
);

const FIND = statement(
  'kyt.find',
  `SELECT ${SUMMARY}, t.direction_source AS "directionSource", t.source, t.warnings, t.request_id AS "requestId",
              t.correlation_id AS "correlationId", t.sealed_body AS "sealedBody"
       ${FROM} WHERE t.organisation_id = $1 AND t.id = $2`,
  {
    ...SUMMARY_SHAPE,
    ...properties(
      KytTransactionEntity,
      'directionSource',
      'source',
      'warnings',
      'requestId',
      'correlationId',
      'sealedBody',
    ),
  },
);

/** Reads the transactions of an organisation for operators, whatever application sent them. */
@Injectable()
export class OperatorTransactionQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Transactions by receipt, the newest first; up to one more than asked for, when there are more. */
  list(
    organisationId: string,
    filter: TransactionFilter,
    before: string | null,
    limit: number,
  ): Promise<ListedTransaction[]> {
    const { status, outcome, type, clientAppId, transactionId, externalKey, customerKeys } = filter;
    return this.uow.read(organisationId, (db) =>
      execute(db, LIST, [
        organisationId,
        before,
        // Ids begin with the time of receipt, so that a span of time is a span of the key.
        filter.receivedFrom ? firstUuidAt(filter.receivedFrom) : null,
        filter.receivedTo ? firstUuidAt(filter.receivedTo) : null,
        status ?? null,
        outcome ?? null,
        type ?? null,
        clientAppId ?? null,
        transactionId ?? null,
        externalKey ?? null,
        customerKeys ? sqlArray.bytes(customerKeys) : null,
        filter.minScore ?? null,
        filter.defensible ?? null,
        limit,
      ]),
    );
  }

  async find(organisationId: string, id: string): Promise<TransactionDetail | null> {
    const [row] = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return row ?? null;
  }

  /** Every evaluation of a transaction, the newest first. */
  evaluations(organisationId: string, id: string): Promise<StoredEvaluation[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytEvaluationEntity, {
        select: { ...EVALUATION_TEXT, outcome: true, riskScore: true },
        where: { organisationId, transactionRef: id },
        order: { evaluationVersion: 'DESC' },
      }),
    );
  }
}
