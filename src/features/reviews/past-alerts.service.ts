import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditContent } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { Clock, publicId } from '../../platform/kernel/index.js';
import { reviewAuditDraft } from './audit-step.js';
import { ReviewsService } from './cases/reviews.service.js';
import type { CaseAlert } from './domain/opening.js';
import { OpeningRepository, type CaseOfTransaction } from './store/opening.repository.js';
import { ReviewRepository } from './store/review.repository.js';

/** A look-back alert: the transaction raised none when it was first evaluated. */
export interface PastAlert {
  readonly request: CaseAlert & Required<Pick<CaseAlert, 'lookBack' | 'transaction'>>;
  /** The undecided hits of the alert. */
  readonly pending: ReadonlySet<string>;
}

/** The number of alerts that already had a case, that opened one, and that were added to one. */
export interface AttachmentCounts {
  readonly known: number;
  readonly opened: number;
  readonly joined: number;
}

// Number of alerts per composite statement: the same as a batch of the pipeline.
const BATCH = 250;

/** Look-back: adds each alert without a case to an open case or to a new case. */
@Injectable()
export class PastAlertsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly reviewsService: ReviewsService,
    private readonly openings: OpeningRepository,
    private readonly reviews: ReviewRepository,
  ) {}

  /** Attaches alerts of one organisation to cases, in the transaction of the run; `by` names the calling service. */
  async attachToCases(tx: Tx, alerts: readonly PastAlert[], by: string): Promise<AttachmentCounts> {
    let placed: AttachmentCounts = { known: 0, opened: 0, joined: 0 };
    for (let from = 0; from < alerts.length; from += BATCH) {
      const { known, opened, joined } = await this.attachBatch(tx, alerts.slice(from, from + BATCH), by);
      placed = {
        known: placed.known + known,
        opened: placed.opened + opened,
        joined: placed.joined + joined,
      };
    }
    return placed;
  }

  private async attachBatch(tx: Tx, alerts: readonly PastAlert[], by: string): Promise<AttachmentCounts> {
    const [first] = alerts;
    if (!first) return { known: 0, opened: 0, joined: 0 };
    const { organisationId } = first.request;
    const existingCases = await this.openings.findTransactionsInCases(
      tx,
      organisationId,
      alerts.map(({ request }) => request.transaction.ref),
      alerts.flatMap(({ request }) => request.hitIds ?? []),
    );
    const casesOf = new Map<string, CaseOfTransaction[]>();
    for (const one of existingCases) casesOf.set(one.ref, [...(casesOf.get(one.ref) ?? []), one]);
    const alertRequests: PastAlert['request'][] = [];
    const extended = new Map<string, string[]>();
    const note = (reviewId: string, { transaction }: PastAlert['request']): void => {
      extended.set(reviewId, [...(extended.get(reviewId) ?? []), publicId('txn', transaction.ref)]);
    };
    let knownCount = 0;
    let joined = 0;
    for (const alert of alerts) {
      const { request } = alert;
      const cases = casesOf.get(request.transaction.ref) ?? [];
      if (isKnown(alert, cases)) {
        knownCount += 1;
        continue;
      }
      const isAboutHits = (request.hitIds ?? []).length > 0;
      const matchingCase = isAboutHits
        ? cases.find(({ open, theme }) => open && theme === request.theme)
        : undefined;
      if (!matchingCase) {
        alertRequests.push(request);
        continue;
      }
      joined += 1;
      note(matchingCase.reviewId, request);
      const { hitIds = [], transaction, lookBack } = request;
      await this.reviews.linkHits(tx, organisationId, matchingCase.reviewId, hitIds, {
        sanctions: request.sanctions === true,
        at: new Date(this.clock.now()),
        lookBack,
      });
      await this.reviews.addHits(tx, organisationId, {
        reviewId: matchingCase.reviewId,
        ref: transaction.ref,
        hitIds,
      });
    }
    await this.openings.deleteRelatedRows(tx, alertRequests);
    const actor = { type: 'system', id: by } as const;
    const openedReviews = await this.reviewsService.openCases(tx, alertRequests, actor);
    const openedCount = openedReviews.filter((one) => one.opened).length;
    alertRequests.forEach((request, i) => {
      const one = openedReviews[i];
      if (one && !one.opened) note(one.reviewId, request);
    });
    await this.audit.record(
      tx,
      [...extended].map(([reviewId, transactions]) => {
        const ctx = { organisationId, actor, requestId: null, correlationId: null };
        const content: AuditContent = { lookBack: publicId('lbk', first.request.lookBack), transactions };
        return reviewAuditDraft(ctx, reviewId, 'review.extended', new Date(this.clock.now()), content);
      }),
    );
    return { known: knownCount, opened: openedCount, joined: joined + openedReviews.length - openedCount };
  }
}

/**
 * True if the alert already has a case: one in which the transaction has each of the hits or, without hits, one with the
 * transaction that is not only about missing data.
 */
function isKnown({ request, pending }: PastAlert, cases: readonly CaseOfTransaction[]): boolean {
  const { hitIds = [], theme } = request;
  if (hitIds.length > 0) {
    return hitIds.every((hit) =>
      cases.some(({ hits, open }) => hits.includes(hit) && (open || !pending.has(hit))),
    );
  }
  return cases.some((one) => !one.isGap || (one.open && one.theme === theme));
}
