import { Injectable } from '@nestjs/common';
import { type ActorContext, type AuditDraft, AuditTrail } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, digestOf, DomainError, orThrow, publicId } from '../../../platform/kernel/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { OPENED_BY_HAND } from '../domain/alert.js';
import { isWorking, priorityOf } from '../domain/review.js';
import { MergeRepository, type SelectedRows, type MovedRows } from '../store/merge.repository.js';
import { ReviewQueries, type NoteRow, type ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';
import { ReviewNotesService } from './review-notes.service.js';
import { ReviewsService } from './reviews.service.js';

/** Maximum number of transactions in a merged case: nobody could read more. */
const MAX_MERGED = 1_000;

/**
 * Merges two cases, or splits one. Alerts are moved unchanged, so each is in exactly one case and is decided with it;
 * the deadlines of the first alert apply. Merges and splits can be undone until the approval of a decision is
 * requested.
 */
@Injectable()
export class CaseMergesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly merges: MergeRepository,
    private readonly notes: ReviewNotesService,
    private readonly reviewsService: ReviewsService,
  ) {}

  /** Moves all alerts of the case `other` into the case `id`. */
  async merge(ctx: ActorContext, id: string, other: string, reason: string): Promise<void> {
    const { organisationId } = ctx;
    if (id === other) throw conflict('review', 'SAME_CASE', 'A case cannot be merged into itself.');
    const { note, at } = await this.composeReason(ctx, id, reason);
    await this.uow.run(organisationId, async (tx) => {
      const [into, from] = await this.lockPair(tx, organisationId, id, other);
      refuseUnlike(into, from);
      const moved = await this.merges.moveAlerts(tx, organisationId, [other, id], {}, { with: other });
      await this.merges.update(tx, other, {
        status: 'MERGED',
        mergedInto: id,
        collects: false,
        updatedAt: at,
      });
      await this.merges.update(tx, id, {
        priority: Math.min(into.priority, from.priority),
        selectionDeadline: earlierOf(into.selectionDeadline, from.selectionDeadline),
        analysisDeadline: earlierOf(into.analysisDeadline, from.analysisDeadline),
        responseDeadline:
          into.responseDeadline && from.responseDeadline
            ? earlierOf(into.responseDeadline, from.responseDeadline)
            : (into.responseDeadline ?? from.responseDeadline),
        dueAt: earlierOf(into.dueAt, from.dueAt),
      });
      await this.merges.recomputeSums(tx, organisationId, [id, other], from.lead);
      await this.record(tx, note, [
        reviewAuditDraft(ctx, id, 'review.absorbed', at, {
          case: publicId('rev', other),
          ...publicIdsOf(moved),
        }),
        reviewAuditDraft(ctx, other, 'review.merged', at, {
          into: publicId('rev', id),
          reason: digestOf(note.sealed),
        }),
        notedEntry(ctx, note, at),
      ]);
    });
  }

  /** Undoes a merge: restores the merged case and moves its alerts back to it. */
  async unmerge(ctx: ActorContext, id: string, reason: string): Promise<void> {
    const { organisationId } = ctx;
    const { mergedInto } = await this.queries.get(organisationId, id);
    if (mergedInto === null) throw conflict('status', 'NOT_MERGED', 'The case is in no other one.');
    const { note, at } = await this.composeReason(ctx, mergedInto, reason);
    await this.uow.run(organisationId, async (tx) => {
      const lockedReviews = await this.merges.lockBoth(tx, organisationId, [id, mergedInto]);
      const [back, from] = [id, mergedInto].map((one) => lockedReviews.find((row) => row.id === one));
      if (!back || !from) throw new DomainError('REVIEW_NOT_FOUND');
      if (back.mergedInto !== mergedInto) throw conflict('status', 'NOT_MERGED', 'It was undone already.');
      refuseEnded(from);
      const status = back.begunAt === null ? 'OPEN' : 'IN_ANALYSIS';
      await this.merges.update(tx, id, { status, mergedInto: null, updatedAt: at });
      const moved = await this.merges.moveAlerts(tx, organisationId, [mergedInto, id], {}, { back: id });
      await this.merges.recomputeSums(tx, organisationId, [mergedInto, id]);
      const content = { case: publicId('rev', id), ...publicIdsOf(moved) };
      await this.record(tx, note, [
        reviewAuditDraft(ctx, mergedInto, 'review.separated', at, content),
        reviewAuditDraft(ctx, id, 'review.restored', at, { from: publicId('rev', mergedInto) }),
        notedEntry(ctx, note, at),
      ]);
    });
  }

  /** Moves some alerts of a case to a new case; returns the id of the new case. */
  async split(
    ctx: ActorContext,
    id: string,
    chosen: Required<SelectedRows>,
    reason: string,
  ): Promise<string> {
    const { organisationId } = ctx;
    const { note, at } = await this.composeReason(ctx, id, reason);
    return this.uow.run(organisationId, async (tx) => {
      const from = orThrow(await this.reviews.lock(tx, organisationId, id), 'REVIEW_NOT_FOUND');
      refuseEnded(from);
      if (from.sessionRef !== null && chosen.hitIds.length > 0) {
        throw conflict('hits', 'ABOUT_A_SESSION', 'The hits of a session are decided before the session is.');
      }
      const part = await this.openPart(tx, ctx, from, at);
      const moved = await this.merges.moveAlerts(tx, organisationId, [id, part], chosen);
      const missingAmong = (wanted: readonly string[], got: readonly string[]): boolean =>
        wanted.some((one) => !got.includes(one));
      if (missingAmong(chosen.transactionRefs, moved.transactionRefs)) {
        throw new DomainError('TRANSACTION_NOT_FOUND');
      }
      if (missingAmong(chosen.hitIds, moved.hitIds)) throw new DomainError('HIT_NOT_FOUND');
      const remaining = await this.merges.countAlerts(tx, organisationId, id);
      if (
        remaining + (await this.merges.countHits(tx, organisationId, id)) === 0 &&
        from.sessionRef === null
      ) {
        throw conflict('transactions', 'NOTHING_LEFT', 'A case keeps at least one of its alerts.');
      }
      await this.merges.recomputeSums(tx, organisationId, [id, part]);
      const content = { case: publicId('rev', part), ...publicIdsOf(moved) };
      const { assigneeId } = from;
      await this.record(tx, note, [
        reviewAuditDraft(ctx, id, 'review.separated', at, content),
        reviewAuditDraft(ctx, part, 'review.absorbed', at, {
          case: publicId('rev', id),
          ...publicIdsOf(moved),
        }),
        ...(assigneeId === null
          ? []
          : [
              reviewAuditDraft(ctx, part, 'review.assigned', at, {
                assignee: publicId('opr', assigneeId),
                before: null,
              }),
            ]),
        notedEntry(ctx, note, at),
      ]);
      return part;
    });
  }

  /** Split: opens the new case with the deadlines of the original, which count from its first alert. */
  private async openPart(tx: Tx, ctx: ActorContext, from: ReviewRow, at: Date): Promise<string> {
    const { organisationId, theme, customerId, clientAppId, queue } = from;
    const request = {
      ...({ organisationId, kind: 'MANUAL', theme, customerId, clientAppId, queue } as const),
      ...{ priority: priorityOf(from.priority), riskScore: null, occurredAt: at },
      facts: { lead: OPENED_BY_HAND, amountCents: null, rules: [], countries: [] },
      ...{ requestId: ctx.requestId, correlationId: ctx.correlationId },
    };
    const [opened] = await this.reviewsService.openCases(tx, [request], ctx.actor);
    if (!opened) throw new Error('a case was not opened');
    const { subjectHitId, assigneeId, assignedAt } = from;
    const { selectionDeadline, analysisDeadline, responseDeadline, dueAt } = from;
    await this.merges.update(tx, opened.reviewId, {
      ...{ splitFrom: from.id, subjectHitId, assigneeId, assignedAt },
      ...{ selectionDeadline, analysisDeadline, responseDeadline, dueAt },
    });
    return opened.reviewId;
  }

  private async composeReason(
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<{ readonly note: NoteRow; readonly at: Date }> {
    const now = new Date(this.clock.now());
    const review = await this.queries.get(ctx.organisationId, id);
    return {
      note: await this.notes.compose(review, ctx.actor.id, { kind: 'NOTE', text: reason }, now),
      at: now,
    };
  }

  private async record(tx: Tx, note: NoteRow, entries: readonly AuditDraft[]): Promise<void> {
    await this.reviews.insertNote(tx, note);
    await this.audit.record(tx, entries);
  }

  private async lockPair(
    tx: Tx,
    organisationId: string,
    id: string,
    other: string,
  ): Promise<ReviewRow[] & [ReviewRow, ReviewRow]> {
    const lockedReviews = await this.merges.lockBoth(tx, organisationId, [id, other]);
    const [into, from] = [id, other].map((one) => lockedReviews.find((row) => row.id === one));
    if (!into || !from) throw new DomainError('REVIEW_NOT_FOUND');
    return [into, from];
  }
}

