import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { column, execute, statement, type Tx } from '../../../platform/database/index.js';
import type { LeadReason } from '../domain/alert.js';
import { MAX_COLLECTED } from '../domain/review.js';
import { ReviewHitEntity, ReviewTransactionEntity, ReviewEntity } from './entities.js';
import { DECIDED_ORIGINS, type ReviewRow } from './review.queries.js';

/** The rows to move from one case to another; an omitted list means all rows of its kind. */
export interface SelectedRows {
  readonly transactionRefs?: readonly string[];
  readonly hitIds?: readonly string[];
}

/** The transactions and hits that were moved. */
export interface MovedRows {
  readonly transactionRefs: readonly string[];
  readonly hitIds: readonly string[];
}

// Before a move: deletes the RELATED row of a transaction in the target case, because the moved row of the alert
// replaces it.
const DELETE_RELATED = statement(
  'reviews.yield',
  `DELETE FROM review_transactions o USING review_transactions l
   WHERE o.organisation_id = $1 AND o.review_id = $3 AND o.origin = 'RELATED' AND l.organisation_id = $1
     AND l.review_id = $2 AND l.transaction_ref = o.transaction_ref
     AND ($4::uuid[] IS NULL OR l.transaction_ref = ANY ($4::uuid[]))`,
);

const cameBack = `CASE WHEN $5::uuid IS NULL THEN l.came_with
    ELSE l.came_with[1 : array_position(l.came_with, $5::uuid) - 1] END`;
const MOVE_TRANSACTIONS = statement(
  'reviews.move-transactions',
  `UPDATE review_transactions l SET review_id = $3, linked_at = clock_timestamp(),
     came_with = ${cameBack} || $6::uuid[]
   WHERE l.organisation_id = $1 AND l.review_id = $2 AND ($4::uuid[] IS NULL OR l.transaction_ref = ANY ($4::uuid[]))
     AND ($5::uuid IS NULL OR $5::uuid = ANY (l.came_with))
     AND NOT EXISTS (SELECT FROM review_transactions o WHERE o.organisation_id = $1 AND o.review_id = $3
       AND o.transaction_ref = l.transaction_ref AND o.evaluation_version = l.evaluation_version)
   RETURNING l.transaction_ref AS id`,
  { id: column(ReviewTransactionEntity, 'transactionRef') },
);

const MOVE_HITS = statement(
  'reviews.move-hits',
  `UPDATE review_hits l SET review_id = $3, linked_at = clock_timestamp(), came_with = ${cameBack} || $6::uuid[]
   WHERE l.organisation_id = $1 AND l.review_id = $2 AND ($4::uuid[] IS NULL OR l.hit_id = ANY ($4::uuid[]))
     AND ($5::uuid IS NULL OR $5::uuid = ANY (l.came_with))
     AND NOT EXISTS (SELECT FROM review_hits o
       WHERE o.organisation_id = $1 AND o.review_id = $3 AND o.hit_id = l.hit_id)
   RETURNING l.hit_id AS id`,
  { id: column(ReviewHitEntity, 'hitId') },
);

// Sums points and amount of the first evaluation with an alert of each transaction, as adding alerts one by one does.
const RECOUNT = statement(
  'reviews.recount',
  `UPDATE reviews r SET linked = s.linked, points = CASE WHEN s.alerts = 0 THEN r.points ELSE s.points END,
     risk_score = CASE WHEN s.alerts = 0 THEN r.risk_score ELSE s.risk_score END,
     amount_cents = CASE WHEN s.alerts = 0 THEN r.amount_cents ELSE s.amount_cents END,
     lead = CASE WHEN s.lead IS NULL THEN coalesce(r.lead, $3::jsonb)
                 WHEN ($3::jsonb ->> 'points')::numeric > (s.lead ->> 'points')::numeric THEN $3::jsonb ELSE s.lead END,
     collects = r.collects AND s.linked < ${MAX_COLLECTED}, revision = r.revision + 1, updated_at = now()
   FROM (SELECT count(*)::int AS linked, count(*) FILTER (WHERE origin <> 'RELATED')::int AS alerts,
           coalesce(sum(points) FILTER (WHERE first), 0)::int AS points, max(points) AS risk_score,
           sum(amount_cents) FILTER (WHERE first)::bigint AS amount_cents,
           (array_agg(lead ORDER BY (lead ->> 'points')::numeric DESC NULLS LAST) FILTER (WHERE lead IS NOT NULL))[1]
             AS lead
         FROM (SELECT l.*, origin <> 'RELATED' AND row_number() OVER (PARTITION BY origin = 'RELATED', transaction_ref
                 ORDER BY evaluation_version) = 1 AS first
               FROM review_transactions l WHERE l.organisation_id = $1 AND l.review_id = $2) rows) s
   WHERE r.organisation_id = $1 AND r.id = $2`,
);

