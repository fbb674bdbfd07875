import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, Raw, type FindOptionsWhere, type QueryDeepPartialEntity } from 'typeorm';
import {
  column,
  execute,
  lockRow,
  notNullColumn,
  sqlArray,
  statement,
  waitForLock,
  type Tx,
} from '../../../platform/database/index.js';
import { responseDeadline } from '../domain/clocks.js';
import {
  endedStatuses,
  type ReportDecision,
  type Resolution,
  type ReviewKind,
  type ReviewStatus,
} from '../domain/review.js';
import { ReviewHitEntity, ReviewNoteEntity, ReviewTransactionEntity, ReviewEntity } from './entities.js';
import type { NoteRow, ReviewRow } from './review.queries.js';

export interface Proposal {
  readonly by: string;
  readonly at: Date;
  readonly resolution: Resolution;
  readonly report: ReportDecision;
  readonly justification: Buffer;
  readonly revision: number;
  readonly approvalId: string;
}

export interface CaseClosure {
  readonly by: string;
  readonly at: Date;
  readonly reportDeadline: Date | null;
  /** `YYYY-MM-DD`. */
  readonly retainUntil: string;
  readonly singleControl: boolean;
}

const COPY_TRANSACTIONS = statement(
  'reviews.copy-transactions',
  `INSERT INTO review_transactions (review_id, organisation_id, transaction_ref, evaluation_version, origin, points,
     amount_cents, lead, rules, countries, look_back_id)
   SELECT $2, organisation_id, transaction_ref, evaluation_version,
     CASE origin WHEN 'RELATED' THEN origin ELSE 'REOPENED' END, points, amount_cents, lead, rules, countries,
     look_back_id
   FROM review_transactions WHERE review_id = $1 AND ($3::uuid[] IS NULL OR transaction_ref = ANY ($3::uuid[]))
   ON CONFLICT DO NOTHING`,
);

const COPY_HITS = statement(
  'reviews.copy-hits',
  `INSERT INTO review_hits (review_id, organisation_id, hit_id, look_back_id)
   SELECT $2, organisation_id, hit_id, look_back_id FROM review_hits WHERE review_id = $1 ON CONFLICT DO NOTHING`,
);

const COPY_LABELS = statement(
  'reviews.copy-labels',
  `INSERT INTO review_labels (review_id, organisation_id, kind, value)
   SELECT $2, organisation_id, kind, value FROM review_labels WHERE review_id = $1 ON CONFLICT DO NOTHING`,
);

const ADD_HITS = statement(
  'reviews.add-hits',
  `UPDATE review_transactions SET hit_ids = ARRAY(SELECT unnest(hit_ids) UNION SELECT unnest($4::uuid[]) ORDER BY 1)
   WHERE organisation_id = $1 AND review_id = $2 AND transaction_ref = $3 AND NOT hit_ids @> $4::uuid[]`,
);

const RAISE_URGENCY = statement(
  'reviews.hurry',
  `UPDATE reviews SET priority = 1, response_deadline = coalesce(response_deadline, $3),
     due_at = CASE WHEN status = 'OPEN' THEN least(due_at, coalesce(response_deadline, $3)) ELSE due_at END
   WHERE organisation_id = $1 AND id = $2`,
);

const COUNT_OPEN_CASES = statement(
  'reviews.load',
  `SELECT assignee_id AS id, count(*)::int AS count FROM reviews
   WHERE organisation_id = $1 AND assignee_id IS NOT NULL AND status <> 'CLOSED' AND status <> 'MERGED' GROUP BY assignee_id`,
  { id: notNullColumn(column(ReviewEntity, 'assigneeId')), count: 'integer' },
);

/** Writes cases. A status change names the expected status, and returns false if the case has another status. */
@Injectable()
export class ReviewRepository {
  /** Locks a case until the transaction ends. */
  lock(tx: Tx, organisationId: string, id: string): Promise<ReviewRow | null> {
    return lockRow(tx, ReviewEntity, { organisationId, id }, 'pessimistic_write');
  }

