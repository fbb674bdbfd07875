import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { STANDING_DECISION } from './decision.repository.js';
import type { TransactionStatus } from '../domain/status.js';

/** A transaction as its integrator may see it. */
export interface TransactionRecord {
  readonly id: string;
  readonly transactionId: string;
  readonly status: TransactionStatus;
  readonly requestId: string;
  readonly correlationId: string;
  readonly warnings: readonly string[];
  readonly receivedAt: Date;
  readonly occurredAt: Date;
  readonly failure: { readonly code: string; readonly stage: string; readonly attempts: number } | null;
  readonly evaluation: {
    readonly version: number;
    readonly receipt: string;
    readonly receiptHash: Buffer;
    readonly evaluatedAt: Date;
  } | null;
  /** What a person decided about this evaluation. */
  readonly decision: {
    readonly outcome: string;
    readonly reviewId: string;
    readonly decidedAt: Date;
  } | null;
}

interface Row {
  readonly id: string;
  readonly transaction_id: string;
  readonly request_id: string;
  readonly correlation_id: string;
  readonly warnings: string[] | null;
  readonly received_at: Date;
  readonly occurred_at: Date;
  readonly status: Exclude<TransactionStatus, 'COMPLETED'> | null;
  readonly failure_code: string | null;
  readonly failure_stage: string | null;
  readonly attempts: number | null;
  readonly evaluation_version: number | null;
  readonly receipt: string | null;
  readonly receipt_hash: Buffer | null;
  readonly evaluated_at: Date | null;
  readonly decided_outcome: string | null;
  readonly decided_review: string | null;
  readonly decided_at: Date | null;
}

@Injectable()
export class TransactionQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** The application's own transaction with its newest evaluation; null when it has none of this id. */
  async findOwn(
    owner: { readonly id: string; readonly organisationId: string },
    transactionId: string,
  ): Promise<TransactionRecord | null> {
    // A path can hold U+0000 (`%00`); no stored text does, and PostgreSQL refuses to compare with it.
    if (transactionId.includes('\0')) return null;
    const rows: Row[] = await this.uow.read(owner.organisationId, (db) =>
      db.query(
        `SELECT t.id, t.transaction_id, t.request_id, t.correlation_id, t.warnings, t.received_at, t.occurred_at,
              w.status, w.failure_code, w.failure_stage, w.attempts,
              e.evaluation_version, e.receipt, e.receipt_hash, e.evaluated_at,
              d.outcome AS decided_outcome, d.review_id AS decided_review, d.decided_at
       FROM kyt_transactions t
       LEFT JOIN kyt_work w ON w.transaction_ref = t.id
       LEFT JOIN LATERAL (SELECT * FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                          ORDER BY e.evaluation_version DESC LIMIT 1) e ON true
       ${STANDING_DECISION}
       WHERE t.client_app_id = $1 AND t.transaction_id = $2 AND t.organisation_id = $3`,
        [owner.id, transactionId, owner.organisationId],
      ),
    );
    const [row] = rows;
    return row ? toRecord(row) : null;
  }
}

function toRecord(row: Row): TransactionRecord {
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
        ? { version, receipt, receiptHash, evaluatedAt }
        : null,
    decision:
      row.decided_outcome !== null && row.decided_review !== null && row.decided_at
        ? { outcome: row.decided_outcome, reviewId: row.decided_review, decidedAt: row.decided_at }
        : null,
  };
}
