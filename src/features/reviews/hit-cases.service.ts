import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { system, UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock, publicId } from '../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../platform/queue/index.js';
import { HitDispositionService, type HitRow } from '../screening/index.js';
import { reviewAuditDraft } from './audit-step.js';
import { leadReasonOfListHit, NO_FACTS, type LeadReason } from './domain/alert.js';
import { ReviewsService } from './cases/reviews.service.js';
import { ReviewRepository } from './store/review.repository.js';
import { ReviewQueries } from './store/review.queries.js';

const HITS_ACTOR = { type: 'system', id: 'reviews.hits' } as const;
const LOST_AFTER_SECONDS = 30;

/**
 * List update: opens cases for hits of existing customers, which no transaction would open. The rows of hits
 * record whether a case is still needed, so a job may be lost or repeated.
 */
@Injectable()
export class HitCasesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly hits: HitDispositionService,
    private readonly reviewsService: ReviewsService,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
  ) {}

  async openCases(hitIds: readonly string[]): Promise<void> {
    const organisations = await this.uow.read(system('reviews.hits'), (db) =>
      this.hits.organisationsAwaitingCases(db, hitIds),
    );
    for (const organisationId of organisations) {
      await this.uow.run(organisationId, async (tx) => {
        const waiting = await this.hits.lockHitsAwaitingCase(tx, hitIds);
        await this.openAll(tx, organisationId, waiting);
        await this.hits.markCasesOpened(
          tx,
          waiting.map(({ id }) => id),
        );
      });
    }
  }

  /** The ids of hits that still need a case and have no job. */
  findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.hits.findOverdueHits(tx, which === 'overdue' ? LOST_AFTER_SECONDS : 0);
  }

  /**
   * Opens one case per customer. Hits are added to the customer's open case about hits, unless a decision is proposed.
   */
  private async openAll(tx: Tx, organisationId: string, waiting: readonly HitRow[]): Promise<void> {
    const byCustomer = new Map<string, HitRow[]>();
    for (const hit of waiting) {
      const key = hit.customerId ?? hit.id;
      byCustomer.set(key, [...(byCustomer.get(key) ?? []), hit]);
    }
    for (const hits of byCustomer.values()) await this.openOne(tx, organisationId, hits);
  }

  private async openOne(tx: Tx, organisationId: string, hits: readonly HitRow[]): Promise<void> {
    // An operator may have decided a hit meanwhile.
    const pending = hits.filter(({ status }) => status === 'PENDING');
    const [first] = pending;
    if (!first) return;
    const hitIds = pending.map(({ id }) => id);
    const { customerId } = first;
    const openCaseId =
      customerId === null ? null : await this.queries.lockOpenHitCase(organisationId, customerId, tx);
    const sanctions = pending.some(({ listKind }) => listKind === 'SANCTIONS');
    if (openCaseId !== null) {
      const now = new Date(this.clock.now());
      await this.reviews.linkHits(tx, organisationId, openCaseId, hitIds, { sanctions, at: now });
      await this.recordExtended(tx, organisationId, openCaseId, hitIds, now);
      return;
    }
    const occurredAt = new Date(this.clock.now());
    const [review] = await this.reviewsService.openCases(
      tx,
      [
        {
          organisationId,
          kind: 'HIT',
          theme: 'SCREENING',
          customerId,
          clientAppId: null,
          hitIds,
          sanctions,
          priority: sanctions ? 'CRITICAL' : 'HIGH',
          riskScore: null,
          facts: { ...NO_FACTS, lead: gravestOf(pending) },
          occurredAt,
          requestId: null,
          correlationId: null,
        },
      ],
      HITS_ACTOR,
    );
    if (review && !review.opened) {
      await this.recordExtended(tx, organisationId, review.reviewId, hitIds, occurredAt);
    }
  }

  private async recordExtended(
    tx: Tx,
    organisationId: string,
    reviewId: string,
    hitIds: readonly string[],
    at: Date,
  ): Promise<void> {
    const ctx = { organisationId, actor: HITS_ACTOR, requestId: null, correlationId: null };
    const content = { hits: hitIds.map((id) => publicId('hit', id)) };
    await this.audit.record(tx, reviewAuditDraft(ctx, reviewId, 'review.extended', at, content));
  }
}

function gravestOf(hits: readonly HitRow[]): LeadReason | null {
  const leads = hits.map(({ listKey, score }) => leadReasonOfListHit(listKey, score));
  return leads.sort((a, b) => b.points - a.points)[0] ?? null;
}
