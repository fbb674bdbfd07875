import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CheckAct,
  CurrentValues,
  ReleaseAct,
  type ApprovalEnding,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import {
  Clock,
  conflict,
  digestOf,
  DomainError,
  orThrow,
  publicId,
  required,
} from '../../../platform/kernel/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { reportDeadline, retainUntil } from '../domain/clocks.js';
import { reviewFlow, type ReportDecision, type Resolution, type ReviewStatus } from '../domain/review.js';
import { ReviewQueries, type ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';
import { ReviewEffectsService } from './review-effects.service.js';
import { ReviewPreconditionsService } from './review-preconditions.service.js';
import { ReviewNotesService } from './review-notes.service.js';

/** A proposed decision with its justification. With `revision` it applies only to that revision of the case. */
export interface ProposedDecision {
  readonly resolution: Resolution;
  readonly report: ReportDecision;
  readonly justification: string;
  /** The reason why a communicated case leaves out the payments around its alerts. */
  readonly withoutRelated?: string | undefined;
  readonly revision?: number;
}

/** The values that the approval of a decision sets. */
type ProposedValues = Pick<ProposedDecision, 'resolution' | 'report'> & {
  /** The id of the note that says why related payments are left out of the case. */
  readonly withoutRelated?: string;
};

/** Closes cases by four-eyes approval: one operator proposes a decision, another approves exactly this decision. */
@Injectable()
export class CaseDecisionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly notes: ReviewNotesService,
    private readonly reviewPreconditions: ReviewPreconditionsService,
    private readonly effects: ReviewEffectsService,
    private readonly approvals: ApprovalsService,
  ) {}

  /**
   * Requests the approval of a decision by another operator. Throws MANDATORY_REVIEW_OPEN while a hit is undecided
   * (unless the case is rejected), RELATED_TRANSACTIONS_OPEN while a case to communicate lacks payments around its
   * alerts and no reason is given, AUDIT_TRAIL_INCOMPLETE on a trail with gaps.
   */
  async propose(ctx: ActorContext, id: string, decision: ProposedDecision): Promise<Approval> {
    const { organisationId } = ctx;
    const { resolution, report, withoutRelated } = decision;
    const review = await this.queries.get(organisationId, id);
    const from = review.status === 'OPEN' ? 'IN_ANALYSIS' : review.status;
    if (!reviewFlow.allows(from, 'PENDING_APPROVAL')) {
      throw illegalMoveError(review.status, 'PENDING_APPROVAL');
    }
    if (withoutRelated === undefined) {
      await this.reviewPreconditions.refuseMissingTransactions(review, report);
    }
    await this.reviewPreconditions.refuseBrokenTrails(review, ctx.actor.id);
    const now = new Date(this.clock.now());
    const text = { kind: 'JUSTIFICATION', text: decision.justification } as const;
    const note = await this.notes.compose(review, ctx.actor.id, text, now);
    const withoutRelatedNote =
      withoutRelated === undefined
        ? null
        : await this.notes.compose(review, ctx.actor.id, { kind: 'NOTE', text: withoutRelated }, now);
    const justification = await this.notes.encryptJustification(review, decision.justification);
    const { revision = review.revision } = decision;
    return this.uow.run(organisationId, async (tx) => {
      const lockedReview = await this.lock(tx, organisationId, id);
      if (lockedReview.revision !== revision) {
        throw conflict('revision', 'CHANGED', 'Something was added to the case; read it again.');
      }
      const begins = lockedReview.status === 'OPEN';
      if (begins && !(await this.reviews.startAnalysis(tx, id, now))) {
        throw illegalMoveError('OPEN', 'IN_ANALYSIS');
      }
      if (!begins && !reviewFlow.allows(lockedReview.status, 'PENDING_APPROVAL')) {
        throw illegalMoveError(lockedReview.status, 'PENDING_APPROVAL');
      }
      await this.reviewPreconditions.refuseOpenHits(tx, lockedReview, resolution);
      // The justification may name a person, so it is stored encrypted with the case: an erasure destroys it.
      const request = await this.approvals.request(tx, ctx, {
        act: 'case.close',
        subjectId: id,
        before: { status: 'PENDING_APPROVAL', revision },
        after: {
          status: 'CLOSED',
          resolution,
          report,
          ...(withoutRelatedNote && { withoutRelated: publicId('nte', withoutRelatedNote.id) }),
        },
        reason: `The justification stands in the case: ${publicId('nte', note.id)}.`,
      });
      const proposal = { by: ctx.actor.id, at: now, resolution, report, justification, revision };
      if (!(await this.reviews.propose(tx, id, { ...proposal, approvalId: request.id }))) {
        throw illegalMoveError(lockedReview.status, 'PENDING_APPROVAL');
      }
      for (const one of withoutRelatedNote ? [note, withoutRelatedNote] : [note]) {
        await this.reviews.insertNote(tx, one);
      }
      const content = {
        ...{ resolution, report, revision, justification: digestOf(note.sealed) },
        ...(withoutRelatedNote && { withoutRelated: digestOf(withoutRelatedNote.sealed) }),
      };
      await this.audit.record(tx, [
        ...(begins ? [reviewAuditDraft(ctx, id, 'review.begun', now, {})] : []),
        reviewAuditDraft(ctx, id, 'review.decided', now, content),
      ]);
      return request;
    });
  }

  /** Dry run: throws the errors that `propose` would throw. */
  async checkDecision(
    { organisationId, actor }: ActorContext,
    id: string,
    { resolution, report, withoutRelated }: ProposedDecision,
  ): Promise<void> {
    const review = await this.queries.get(organisationId, id);
    const from = review.status === 'OPEN' ? 'IN_ANALYSIS' : review.status;
    if (!reviewFlow.allows(from, 'PENDING_APPROVAL')) {
      throw illegalMoveError(review.status, 'PENDING_APPROVAL');
    }
    if (withoutRelated === undefined) {
      await this.reviewPreconditions.refuseMissingTransactions(review, report);
    }
    await this.reviewPreconditions.refuseBrokenTrails(review, actor.id);
    await this.uow.read(organisationId, (db) =>
      this.reviewPreconditions.refuseOpenHits(db, review, resolution),
    );
  }

  /** Approval: throws if later related payments are not in the case, or if an audit trail has a gap. */
  @CheckAct('case.close')
  async checkCase({ organisationId, subjectId, change }: Approval): Promise<void> {
    const { report, withoutRelated } = change.after as ProposedValues;
    const review = await this.queries.get(organisationId, subjectId);
    if (withoutRelated === undefined) {
      await this.reviewPreconditions.refuseMissingTransactions(review, report);
    }
    await this.reviewPreconditions.refuseBrokenTrails(review);
  }

  /**
   * Approval: every addition to the case changes its revision, so that nobody approves additions that they have not
   * seen.
   */
  @CurrentValues('case.close')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { status, revision } = await this.lock(tx, organisationId, subjectId);
    return { status, revision };
  }

  @ApplyAct('case.close')
  async close(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id, change, requestedBy, singleControl } = approval;
    const { resolution, report } = change.after as ProposedValues;
    const review = await this.lock(tx, organisationId, id);
    await this.reviewPreconditions.refuseOpenHits(tx, review, resolution);
    if (singleControl) await this.reviewPreconditions.refuseSingleControl(tx, organisationId, resolution);
    const now = new Date(this.clock.now());
    const closing = {
      by: required(approval.decidedBy, 'who approved'),
      at: now,
      reportDeadline: report === 'COMMUNICATE' ? reportDeadline(now) : null,
      retainUntil: retainUntil(now),
      singleControl,
    };
    if (!(await this.reviews.close(tx, id, closing))) throw illegalMoveError(review.status, 'CLOSED');
    await this.effects.queueEffects(tx, review);
    const content = {
      ...{ resolution, report, maker: publicId('opr', requestedBy), transactions: review.linked },
      ...{ organisation: publicId('org', organisationId), ...(singleControl && { singleControl }) },
    };
    await this.audit.record(tx, reviewAuditDraft(ctx, id, 'review.closed', now, content));
  }

  /** Approval refused, withdrawn, expired or failed: returns the case to analysis. The reason becomes a note. */
  @ReleaseAct('case.close')
  async withdrawProposal(
    tx: Tx,
    ctx: ActorContext,
    { organisationId, subjectId: id }: Approval,
    why: ApprovalEnding,
    reason: string,
  ): Promise<void> {
    const review = await this.lock(tx, organisationId, id);
    const now = new Date(this.clock.now());
    if (!(await this.reviews.withdrawProposal(tx, id, now))) {
      throw illegalMoveError(review.status, 'IN_ANALYSIS');
    }
    const isByPerson = ctx.actor.type === 'operator';
    const text = { kind: 'RETURN', text: reason } as const;
    const note = isByPerson ? await this.notes.compose(review, ctx.actor.id, text, now) : null;
    if (note) await this.reviews.insertNote(tx, note);
    const content = { why, resolution: review.resolution, reason: note && digestOf(note.sealed) };
    await this.audit.record(tx, reviewAuditDraft(ctx, id, 'review.returned', now, content));
  }

  private async lock(tx: Tx, organisationId: string, id: string): Promise<ReviewRow> {
    return orThrow(await this.reviews.lock(tx, organisationId, id), 'REVIEW_NOT_FOUND');
  }
}

const illegalMoveError = (from: ReviewStatus, to: ReviewStatus): DomainError =>
  conflict('status', 'NOT_FROM_HERE', `A case that is ${from} cannot become ${to}.`);
