import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry, type Actor } from '../../audit/index.js';
import { execute, type Reader, type Tx } from '../../../platform/database/index.js';
import { Clock, newUuid, publicId } from '../../../platform/kernel/index.js';
import { clocksOf } from '../domain/clocks.js';
import { planOpenings, type OpeningPlan, type ReviewRequest } from '../domain/opening.js';
import { OPEN, OpeningRepository, type PreparedOpening } from '../store/opening.repository.js';

/** A case that a request opened, or that it joined. */
export interface OpenedReview {
  readonly reviewId: string;
  readonly opened: boolean;
}

/** A case for a composite statement to open or to join, prepared outside of the transaction. */
export type PreparedReview = PreparedOpening;

/** A request with its gate: the case is opened only if an earlier clause returns this id. */
export type GatedRequest = ReviewRequest & { readonly gate: string };

/** Opens cases in the commit of the evaluation, session or hit that asks for them. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly clock: Clock,
    private readonly openings: OpeningRepository,
  ) {}

  /**
   * Opens or joins the cases of these requests and returns them, in order. An evaluation or session that asked before gets
   * the same case. If such a case was changed meanwhile, the unit of work runs all of its work again.
   */
  async open(tx: Tx, requests: readonly ReviewRequest[], by: Actor): Promise<OpenedReview[]> {
    if (requests.length === 0) return [];
    const gated = requests.map((request) => ({ ...request, gate: newUuid() }));
    const prepared = await this.prepare(gated, by, tx);
    await execute(tx, ...OPEN({ openings: prepared }));
    return prepared.map(({ reviewId, fate }) => ({ reviewId, opened: fate === 'OPENS' }));
  }

  /**
   * Prepares the cases of these requests for `reviewClauses`, one per request, in order, with one read for all. If the
   * composite statement fails with a lost race (`isLostRace`), they have to be prepared again.
   */
  async prepare(requests: readonly GatedRequest[], by: Actor, reader?: Reader): Promise<PreparedReview[]> {
    if (requests.length === 0) return [];
    const plans = await this.plan(requests, reader);
    const openedAt = new Date(this.clock.now());
    return plans.map((plan, i) => {
      const gate = requests[i]?.gate ?? '';
      const clocks = clocksOf(plan.request.occurredAt, openedAt, plan.request.sanctions === true);
      const entry = plan.fate === 'OPENS' ? entryOf(plan, by, openedAt) : null;
      return { gate, openedAt, openedBy: `${by.type}:${by.id}`, clocks, entry, ...plan };
    });
  }

  private async plan(requests: readonly ReviewRequest[], reader?: Reader): Promise<OpeningPlan[]> {
    const organisations = [...new Set(requests.map(({ organisationId }) => organisationId))];
    const refs = requests.flatMap(({ transaction, sessionRef }) => transaction?.ref ?? sessionRef ?? []);
    const customers = requests.flatMap(({ customerId }) => customerId ?? []);
    return planOpenings(
      requests,
      await this.openings.findKnownCases(organisations, refs, customers, reader),
      newUuid,
    );
  }
}

function entryOf({ request, reviewId }: OpeningPlan, by: Actor, openedAt: Date): PreparedOpening['entry'] {
  const { organisationId, kind, theme, customerId, transaction, hitIds = [], priority, riskScore } = request;
  return composeEntry(
    {
      subject: { organisationId, type: 'review', id: reviewId },
      action: 'review.opened',
      actor: by,
      requestId: request.requestId,
      correlationId: request.correlationId,
      occurredAt: openedAt,
      content: {
        kind,
        theme,
        priority,
        riskScore,
        customer: customerId === null ? null : publicId('cus', customerId),
        transaction: transaction ? publicId('txn', transaction.ref) : null,
        evaluationVersion: transaction?.evaluationVersion ?? null,
        hits: hitIds.map((id) => publicId('hit', id)),
        sanctions: request.sanctions === true,
        reopens: request.reopens === undefined ? null : publicId('rev', request.reopens),
        ...(request.lookBack !== undefined && { lookBack: publicId('lbk', request.lookBack) }),
      },
    },
    CHAIN_START,
  );
}
