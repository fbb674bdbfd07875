import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { STANDING_DECISION } from './decision.repository.js';
import type { TransactionStatus } from '../domain/status.js';

/** A transaction as operators see it in a list. */
export interface DeskTransaction {
  readonly id: string;
  readonly clientAppId: string;
  readonly transactionId: string;
  readonly type: string;
  readonly channel: string;
  readonly amount: string;
  readonly currency: string;
  readonly direction: 'IN' | 'OUT' | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly status: TransactionStatus;
  readonly failureCode: string | null;
  readonly failureStage: string | null;
  readonly attempts: number | null;
  readonly evaluationVersion: number | null;
  readonly outcome: string | null;
  readonly recommendedAction: string | null;
  readonly riskScore: number | null;
  readonly riskLevel: string | null;
  readonly composition: string | null;
  readonly defensible: boolean | null;
  readonly evaluatedAt: Date | null;
}

export interface DeskDetail extends DeskTransaction {
  readonly directionSource: string;
  readonly source: string;
  readonly warnings: readonly string[] | null;
  readonly requestId: string;
  readonly correlationId: string;
  readonly sealedBody: Buffer;
}

export interface StoredEvaluation {
  readonly version: number;
  readonly outcome: string;
  readonly riskScore: number | null;
  readonly receipt: string;
  readonly receiptHash: Buffer;
  readonly evaluatedAt: Date;
}

export interface DeskFilter {
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly type?: string | undefined;
  readonly clientAppId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly customerKey?: Buffer | undefined;
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
  w.attempts, e.evaluation_version AS "evaluationVersion", coalesce(d.outcome, e.outcome) AS outcome, e.recommended_action AS "recommendedAction",
  e.risk_score AS "riskScore", e.risk_level AS "riskLevel", e.composition, e.defensible,
  e.evaluated_at AS "evaluatedAt"`;

const FROM = `FROM kyt_transactions t
  LEFT JOIN kyt_work w ON w.transaction_ref = t.id
  LEFT JOIN LATERAL (SELECT organisation_id, transaction_ref, evaluation_version, outcome, recommended_action, risk_score, risk_level, composition,
                            defensible, evaluated_at
                     FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                     ORDER BY e.evaluation_version DESC LIMIT 1) e ON true
  ${STANDING_DECISION}`;

/** What operators read of transactions: their organisation's, whatever application sent them. */
@Injectable()
export class DeskQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Transactions by receipt, the newest first; up to one more than asked for, when there are more. */
  list(
    organisationId: string,
    filter: DeskFilter,
    before: string | null,
    limit: number,
  ): Promise<DeskTransaction[]> {
    const values: unknown[] = [organisationId];
    const conditions = ['t.organisation_id = $1'];
    const where = (condition: (parameter: string) => string, value: unknown): void => {
      if (value === undefined || value === null) return;
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    where((p) => `t.id < ${p}`, before);
    // Ids begin with the time of receipt, so that a span of time is a span of the key.
    where((p) => `t.id >= ${p}`, filter.receivedFrom && firstUuidAt(filter.receivedFrom));
    where((p) => `t.id < ${p}`, filter.receivedTo && firstUuidAt(filter.receivedTo));
    where((p) => `coalesce(w.status, 'COMPLETED') = ${p}`, filter.status);
    where((p) => `coalesce(d.outcome, e.outcome) = ${p}`, filter.outcome);
    where((p) => `t.type = ${p}`, filter.type);
    where((p) => `t.client_app_id = ${p}`, filter.clientAppId);
    where((p) => `t.transaction_id = ${p}`, filter.transactionId);
    where((p) => `t.customer_key = ${p}`, filter.customerKey);
    where(
      (p) => `t.customer_key = ANY (${p}::bytea[])`,
      filter.customerKeys && sqlArray.bytes([...filter.customerKeys]),
    );
    where((p) => `e.risk_score >= ${p}`, filter.minScore);
    where((p) => `e.defensible = ${p}`, filter.defensible);
    values.push(limit);
    return this.query(
      organisationId,
      `SELECT ${SUMMARY} ${FROM} WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT $${values.length}`,
      values,
    );
  }

  async find(organisationId: string, id: string): Promise<DeskDetail | null> {
    const [row] = await this.query<DeskDetail>(
      organisationId,
      `SELECT ${SUMMARY}, t.direction_source AS "directionSource", t.source, t.warnings, t.request_id AS "requestId",
              t.correlation_id AS "correlationId", t.sealed_body AS "sealedBody"
       ${FROM} WHERE t.organisation_id = $1 AND t.id = $2`,
      [organisationId, id],
    );
    return row ?? null;
  }

  /** Every evaluation of a transaction, the newest first. */
  evaluations(organisationId: string, id: string): Promise<StoredEvaluation[]> {
    return this.query(
      organisationId,
      `SELECT evaluation_version AS version, outcome, risk_score AS "riskScore", receipt, receipt_hash AS "receiptHash",
              evaluated_at AS "evaluatedAt"
       FROM kyt_evaluations WHERE organisation_id = $1 AND transaction_ref = $2 ORDER BY evaluation_version DESC`,
      [organisationId, id],
    );
  }

  private query<Row>(organisationId: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.uow.read(organisationId, (db) => db.query<Row[]>(text, [...values]));
  }
}