function refuseUnlike(into: ReviewRow, from: ReviewRow): void {
  refuseEnded(into);
  refuseEnded(from);
  const parties = new Set([into, from].flatMap(({ subjectHitId }) => subjectHitId ?? []));
  if (into.customerId !== from.customerId || parties.size > 1) {
    throw conflict(
      'review',
      'OTHER_CUSTOMER',
      'The cases are about different customers; add the person instead.',
    );
  }
  if (from.sessionRef !== null) {
    throw conflict('review', 'ABOUT_A_SESSION', 'A case about a session stays; merge the other one into it.');
  }
  if (into.linked + from.linked > MAX_MERGED) {
    throw conflict('review', 'TOO_MANY', `A case is about ${MAX_MERGED} transactions at most.`);
  }
}

function refuseEnded({ status }: ReviewRow): void {
  if (!isWorking(status)) {
    throw conflict('status', 'NOT_FROM_HERE', `A case that is ${status} stays as it is.`);
  }
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other);

const publicIdsOf = ({
  transactionRefs,
  hitIds,
}: MovedRows): Readonly<Record<'transactions' | 'hits', string[]>> => ({
  transactions: [...transactionRefs].sort().map((ref) => publicId('txn', ref)),
  hits: [...hitIds].sort().map((hit) => publicId('hit', hit)),
});

const notedEntry = (ctx: ActorContext, note: NoteRow, at: Date): AuditDraft =>
  reviewAuditDraft(ctx, note.reviewId, 'review.noted', at, {
    ...{ note: publicId('nte', note.id), text: digestOf(note.sealed), artifacts: [] },
  });
