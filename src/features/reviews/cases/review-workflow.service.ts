import { Injectable } from '@nestjs/common';
import { type ActorContext, type AuditDraft, AuditTrail } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, digestOf, DomainError, orThrow, publicId } from '../../../platform/kernel/index.js';
import { ArtifactsService } from '../../uploads/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import { isEnded, reviewFlow, type ReviewStatus } from '../domain/review.js';
import { ReviewPreconditionsService } from './review-preconditions.service.js';
import { type NoteDraft, ReviewNotesService } from './review-notes.service.js';
import { ReviewQueries, type NoteRow, type ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';

/** Operators' actions on a case, each in one commit with its audit entry. They return the id of the case. */
@Injectable()
export class ReviewWorkflowService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly notes: ReviewNotesService,
    private readonly reviewPreconditions: ReviewPreconditionsService,
    private readonly artifacts: ArtifactsService,
  ) {}

  /** Assigns a case to an operator, or unassigns it. An operator who takes an open case begins its analysis. */
  async assign(ctx: ActorContext, id: string, assigneeId: string | null): Promise<string> {
    if (assigneeId !== null) await this.reviewPreconditions.requireReviewer(ctx.organisationId, assigneeId);
    return this.change(ctx, id, async (tx, review, at) => {
      if (isEnded(review.status)) throw conflict('status', 'CLOSED', 'A closed case belongs to nobody.');
      await this.reviews.assign(tx, id, assigneeId, at);
      const content = {
        assignee: assigneeId === null ? null : publicId('opr', assigneeId),
        before: review.assigneeId === null ? null : publicId('opr', review.assigneeId),
      };
      const entries = [reviewAuditDraft(ctx, id, 'review.assigned', at, content)];
      if (review.status === 'OPEN' && assigneeId === ctx.actor.id) {
        entries.push(...(await this.beginAnalysis(tx, ctx, review, at)));
      }
      return entries;
    });
  }

  /** Adds a note, even to a closed case. The first note on an open case starts its analysis. */
  async note(ctx: ActorContext, id: string, draft: NoteDraft): Promise<string> {
    const note = await this.composeNote(ctx, id, draft);
    return this.change(ctx, id, async (tx, review, at) => {
      const beginEntries = review.status === 'OPEN' ? await this.beginAnalysis(tx, ctx, review, at) : [];
      return [...beginEntries, await this.storeNote(tx, ctx, note, 'review.noted', at)];
    });
  }

  /** Requests information: the case is AWAITING_INFO until `receiveInfo`. */
  async requestInfo(ctx: ActorContext, id: string, text: string): Promise<string> {
    const note = await this.composeNote(ctx, id, { kind: 'INFO_REQUEST', text });
    return this.change(ctx, id, async (tx, review, at) => {
      const beginEntries = review.status === 'OPEN' ? await this.beginAnalysis(tx, ctx, review, at) : [];
      const from = review.status === 'OPEN' ? 'IN_ANALYSIS' : review.status;
      await this.move(tx, id, from, 'AWAITING_INFO', at);
      return [...beginEntries, await this.storeNote(tx, ctx, note, 'review.info_requested', at)];
    });
  }

  /** The requested information has arrived: returns the case to analysis. */
  async receiveInfo(ctx: ActorContext, id: string, draft: Omit<NoteDraft, 'kind'>): Promise<string> {
    const note = await this.composeNote(ctx, id, { ...draft, kind: 'INFO' });
    return this.change(ctx, id, async (tx, review, at) => {
      if (review.status !== 'AWAITING_INFO') throw illegalMoveError(review.status, 'IN_ANALYSIS');
      await this.move(tx, id, 'AWAITING_INFO', 'IN_ANALYSIS', at);
      return [await this.storeNote(tx, ctx, note, 'review.info_received', at)];
    });
  }

  private async beginAnalysis(tx: Tx, ctx: ActorContext, review: ReviewRow, at: Date): Promise<AuditDraft[]> {
    if (!(await this.reviews.startAnalysis(tx, review.id, at))) {
      throw illegalMoveError(review.status, 'IN_ANALYSIS');
    }
    return [reviewAuditDraft(ctx, review.id, 'review.begun', at, {})];
  }

  private async move(tx: Tx, id: string, from: ReviewStatus, to: ReviewStatus, at: Date): Promise<void> {
    if (!reviewFlow.allows(from, to) || !(await this.reviews.move(tx, id, from, to, at))) {
      throw illegalMoveError(from, to);
    }
  }

  private async storeNote(
    tx: Tx,
    ctx: ActorContext,
    note: NoteRow,
    action: 'review.noted' | 'review.info_requested' | 'review.info_received',
    at: Date,
  ): Promise<AuditDraft> {
    await this.reviews.insertNote(tx, note);
    return reviewAuditDraft(ctx, note.reviewId, action, at, {
      note: publicId('nte', note.id),
      text: digestOf(note.sealed),
      artifacts: note.artifactIds.map((id) => publicId('art', id)),
    });
  }

  private async composeNote(ctx: ActorContext, id: string, draft: NoteDraft): Promise<NoteRow> {
    const review = await this.queries.get(ctx.organisationId, id);
    // A file of another organisation gets the same error as an unknown file.
    for (const file of draft.artifactIds ?? []) await this.artifacts.get(ctx.organisationId, file);
    return this.notes.compose(review, ctx.actor.id, draft, new Date(this.clock.now()));
  }

  /** Locks a case, runs an action on it, and stores its audit entries. */
  private async change(
    ctx: ActorContext,
    id: string,
    step: (tx: Tx, review: ReviewRow, at: Date) => Promise<AuditDraft[]>,
  ): Promise<string> {
    const { organisationId } = ctx;
    await this.uow.run(organisationId, async (tx) => {
      const review = orThrow(await this.reviews.lock(tx, organisationId, id), 'REVIEW_NOT_FOUND');
      await this.audit.record(tx, await step(tx, review, new Date(this.clock.now())));
    });
    return id;
  }
}

const illegalMoveError = (from: ReviewStatus, to: ReviewStatus): DomainError =>
  conflict('status', 'NOT_FROM_HERE', `A case that is ${from} cannot become ${to}.`);
