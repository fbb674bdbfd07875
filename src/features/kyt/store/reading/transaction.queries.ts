import { Injectable } from '@nestjs/common';
import {
  column,
  columns,
  nullable,
  prepared,
  sqlArray,
  system,
  UnitOfWork,
  type Rows,
} from '../../../../platform/database/index.js';
import { CURRENT_DECISION } from '../decision.repository.js';
import type { TransactionRecord } from '../../domain/reading/read-back.js';
import { receiptText } from '../../domain/stored/stored-packing.js';
import { KytDecisionEntity, KytEvaluationEntity, KytTransactionEntity, KytWorkEntity } from '../entities.js';

const RECORD = `SELECT t.id, t.transaction_id, t.request_id, t.correlation_id, t.warnings, t.received_at, t.occurred_at,
              w.status, w.failure_code, w.failure_stage, w.attempts,
              e.evaluation_version, e.receipt, e.receipt_hash, e.evaluated_at,
              d.outcome AS decided_outcome, d.review_id AS decided_review, d.decided_at,
              d.single_control
       FROM kyt_transactions t
       LEFT JOIN kyt_work w ON w.transaction_ref = t.id
       LEFT JOIN LATERAL (SELECT * FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                          ORDER BY e.evaluation_version DESC LIMIT 1) e ON true
       ${CURRENT_DECISION}`;

const RECORD_SHAPE = {
  ...columns(
    KytTransactionEntity,
    ...([
      'id',
      'transactionId',
      'requestId',
      'correlationId',
      'warnings',
      'receivedAt',
      'occurredAt',
    ] as const),
  ),
  status: nullable(column(KytWorkEntity, 'status')),
  failure_code: column(KytWorkEntity, 'failureCode'),
  failure_stage: column(KytWorkEntity, 'failureStage'),
  attempts: nullable(column(KytWorkEntity, 'attempts')),
  evaluation_version: nullable(column(KytEvaluationEntity, 'evaluationVersion')),
  receipt: nullable(column(KytEvaluationEntity, 'receipt')),
  receipt_hash: nullable(column(KytEvaluationEntity, 'receiptHash')),
  evaluated_at: nullable(column(KytEvaluationEntity, 'evaluatedAt')),
  decided_outcome: nullable(column(KytDecisionEntity, 'outcome')),
  decided_review: nullable(column(KytDecisionEntity, 'reviewId')),
  decided_at: nullable(column(KytDecisionEntity, 'decidedAt')),
  single_control: nullable(column(KytDecisionEntity, 'singleControl')),
} as const;

const FIND_TRANSACTION_OF_CLIENT = prepared(
  'kyt.find-own',
  `${RECORD} WHERE t.client_app_id = $1 AND t.transaction_id = $2 AND t.organisation_id = $3`,
  RECORD_SHAPE,
);

const FIND_ALL = prepared('kyt.find-all', `${RECORD} WHERE t.id = ANY ($1::uuid[])`, RECORD_SHAPE);

const FIND_EVALUATED = prepared(
  'kyt.evaluated',
  'SELECT transaction_ref AS id FROM kyt_evaluations WHERE transaction_ref = ANY($1::uuid[]) AND evaluation_version = 1',
  { id: column(KytEvaluationEntity, 'transactionRef') },
);

@Injectable()
export class TransactionQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the application's transaction with its newest evaluation; null if there is none. */
  async findOwn(
    owner: { readonly id: string; readonly organisationId: string },
    transactionId: string,
  ): Promise<TransactionRecord | null> {
    // A path can hold U+0000 (`%00`); no stored text does, and PostgreSQL refuses to compare with it.
    if (transactionId.includes('\0')) return null;
    const [row] = await this.uow.rows(owner.organisationId, FIND_TRANSACTION_OF_CLIENT, [
      owner.id,
      transactionId,
      owner.organisationId,
    ]);
    return row ? toRecord(row) : null;
  }

  /** Returns transactions of these organisations with their newest evaluations, by stored id. */
  async findAll(
    organisationIds: readonly string[],
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, TransactionRecord>> {
    const rows = await this.uow.rows([...organisationIds], FIND_ALL, [sqlArray.uuids(refs)]);
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  async findEvaluated(refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return [];
    const rows = await this.uow.rows(system('kyt.waits'), FIND_EVALUATED, [sqlArray.uuids(refs)]);
    return rows.map(({ id }) => id);
  }
}

function toRecord(row: Rows<typeof FIND_TRANSACTION_OF_CLIENT>): TransactionRecord {
  const { receipt, receipt_hash: receiptHash, evaluated_at: evaluatedAt, evaluation_version: version } = row;
  const dead = row.status === 'DEAD_LETTERED';
  return {
    id: row.id,
    transactionId: row.transaction_id,
    status: row.status ?? 'COMPLETED',
    requestId: row.request_id,
    correlationId: row.correlation_id,
    warnings: row.warnings ?? [],
    receivedAt: row.received_at,
    occurredAt: row.occurred_at,
    failure: dead
      ? {
          code: row.failure_code ?? 'UNKNOWN',
          stage: row.failure_stage ?? 'UNKNOWN',
          attempts: row.attempts ?? 0,
        }
      : null,
    evaluation:
      receipt !== null && receiptHash && evaluatedAt && version !== null
        ? { version, receipt: receiptText(receipt), receiptHash, evaluatedAt }
        : null,
    decision:
      row.decided_outcome !== null && row.decided_review !== null && row.decided_at
        ? {
            outcome: row.decided_outcome,
            reviewId: row.decided_review,
            decidedAt: row.decided_at,
            singleControl: row.single_control ?? false,
          }
        : null,
  };
}
