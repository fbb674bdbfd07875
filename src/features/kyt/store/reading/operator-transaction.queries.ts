import { Injectable } from '@nestjs/common';
import {
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
} from '../../../../platform/database/index.js';
import { firstUuidAt } from '../../../../platform/kernel/index.js';
import { EVALUATION_TEXT, type StoredEvaluationText } from '../archive.queries.js';
import { KytEvaluationEntity } from '../entities/kyt-evaluation.entity.js';
import { KytTransactionEntity } from '../entities/kyt-transaction.entity.js';
import {
  isOrderedBySpan,
  listBy,
  spanOf,
  SUMMARY,
  SUMMARY_OF,
  SUMMARY_SHAPE,
  accessPathOf,
  type TransactionListQuery,
  type ListedTransaction,
} from './transaction-list.statements.js';

export type { ListedTransaction };

export type TransactionDetail = Rows<typeof FIND>;

export type StoredEvaluation = StoredEvaluationText & Pick<KytEvaluationEntity, 'outcome' | 'riskScore'>;

export interface TransactionFilter extends TransactionListQuery {
  readonly receivedFrom?: Date | undefined;
  readonly receivedTo?: Date | undefined;
}

const FIND = statement(
  'kyt.find',
  `SELECT ${SUMMARY}, t.direction_source AS "directionSource", t.source, t.warnings, t.request_id AS "requestId",
              t.correlation_id AS "correlationId", t.sealed_body AS "sealedBody"
       FROM kyt_transactions t ${SUMMARY_OF} WHERE t.organisation_id = $1 AND t.id = $2`,
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

  /** Lists transactions by receipt, the newest first; at most `limit`. */
  list(
    organisationId: string,
    filter: TransactionFilter,
    before: string | null,
    limit: number,
  ): Promise<ListedTransaction[]> {
    const { status, outcome, type, clientAppId, transactionId, externalKey, customerKeys } = filter;
    // Ids begin with the time of receipt, so that a range of times is a range of ids.
    const from = filter.receivedFrom ? firstUuidAt(filter.receivedFrom) : null;
    const to = filter.receivedTo ? firstUuidAt(filter.receivedTo) : null;
    const way = accessPathOf(filter);
    const newest = before ?? to;
    const spans = [from && spanOf(from), newest && spanOf(newest)];
    return this.uow.rows(organisationId, listBy(way), [
      organisationId,
      before,
      from,
      to,
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
      ...(isOrderedBySpan(way) ? spans : []),
    ]);
  }

  async find(organisationId: string, id: string): Promise<TransactionDetail | null> {
    const [row] = await this.uow.rows(organisationId, FIND, [organisationId, id]);
    return row ?? null;
  }

  /** Returns every evaluation of a transaction, the newest first. */
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
