import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, systemActor } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import {
  Clock,
  conflict,
  orThrow,
  pick,
  publicId,
  required,
  type DomainError,
} from '../../platform/kernel/index.js';
import { HitDispositionService, HitReopeningService } from '../screening/index.js';
import { reviewAuditDraft } from './audit-step.js';
import { isEnded, priorityOf } from './domain/review.js';
import { MergeRepository } from './store/merge.repository.js';
import { ReviewQueries, type ReviewRow } from './store/review.queries.js';
import { ReviewRepository } from './store/review.repository.js';
import type { DecidedReview } from './cases/review-effects.service.js';
import { ReviewsService } from './cases/reviews.service.js';

/** Opens a new case with the alerts of a closed case: people request it, or the decision must not be carried out. */
@Injectable()
export class CaseReopeningService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly reviewsService: ReviewsService,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly merges: MergeRepository,
    private readonly hits: HitDispositionService,
    private readonly hitReopening: HitReopeningService,
  ) {}

  /** Throws STATE_CONFLICT if the case is open or was reopened already. */
  async reopenClosed(tx: Tx, ctx: ActorContext, id: string): Promise<string> {
    const lockedReview = orThrow(await this.reviews.lock(tx, ctx.organisationId, id), 'REVIEW_NOT_FOUND');
    if (lockedReview.status !== 'CLOSED') throw notClosedError();
    if (await this.queries.findReopened(ctx.organisationId, id, tx)) throw alreadyReopenedError();
    return this.reopen(tx, ctx, lockedReview);
  }

  /** Opens a case with all alerts of the case, or with those of `transactionRefs`; returns its id. */
  private async reopen(
    tx: Tx,
    ctx: ActorContext,
    old: ReviewRow,
    transactionRefs?: readonly string[],
  ): Promise<string> {
    const now = new Date(this.clock.now());
    const [opened] = await this.reviewsService.openCases(
      tx,
      [
        {
          // Alerts about missing data are added to the open DATA_GAP case of the customer. A reopened case stays apart,
          // so it becomes MANUAL.
          kind: old.kind === 'DATA_GAP' ? 'MANUAL' : old.kind,
          ...pick(old, 'organisationId', 'theme', 'customerId', 'clientAppId', 'queue', 'riskScore'),
          priority: priorityOf(old.priority),
          occurredAt: now,
          reopens: old.id,
          ...(old.sessionRef === null ? {} : { sessionRef: old.sessionRef }),
          ...pick(ctx, 'requestId', 'correlationId'),
        },
      ],
      ctx.actor,
    );
    const { reviewId } = required(opened, 'the case that was opened');
    await this.reviews.copyLinks(tx, old, reviewId, transactionRefs);
    if (transactionRefs) await this.merges.recomputeSums(tx, old.organisationId, [reviewId]);
    const content = { as: publicId('rev', reviewId) };
    await this.audit.record(tx, reviewAuditDraft(ctx, old.id, 'review.reopened', now, content));
    return reviewId;
  }

  /**
   * Returns those of the transactions that must not be released: a mandatory hit about them or their customer is
   * undecided, or was decided after the approval. Their case is reopened with them in `tx`, so that two people decide.
   * The others are noted as cleared by their dismissed hits: they are judged again when a dismissal is taken back.
   */
  async holdBack(
    tx: Tx,
    { organisationId, reviewId, outcome, decidedAt }: DecidedReview,
    transactionRefs: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (outcome === 'REJECTED' || transactionRefs.length === 0) return new Set();
    const hitsOfTransactions = await this.queries.listHitsOfTransactions(tx, organisationId, transactionRefs);
    const undecidedHits = await this.hits.findUndecided(tx, organisationId, {
      hitIds: hitsOfTransactions.flatMap(({ hitId }) => hitId ?? []),
      customerIds: [...new Set(hitsOfTransactions.flatMap(({ customerId }) => customerId ?? []))],
      decidedAfter: decidedAt,
    });
    const ids = new Set(
      undecidedHits.flatMap(({ id, customerId }) => [id, ...(customerId === null ? [] : [customerId])]),
    );
    const heldRefs = new Set(
      hitsOfTransactions.flatMap(({ ref, hitId, customerId }) =>
        ids.has(hitId ?? customerId ?? '') ? [ref] : [],
      ),
    );
    if (heldRefs.size > 0) {
      await this.reopenFor(tx, systemActor(organisationId, 'reviews.effects'), reviewId, [...heldRefs]);
    }
    await this.hitReopening.recordClearedTransactions(
      tx,
      organisationId,
      hitsOfTransactions.flatMap(({ ref, hitId }) =>
        hitId === null || heldRefs.has(ref) ? [] : [{ hitId, transactionRef: ref }],
      ),
    );
    return heldRefs;
  }

  /** Reopens the case for these transactions; if it was reopened already, adds them to that case. */
  private async reopenFor(
    tx: Tx,
    ctx: ActorContext,
    reviewId: string,
    transactionRefs: readonly string[],
  ): Promise<void> {
    const { organisationId } = ctx;
    const old = required(await this.reviews.lock(tx, organisationId, reviewId), 'the decided case');
    const reopenedId = await this.queries.findReopened(organisationId, reviewId, tx);
    if (!reopenedId) {
      await this.reopen(tx, ctx, old, transactionRefs);
      return;
    }
    const reopened = required(await this.reviews.lock(tx, organisationId, reopenedId), 'the reopened case');
    // The case that reopened the decided case has ended: a person has closed it, or merged it with another.
    if (isEnded(reopened.status)) return;
    await this.reviews.copyLinks(tx, old, reopenedId, transactionRefs);
    await this.merges.recomputeSums(tx, organisationId, [reopenedId]);
    const transactions = [...transactionRefs].sort().map((ref) => publicId('txn', ref));
    const now = new Date(this.clock.now());
    await this.audit.record(
      tx,
      reviewAuditDraft(ctx, reopenedId, 'review.extended', now, { added: transactions }),
    );
  }
}

const notClosedError = (): DomainError =>
  conflict('status', 'NOT_FROM_HERE', 'Only a closed case can be taken up again.');

const alreadyReopenedError = (): DomainError =>
  conflict('status', 'REOPENED', 'The case was taken up again already.');