  startAnalysis(tx: Tx, id: string, at: Date): Promise<boolean> {
    return updateMatching(
      tx,
      { id, status: 'OPEN' },
      { status: 'IN_ANALYSIS', begunAt: at, dueAt: () => 'analysis_deadline', updatedAt: at },
    );
  }

  move(tx: Tx, id: string, from: ReviewStatus, to: ReviewStatus, at: Date): Promise<boolean> {
    return updateMatching(tx, { id, status: from }, { status: to, updatedAt: at });
  }

  async assign(tx: Tx, id: string, assigneeId: string | null, at: Date): Promise<void> {
    const assignedAt = assigneeId === null ? null : at;
    await updateMatching(
      tx,
      { id, status: Not(In(endedStatuses)) },
      { assigneeId, assignedAt, updatedAt: at },
    );
  }

  propose(tx: Tx, id: string, { by, at, revision, ...proposed }: Proposal): Promise<boolean> {
    return updateMatching(
      tx,
      { id, status: 'IN_ANALYSIS', revision },
      {
        ...proposed,
        status: 'PENDING_APPROVAL',
        // The proposal is about the current alerts; later alerts open another case.
        collects: false,
        proposedBy: by,
        proposedAt: at,
        proposedRevision: revision,
        updatedAt: at,
      },
    );
  }

  /** Puts a case with a proposed decision back into analysis; its justification stays in the notes. */
  withdrawProposal(tx: Tx, id: string, at: Date): Promise<boolean> {
    return updateMatching(
      tx,
      { id, status: 'PENDING_APPROVAL' },
      {
        status: 'IN_ANALYSIS',
        proposedBy: null,
        proposedAt: null,
        resolution: null,
        report: null,
        justification: null,
        proposedRevision: null,
        approvalId: null,
        updatedAt: at,
      },
    );
  }

  /** Closes a case with the proposed decision; false if something was added to the case since. */
  close(tx: Tx, id: string, { by, at, reportDeadline, ...closing }: CaseClosure): Promise<boolean> {
    return updateMatching(
      tx,
      {
        id,
        status: 'PENDING_APPROVAL',
        proposedRevision: Raw((proposed) => `${proposed} = revision`),
      },
      {
        status: 'CLOSED',
        closedBy: by,
        closedAt: at,
        reportDeadline,
        ...(reportDeadline && { dueAt: reportDeadline }),
        ...closing,
        updatedAt: at,
      },
    );
  }

  markReported(tx: Tx, organisationId: string, id: string, at: Date): Promise<boolean> {
    return updateMatching(
      tx,
      { organisationId, id, status: 'CLOSED', report: 'COMMUNICATE', reportedAt: IsNull() },
      { reportedAt: at, updatedAt: at },
    );
  }

  async insertNote(tx: Tx, note: NoteRow): Promise<void> {
    await tx.insert(ReviewNoteEntity, { ...note });
  }

  /** Reopening: copies the alerts (or those of `transactionRefs`), hits, party and sums of a case to the new case. */
  async copyLinks(tx: Tx, from: ReviewRow, to: string, transactionRefs?: readonly string[]): Promise<void> {
    await execute(tx, COPY_TRANSACTIONS, [from.id, to, transactionRefs ? [...transactionRefs] : null]);
    await execute(tx, COPY_HITS, [from.id, to]);
    await execute(tx, COPY_LABELS, [from.id, to]);
    const { subjectHitId, linked, points, amountCents, lead } = from;
    const copied = { subjectHitId, linked, points, amountCents, lead };
    await tx.update(ReviewEntity, { id: to }, { reopenedFrom: from.id, ...copied });
  }

  /** Adds related transactions to a case; returns the transactions that were not in the case before. */
  async addRelated(
    tx: Tx,
    organisationId: string,
    reviewId: string,
    links: readonly Pick<ReviewTransactionEntity, 'transactionRef' | 'evaluationVersion'>[],
  ): Promise<string[]> {
    const has = await tx.findBy(ReviewTransactionEntity, {
      ...{ organisationId, reviewId, transactionRef: In(links.map(({ transactionRef }) => transactionRef)) },
    });
    const existingRefs = new Set(has.map(({ transactionRef }) => transactionRef));
    const added = links.filter(({ transactionRef }) => !existingRefs.has(transactionRef));
    const rows = added.map((link) => ({ ...link, organisationId, reviewId, origin: 'RELATED' as const }));
    if (rows.length > 0) await tx.insert(ReviewTransactionEntity, rows);
    await this.increaseCount(tx, reviewId, added.length);
    return added.map(({ transactionRef }) => transactionRef);
  }

