import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork, type Tx } from '../../database/index.js';
import type { ReviewedTransaction } from '../../reviews/index.js';

/** A transaction that a decision is about, with the evaluation that was the newest when it was made. */
export interface DecidableTransaction {
  readonly id: string;
  readonly transactionId: string;
  readonly clientAppId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly version: number;
  readonly receipt: string;
  readonly receiptHash: Buffer;
  readonly newestSequence: number;
}

export interface NewDecision {
  readonly id: string;
  readonly organisationId: string;
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly reviewId: string;
  readonly outcome: 'APPROVED' | 'REJECTED';
  readonly eventSequence: number;
  readonly decidedAt: Date;
  readonly trailHash: Buffer;
}

/** What a person decided about the newest evaluation, if anybody has; for a query that has `e` for that evaluation. */
export const STANDING_DECISION = `LEFT JOIN LATERAL (
    SELECT d.outcome, d.review_id, d.decided_at FROM kyt_decisions d
    WHERE d.organisation_id = e.organisation_id AND d.transaction_ref = e.transaction_ref
      AND d.evaluation_version = e.evaluation_version
    ORDER BY d.event_sequence DESC LIMIT 1) d ON true`;

/** Decisions of persons about transactions; they are never changed. */
@Injectable()
export class DecisionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Those of these transactions that the case has not decided about yet. */
  async undecided(
    organisationId: string,
    reviewId: string,
    refs: readonly string[],
    decidedAt: Date,
  ): Promise<DecidableTransaction[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
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
        [organisationId, reviewId, sqlArray.plain(refs), decidedAt],
      ),
    );
  }

  async insert(tx: Tx, decisions: readonly NewDecision[]): Promise<void> {
    const { plain, bytes } = sqlArray;
    await tx.query(
      `INSERT INTO kyt_decisions (id, organisation_id, transaction_ref, evaluation_version, review_id, outcome,
                                  event_sequence, decided_at, trail_hash)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::text[], $7::int[],
                            $8::timestamptz[], $9::bytea[])`,
      [
        plain(decisions.map(({ id }) => id)),
        plain(decisions.map(({ organisationId }) => organisationId)),
        plain(decisions.map(({ transactionRef }) => transactionRef)),
        plain(decisions.map(({ evaluationVersion }) => evaluationVersion)),
        plain(decisions.map(({ reviewId }) => reviewId)),
        plain(decisions.map(({ outcome }) => outcome)),
        plain(decisions.map(({ eventSequence }) => eventSequence)),
        plain(decisions.map(({ decidedAt }) => decidedAt.toISOString())),
        bytes(decisions.map(({ trailHash }) => trailHash)),
      ],
    );
  }

  /** Transactions as cases show them. */
  async reviewed(organisationId: string, refs: readonly string[]): Promise<ReviewedTransaction[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT t.id AS ref, t.transaction_id AS "transactionId", t.client_app_id AS "clientAppId", t.type,
                t.amount::text AS amount, t.currency, t.occurred_at AS "occurredAt",
                e.evaluation_version AS "evaluationVersion", coalesce(d.outcome, e.outcome) AS outcome,
                e.risk_score AS "riskScore", e.defensible
         FROM kyt_transactions t
         LEFT JOIN LATERAL (SELECT * FROM kyt_evaluations x WHERE x.transaction_ref = t.id
                            ORDER BY x.evaluation_version DESC LIMIT 1) e ON true
         ${STANDING_DECISION}
         WHERE t.organisation_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id`,
        [organisationId, sqlArray.plain(refs)],
      ),
    );
  }
}
