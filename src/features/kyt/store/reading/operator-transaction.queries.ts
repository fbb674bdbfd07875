import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  execute,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
} from '../../../../platform/database/index.js';
import { firstUuidAt } from '../../../../platform/kernel/index.js';
import { EVALUATION_TEXT, type StoredEvaluationText } from '../archive.queries.js';
import { KytEvaluationEntity, KytTransactionEntity } from '../entities.js';
import {
  isOrderedBySpan,
  listBy,
  timeSpanOfId,
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

type StoredBodyRow = Pick<
  KytTransactionEntity,
  'id' | 'source' | 'transactionId' | 'receivedAt' | 'sealedBody'
>;

/** Counts of the last 24 hours, and of the transactions that wait now. */
export interface PipelineActivity {
  readonly hours: readonly Rows<typeof HOURS>[];
  readonly waiting: number;
  /** The time since which the oldest waiting transaction waits; null if none waits. */
  readonly oldestQueuedAt: Date | null;
}

/** Counting stops at this number, for the transactions of one hour and for the waiting transactions. */
export const MAX_COUNTED = 50_000;

/**
 * Returns SQL that counts the transactions of hour `h` whose newest outcome is `outcome`. Plain approvals have no
 * standing row.
 */
function countStandings(outcome: 'CHALLENGED' | 'REVIEW'): string {
  const at = (span: string): string => `(lpad(to_hex(${span}), 8, '0') || '000000000000000000000000')::uuid`;
  return `(SELECT count(*)::int FROM (
        SELECT FROM kyt_standings s WHERE s.organisation_id = $1 AND s.outcome = '${outcome}'
          AND s.transaction_ref >= ${at('h.first')} AND s.transaction_ref < ${at('h.next')}
        LIMIT $4) l)`;
}

/**
 * Counts the transactions of each hour by indexes alone. A transaction belongs to the hour in which its span of 65 seconds
 * began (see `timeSpanOfId`).
 */
const HOURS = statement(
  'kyt.hours',
  `SELECT h.hour,
     (SELECT least(count(*), $4)::int FROM client_apps a CROSS JOIN LATERAL (
        SELECT FROM kyt_transactions t
        WHERE t.client_app_id = a.id AND t.organisation_id = $1 AND t.received_span >= h.first AND t.received_span < h.next
        LIMIT $4) l
      WHERE a.organisation_id = $1) AS received,
     ${countStandings('CHALLENGED')} AS challenged,
     ${countStandings('REVIEW')} AS review
   FROM (
     SELECT hour, ceil(extract(epoch FROM hour) * 1000 / 65536)::int AS first,
       ceil(extract(epoch FROM hour + interval '1 hour') * 1000 / 65536)::int AS next
     FROM generate_series($2::timestamptz, $3::timestamptz, interval '1 hour') AS hour
   ) h ORDER BY h.hour`,
  { hour: 'timestamptz', received: 'integer', challenged: 'integer', review: 'integer' },
);

const COUNT_WAITING = statement(
  'kyt.waiting',
  `SELECT count(*)::int AS waiting, min(w.queued_at) AS "oldestQueuedAt"
   FROM (SELECT queued_at FROM kyt_work WHERE organisation_id = $1 AND status <> 'DEAD_LETTERED'
         ORDER BY transaction_ref LIMIT $2) w`,
  { waiting: 'integer', oldestQueuedAt: 'timestamptz | null' },
);

/** Reads the transactions of all applications of an organisation, for operators. */
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
    const spans = [from && timeSpanOfId(from), newest && timeSpanOfId(newest)];
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

  /** Returns the encrypted bodies of transactions, with what reads them. */
  findBodies(organisationId: string, ids: readonly string[]): Promise<StoredBodyRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytTransactionEntity, {
        select: { id: true, source: true, transactionId: true, receivedAt: true, sealedBody: true },
        where: { organisationId, id: In([...ids]) },
      }),
    );
  }

  async find(organisationId: string, id: string): Promise<TransactionDetail | null> {
    const [row] = await this.uow.rows(organisationId, FIND, [organisationId, id]);
    return row ?? null;
  }

  /** Counts transactions by hour, for the 24 hours up to that of `now`, oldest first; and waiting transactions. */
  countActivity(organisationId: string, now: Date): Promise<PipelineActivity> {
    const hour = new Date(now);
    hour.setUTCMinutes(0, 0, 0);
    const first = new Date(hour.getTime() - 23 * 3_600_000);
    return this.uow.read(organisationId, async (db) => {
      const hours = await execute(db, HOURS, [organisationId, first, hour, MAX_COUNTED]);
      const [work] = await execute(db, COUNT_WAITING, [organisationId, MAX_COUNTED]);
      return { hours, waiting: work?.waiting ?? 0, oldestQueuedAt: work?.oldestQueuedAt ?? null };
    });
  }

  /** Returns every evaluation of a transaction, the newest first. */
  listEvaluations(organisationId: string, id: string): Promise<StoredEvaluation[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytEvaluationEntity, {
        select: { ...EVALUATION_TEXT, outcome: true, riskScore: true },
        where: { organisationId, transactionRef: id },
        order: { evaluationVersion: 'DESC' },
      }),
    );
  }
}
