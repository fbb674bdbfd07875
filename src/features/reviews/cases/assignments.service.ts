import { Injectable } from '@nestjs/common';
import { type ActorContext, type AuditDraft, AuditTrail } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { OperatorLookup } from '../../../platform/http/index.js';
import { Clock, conflict, invalid, orThrow, publicId } from '../../../platform/kernel/index.js';
import type { OpenCaseRegistry } from '../../operators/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { distributeCases, type CaseDistribution } from '../domain/sharing.js';
import { isEnded, type ReviewKind } from '../domain/review.js';
import type { ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';

/** A filter of the unassigned cases to distribute. */
export interface DistributionRequest {
  readonly queue?: string | undefined;
  readonly kind?: ReviewKind | undefined;
  readonly limit: number;
  /** True to return the result without storing it. */
  readonly preview: boolean;
}

export interface AssignmentResult {
  readonly assignments: readonly CaseDistribution[];
  /** Cases that were not assigned, with the reason. */
  readonly left: readonly { readonly reviewId: string; readonly code: AssignmentFailure }[];
}

/** NOBODY_FREE: all operators are at the cap. */
export const assignmentFailures = ['REVIEW_NOT_FOUND', 'CLOSED', 'NOBODY_FREE'] as const;
export type AssignmentFailure = (typeof assignmentFailures)[number];

/** Assigns cases in bulk, and unassigns the cases of an operator who may no longer work on them. */
@Injectable()
export class AssignmentsService implements OpenCaseRegistry {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly operatorLookup: OperatorLookup,
    private readonly reviews: ReviewRepository,
  ) {}

  /**
   * Assigns these cases to one operator; a preview stores nothing. Throws VALIDATION_FAILED if that operator may not
   * work on cases.
   */
  async assign(
    ctx: ActorContext,
    ids: readonly string[],
    assigneeId: string,
    preview: boolean,
  ): Promise<AssignmentResult> {
    const analysts = await this.findAnalysts(ctx.organisationId);
    if (!analysts.includes(assigneeId)) {
      throw invalid(
        'assigneeId',
        'NOT_A_REVIEWER',
        'Must be an operator of this organisation who may work on reviews.',
      );
    }
    return this.uow.run(ctx.organisationId, async (tx) => {
      const reviews: ReviewRow[] = [];
      const failures = new Map<string, AssignmentFailure>();
      // Locks in id order, so that concurrent calls cannot deadlock.
      for (const id of [...ids].sort()) {
        const review = await this.reviews.lock(tx, ctx.organisationId, id);
        if (review && !isEnded(review.status)) reviews.push(review);
        else failures.set(id, review ? 'CLOSED' : 'REVIEW_NOT_FOUND');
      }
      const shares = reviews.map(({ id }) => ({ reviewId: id, operatorId: assigneeId }));
      if (!preview) await this.store(tx, ctx, reviews, shares);
      return { assignments: shares, left: [...failures].map(([reviewId, code]) => ({ reviewId, code })) };
    });
  }

  /** Assigns each unassigned case to the operator with the fewest open cases, up to the cap. */
  async distribute(
    ctx: ActorContext,
    { queue, kind, limit, preview }: DistributionRequest,
  ): Promise<AssignmentResult> {
    const analysts = await this.findAnalysts(ctx.organisationId);
    return this.uow.run(ctx.organisationId, async (tx) => {
      const load = await this.reviews.countOpenCases(tx, ctx.organisationId);
      const cases = await this.reviews.lockUnassigned(tx, ctx.organisationId, { queue, kind }, limit);
      const { shares, left } = distributeCases(
        cases.map(({ id }) => id),
        analysts.map((id) => ({ id, open: load.get(id) ?? 0 })),
        this.settings.reviewsPerAnalyst,
      );
      if (!preview) await this.store(tx, ctx, cases, shares);
      return {
        assignments: shares,
        left: left.map((reviewId) => ({ reviewId, code: 'NOBODY_FREE' as const })),
      };
    });
  }

  /** Assigns one case to the operator with the fewest open cases. Throws STATE_CONFLICT if all are at the cap. */
  async assignToLeastBusy(ctx: ActorContext, id: string): Promise<void> {
    const analysts = await this.findAnalysts(ctx.organisationId);
    await this.uow.run(ctx.organisationId, async (tx) => {
      const load = await this.reviews.countOpenCases(tx, ctx.organisationId);
      const review = orThrow(await this.reviews.lock(tx, ctx.organisationId, id), 'REVIEW_NOT_FOUND');
      if (isEnded(review.status)) throw conflict('assigneeId', 'CLOSED', 'A closed case belongs to nobody.');
      const workers = analysts.map((one) => ({ id: one, open: load.get(one) ?? 0 }));
      const { shares } = distributeCases([id], workers, this.settings.reviewsPerAnalyst);
      if (shares.length === 0) {
        throw conflict('assigneeId', 'NOBODY_FREE', 'Everybody has as many cases as the cap allows.');
      }
      await this.store(tx, ctx, [review], shares);
    });
  }

  async unassignCases(tx: Tx, ctx: ActorContext, operatorId: string): Promise<number> {
    const now = new Date(this.clock.now());
    const cases = await this.reviews.lockAssigned(tx, ctx.organisationId, operatorId);
    for (const { id } of cases) await this.reviews.assign(tx, id, null, now);
    const content = { assignee: null, before: publicId('opr', operatorId) };
    await this.audit.record(
      tx,
      cases.map(({ id }) => reviewAuditDraft(ctx, id, 'review.assigned', now, content)),
    );
    return cases.length;
  }

  /** The ids of the enabled people who may work on cases. */
  private async findAnalysts(organisationId: string): Promise<string[]> {
    const roster = await this.operatorLookup.listEnabled(organisationId);
    return roster
      .filter(({ kind, permissions }) => kind === 'PERSON' && permissions.has('reviews:work'))
      .map(({ id }) => id);
  }

  private async store(
    tx: Tx,
    ctx: ActorContext,
    cases: readonly ReviewRow[],
    shares: readonly CaseDistribution[],
  ): Promise<void> {
    const now = new Date(this.clock.now());
    const before = new Map(cases.map(({ id, assigneeId }) => [id, assigneeId]));
    const entries: AuditDraft[] = [];
    for (const { reviewId, operatorId } of shares) {
      await this.reviews.assign(tx, reviewId, operatorId, now);
      const former = before.get(reviewId) ?? null;
      entries.push(
        reviewAuditDraft(ctx, reviewId, 'review.assigned', now, {
          assignee: publicId('opr', operatorId),
          before: former === null ? null : publicId('opr', former),
        }),
      );
    }
    await this.audit.record(tx, entries);
  }
}