const UNLABEL = statement(
  'reviews.unlabel',
  `DELETE FROM review_labels WHERE organisation_id = $1 AND review_id = ANY ($2::uuid[])`,
);

const RELABEL = statement(
  'reviews.relabel',
  `INSERT INTO review_labels (review_id, organisation_id, kind, value)
   SELECT DISTINCT l.review_id, l.organisation_id, x.kind, x.value FROM review_transactions l
   CROSS JOIN LATERAL (SELECT 'RULE' AS kind, unnest(l.rules) AS value
     UNION ALL SELECT 'COUNTRY', unnest(l.countries)) x
   WHERE l.organisation_id = $1 AND l.review_id = ANY ($2::uuid[])`,
);

/** Moves alerts between two cases that the transaction has locked. */
@Injectable()
export class MergeRepository {
  /** Locks both cases in id order, so that concurrent merges cannot deadlock; omits missing cases. */
  lockBoth(tx: Tx, organisationId: string, ids: readonly [string, string]): Promise<ReviewRow[]> {
    return tx.find(ReviewEntity, {
      where: { organisationId, id: In([...ids]) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Moves alerts. `with`: the merged case that they come from. `back` (unmerge): only alerts of that merged case. */
  async moveAlerts(
    tx: Tx,
    organisationId: string,
    [from, to]: readonly [from: string, to: string],
    { transactionRefs, hitIds }: SelectedRows,
    came: { readonly with?: string; readonly back?: string } = {},
  ): Promise<MovedRows> {
    const refs = transactionRefs ? [...transactionRefs] : null;
    const hits = hitIds ? [...hitIds] : null;
    const trace = [came.back ?? null, came.with === undefined ? [] : [came.with]] as const;
    await execute(tx, DELETE_RELATED, [organisationId, from, to, refs]);
    const transactions = await execute(tx, MOVE_TRANSACTIONS, [organisationId, from, to, refs, ...trace]);
    const moved = await execute(tx, MOVE_HITS, [organisationId, from, to, hits, ...trace]);
    return {
      transactionRefs: [...new Set(transactions.map(({ id }) => id))],
      hitIds: moved.map(({ id }) => id),
    };
  }

  /**
   * Recomputes sums and labels of the cases. `lead` becomes the lead reason of the first case if its score is higher
   * than that of its alerts.
   */
  async recomputeSums(
    tx: Tx,
    organisationId: string,
    ids: readonly string[],
    lead: LeadReason | null = null,
  ): Promise<void> {
    for (const [i, id] of ids.entries()) {
      await execute(tx, RECOUNT, [organisationId, id, i === 0 && lead ? JSON.stringify(lead) : null]);
    }
    await execute(tx, UNLABEL, [organisationId, [...ids]]);
    await execute(tx, RELABEL, [organisationId, [...ids]]);
  }

  async update(tx: Tx, id: string, values: Partial<Omit<ReviewEntity, 'lead'>>): Promise<void> {
    await tx.update(ReviewEntity, { id }, values);
  }

  countHits(tx: Tx, organisationId: string, reviewId: string): Promise<number> {
    return tx.countBy(ReviewHitEntity, { organisationId, reviewId });
  }

  countAlerts(tx: Tx, organisationId: string, reviewId: string): Promise<number> {
    return tx.countBy(ReviewTransactionEntity, {
      ...{ organisationId, reviewId, origin: In([...DECIDED_ORIGINS]) },
    });
  }
}