  /** Removes a related transaction; returns [] if the case has no such transaction. */
  async removeRelated(
    tx: Tx,
    organisationId: string,
    reviewId: string,
    transactionRef: string,
  ): Promise<string[]> {
    const relatedRow = { organisationId, reviewId, transactionRef, origin: 'RELATED' as const };
    const { affected } = await tx.delete(ReviewTransactionEntity, relatedRow);
    if (!affected) return [];
    await this.increaseCount(tx, reviewId, -1);
    return [transactionRef];
  }

  private async increaseCount(tx: Tx, id: string, by: number): Promise<void> {
    const set = { linked: () => `linked + ${by}`, revision: () => 'revision + 1', updatedAt: () => 'now()' };
    await tx.update(ReviewEntity, { id }, set);
  }

  /**
   * Adds hits to a case and increments its revision, which invalidates an earlier proposal. A possible sanctions hit
   * raises the case to the urgency of a new sanctions case.
   */
  async linkHits(
    tx: Tx,
    organisationId: string,
    reviewId: string,
    hitIds: readonly string[],
    { sanctions, at, lookBack = null }: { sanctions: boolean; at: Date; lookBack?: string | null },
  ): Promise<void> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(ReviewHitEntity)
      .values(hitIds.map((hitId) => ({ reviewId, organisationId, hitId, lookBackId: lookBack })))
      .orIgnore()
      .execute();
    await tx.update(
      ReviewEntity,
      { id: reviewId },
      { revision: () => 'revision + 1', updatedAt: () => 'now()' },
    );
    if (sanctions) await execute(tx, RAISE_URGENCY, [organisationId, reviewId, responseDeadline(at)]);
  }

  /** Adds hits to a transaction of a case: they are about its parties. */
  async addHits(
    tx: Tx,
    organisationId: string,
    { reviewId, ref, hitIds }: Readonly<Record<'reviewId' | 'ref', string>> & { hitIds: readonly string[] },
  ): Promise<void> {
    await execute(tx, ADD_HITS, [organisationId, reviewId, ref, sqlArray.plain(hitIds)]);
  }

  /**
   * The number of open cases of each operator. Locks the distribution of cases in the organisation until the commit:
   * two concurrent calls would push the same operators over the cap.
   */
  async countOpenCases(tx: Tx, organisationId: string): Promise<ReadonlyMap<string, number>> {
    await waitForLock(tx, `reviews.share:${organisationId}`);
    const rows = await execute(tx, COUNT_OPEN_CASES, [organisationId]);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Locks the open cases of an operator in id order, so that concurrent calls cannot deadlock. */
  lockAssigned(tx: Tx, organisationId: string, assigneeId: string): Promise<ReviewRow[]> {
    return tx.find(ReviewEntity, {
      where: { organisationId, assigneeId, status: Not(In(endedStatuses)) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Locks unassigned open cases, the most urgent first; skips locked rows. */
  lockUnassigned(
    tx: Tx,
    organisationId: string,
    { queue, kind }: { readonly queue?: string | undefined; readonly kind?: ReviewKind | undefined },
    limit: number,
  ): Promise<ReviewRow[]> {
    return tx.find(ReviewEntity, {
      where: {
        ...{ organisationId, assigneeId: IsNull(), status: Not(In(endedStatuses)) },
        ...(queue !== undefined && { queue }),
        ...(kind !== undefined && { kind }),
      },
      order: { priority: 'ASC', dueAt: 'ASC', id: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
  }
}

/** Updates a case if it matches `where`; true if it matched. */
const updateMatching = async (
  tx: Tx,
  where: FindOptionsWhere<ReviewEntity>,
  set: QueryDeepPartialEntity<ReviewEntity>,
): Promise<boolean> => (await tx.update(ReviewEntity, where, set)).affected === 1;
