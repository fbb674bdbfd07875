import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, pick, publicId, required } from '../../../platform/kernel/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { isEnded, priorityOf } from '../domain/review.js';
import { MergeRepository } from '../store/merge.repository.js';
import { ReviewQueries, type ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';
import { ReviewsService } from './reviews.service.js';

/** Opens a new case with what a closed case was about, in the transaction of whoever has locked the closed one. */
@Injectable()
export class CaseReopeningService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly service: ReviewsService,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly merges: MergeRepository,
  ) {}

  /** Opens a case with all alerts of the case, or with those of `transactionRefs`; returns its id. */
  async reopen(
    tx: Tx,
    ctx: ActorContext,
    old: ReviewRow,
    transactionRefs?: readonly string[],
  ): Promise<string> {
    const at = new Date(this.clock.now());
    const [opened] = await this.service.openCases(
      tx,
      [
        {
          // Alerts about missing data are added to the open DATA_GAP case of the customer. A reopened case stays apart,
          // so it becomes MANUAL.
          kind: old.kind === 'DATA_GAP' ? 'MANUAL' : old.kind,
          ...pick(old, 'organisationId', 'theme', 'customerId', 'clientAppId', 'queue', 'riskScore'),
          priority: priorityOf(old.priority),
          occurredAt: at,
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
    await this.audit.record(tx, reviewAuditDraft(ctx, old.id, 'review.reopened', at, content));
    return reviewId;
  }

  /** Reopens the case for these transactions, or adds them to the case as which it was reopened. */
  async giveBack(
    tx: Tx,
    ctx: ActorContext,
    reviewId: string,
    transactionRefs: readonly string[],
  ): Promise<void> {
    const { organisationId } = ctx;
    const old = required(await this.reviews.lock(tx, organisationId, reviewId), 'the decided case');
    const found = await this.queries.findReopened(organisationId, reviewId, tx);
    if (!found) {
      await this.reopen(tx, ctx, old, transactionRefs);
      return;
    }
    const again = required(await this.reviews.lock(tx, organisationId, found), 'the reopened case');
    // Whoever reopened it took everything along, so another case has what a merged one had.
    if (isEnded(again.status)) return;
    await this.reviews.copyLinks(tx, old, found, transactionRefs);
    await this.merges.recomputeSums(tx, organisationId, [found]);
    const transactions = [...transactionRefs].sort().map((ref) => publicId('txn', ref));
    const at = new Date(this.clock.now());
    await this.audit.record(tx, reviewAuditDraft(ctx, found, 'review.extended', at, { added: transactions }));
  }
}
