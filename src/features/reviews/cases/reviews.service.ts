import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry, type Actor } from '../../audit/index.js';
import { execute, type Reader, type Tx } from '../../../platform/database/index.js';
import { Clock, newUuid, publicId } from '../../../platform/kernel/index.js';
import { caseClocksOf } from '../domain/clocks.js';
import { planOpenings, caseSubjectOf, type OpeningPlan, type CaseAlert } from '../domain/opening.js';
import { OPEN, OpeningRepository, type PreparedOpening } from '../store/opening.repository.js';

/** The case of a request; `opened` is false if the alert was added to an existing case. */
export interface OpenedReview {
  readonly reviewId: string;
  readonly opened: boolean;
}

/** A case to open or to extend in a composite statement, prepared before the transaction. */
export type PreparedReview = PreparedOpening;

/** A request whose case is opened only if an earlier clause of the statement returns the id `gate`. */
export type GatedRequest = CaseAlert & { readonly gate: string };

/** Opens cases in the same commit as the evaluation, session or hit that requests them. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly clock: Clock,
    private readonly openings: OpeningRepository,
  ) {}

  /**
   * Opens cases or extends existing ones; returns them in the order of the requests. A repeated request of an
   * evaluation or session gets the same case. If an existing case was changed concurrently, the unit of work is
   * retried.
   */
  async openCases(tx: Tx, requests: readonly CaseAlert[], by: Actor): Promise<OpenedReview[]> {
    if (requests.length === 0) return [];
    const gated = requests.map((request) => ({ ...request, gate: newUuid() }));
    const prepared = await this.prepareCases(gated, by, tx);
    await execute(tx, ...OPEN({ openings: prepared }));
    return prepared.map(({ reviewId, fate }) => ({ reviewId, opened: fate === 'OPENS' }));
  }

  /**
   * Prepares the cases of these requests for `reviewClauses`, in order, with one read for all. If the composite
   * statement fails because a case was changed concurrently (`isLostRace`), prepare them again.
   */
  async prepareCases(
    requests: readonly GatedRequest[],
    by: Actor,
    reader?: Reader,
  ): Promise<PreparedReview[]> {
    if (requests.length === 0) return [];
    const plans = await this.plan(requests, reader);
    const openedAt = new Date(this.clock.now());
    return plans.map((plan, i) => {
      const gate = requests[i]?.gate ?? '';
      const clocks = caseClocksOf(plan.request.occurredAt, openedAt, plan.request.sanctions === true);
      const entry = plan.fate === 'OPENS' ? entryOf(plan, by, openedAt) : null;
      return { gate, openedAt, openedBy: `${by.type}:${by.id}`, clocks, entry, ...plan };
    });
  }

  private async plan(requests: readonly CaseAlert[], reader?: Reader): Promise<OpeningPlan[]> {
    const organisations = [...new Set(requests.map(({ organisationId }) => organisationId))];
    const refs = requests.flatMap(({ transaction, sessionRef }) => transaction?.ref ?? sessionRef ?? []);
    const subjects = requests.flatMap((request) => caseSubjectOf(request) ?? []);
    return planOpenings(
      requests,
      await this.openings.findKnownCases(organisations, refs, subjects, reader),
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
