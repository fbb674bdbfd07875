import { Injectable } from '@nestjs/common';
import { type Acting, type AuditDraft, AuditTrail } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { OperatorRoster, requireSecondPerson, type OperatorPrincipal } from '../http/index.js';
import { Clock, digestOf, DomainError, publicId } from '../kernel/index.js';
import { ArtifactsService } from '../uploads/index.js';
import { stepOf } from './acting.js';
import { reportDeadline, retainUntil } from './domain/clocks.js';
import { reviewFlow, type ReportDecision, type Resolution, type ReviewStatus } from './domain/review.js';
import { ReviewEffects } from './review-effects.js';
import { ReviewGates } from './review-gates.js';
import { type NoteDraft, ReviewNotes } from './review-notes.js';
import { ReviewQueries, type ReviewRow } from './store/review.queries.js';
import { ReviewRepository, type NewNote } from './store/review.repository.js';

/** What the first person proposes. */
export interface Decision {
  readonly resolution: Resolution;
  readonly report: ReportDecision;
  readonly justification: string;
  /** The state of the case that the decision is about; the newest when left out. */
  readonly revision?: number | undefined;
}

/** What the second person says to it. */
export interface Verdict {
  readonly approved: boolean;
  /** Why not; needed to send a proposal back. */
  readonly comment?: string | undefined;
}

/** What reviewers do with a case, each step with its audit entry in one commit. */
@Injectable()
export class ReviewDesk {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly roster: OperatorRoster,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
    private readonly notes: ReviewNotes,
    private readonly gates: ReviewGates,
    private readonly effects: ReviewEffects,
    private readonly artifacts: ArtifactsService,
  ) {}

  async get(organisationId: string, id: string): Promise<ReviewRow> {
    const review = await this.queries.find(organisationId, id);
    if (!review) throw new DomainError('REVIEW_NOT_FOUND');
    return review;
  }

  /** Gives a case to somebody, or to nobody. Whoever takes a case for themselves has begun with it. */
  async assign(acting: Acting, id: string, assigneeId: string | null): Promise<ReviewRow> {
    if (assigneeId !== null) await this.requireReviewer(acting.organisationId, assigneeId);
    return this.change(acting, id, async (tx, review, at) => {
      if (review.status === 'CLOSED') throw conflict('status', 'CLOSED', 'A closed case belongs to nobody.');
      await this.reviews.assign(tx, id, assigneeId, at);
      const content = {
        assignee: assigneeId === null ? null : publicId('opr', assigneeId),
        before: review.assigneeId === null ? null : publicId('opr', review.assigneeId),
      };
      const entries = [stepOf(acting, id, 'review.assigned', at, content)];
      if (review.status === 'OPEN' && assigneeId === acting.actor.id) {
        entries.push(...(await this.begin(tx, acting, review, at)));
      }
      return entries;
    });
  }

  /** Writes something down. A note about an open case is where its analysis begins; a closed one takes notes as well. */
  async note(acting: Acting, id: string, draft: NoteDraft): Promise<ReviewRow> {
    const note = await this.composed(acting, id, draft);
    return this.change(acting, id, async (tx, review, at) => {
      const begun = review.status === 'OPEN' ? await this.begin(tx, acting, review, at) : [];
      return [...begun, await this.noted(tx, acting, note, 'review.noted', at)];
    });
  }

  /** Asks for what is missing; the case waits until it is there. */
  async requestInfo(acting: Acting, id: string, text: string): Promise<ReviewRow> {
    const note = await this.composed(acting, id, { kind: 'INFO_REQUEST', text });
    return this.change(acting, id, async (tx, review, at) => {
      const begun = review.status === 'OPEN' ? await this.begin(tx, acting, review, at) : [];
      const from = review.status === 'OPEN' ? 'IN_ANALYSIS' : review.status;
      await this.move(tx, id, from, 'AWAITING_INFO', at);
      return [...begun, await this.noted(tx, acting, note, 'review.info_requested', at)];
    });
  }

  /** What was asked for is there. */
  async receiveInfo(acting: Acting, id: string, draft: Omit<NoteDraft, 'kind'>): Promise<ReviewRow> {
    const note = await this.composed(acting, id, { ...draft, kind: 'INFO' });
    return this.change(acting, id, async (tx, review, at) => {
      if (review.status !== 'AWAITING_INFO') throw illegal(review.status, 'IN_ANALYSIS');
      await this.move(tx, id, 'AWAITING_INFO', 'IN_ANALYSIS', at);
      return [await this.noted(tx, acting, note, 'review.info_received', at)];
    });
  }

  /**
   * Proposes how a case ends. Refused while a hit is undecided (unless it is to be rejected) and on a trail with gaps.
   * It takes effect when somebody else approves it.
   */
  async decide(acting: Acting, id: string, decision: Decision): Promise<ReviewRow> {
    const review = await this.get(acting.organisationId, id);
    const from = review.status === 'OPEN' ? 'IN_ANALYSIS' : review.status;
    if (!reviewFlow.allows(from, 'PENDING_APPROVAL')) throw illegal(review.status, 'PENDING_APPROVAL');
    await this.gates.refuseBrokenTrails(review);
    const note = await this.composed(acting, id, { kind: 'JUSTIFICATION', text: decision.justification });
    const justification = await this.notes.justification(review, decision.justification);
    const { resolution, report, revision = review.revision } = decision;
    return this.change(acting, id, async (tx, locked, at) => {
      if (locked.revision !== revision) {
        throw conflict('revision', 'CHANGED', 'Something was added to the case; read it again.');
      }
      const begun = locked.status === 'OPEN' ? await this.begin(tx, acting, locked, at) : [];
      if (locked.status !== 'OPEN' && !reviewFlow.allows(locked.status, 'PENDING_APPROVAL')) {
        throw illegal(locked.status, 'PENDING_APPROVAL');
      }
      await this.gates.refuseOpenHits(tx, locked, resolution);
      const by = acting.actor.id;
      if (!(await this.reviews.propose(tx, id, { by, at, resolution, report, justification, revision }))) {
        throw illegal(locked.status, 'PENDING_APPROVAL');
      }
      await this.reviews.insertNote(tx, note);
      const content = { resolution, report, revision, justification: digestOf(note.sealed) };
      return [...begun, stepOf(acting, id, 'review.decided', at, content)];
    });
  }

  /** Takes one's own proposal back. */
  async withdraw(acting: Acting, id: string, reason: string): Promise<ReviewRow> {
    const note = await this.composed(acting, id, { kind: 'RETURN', text: reason });
    return this.change(acting, id, async (tx, review, at) => {
      if (review.status !== 'PENDING_APPROVAL') throw illegal(review.status, 'IN_ANALYSIS');
      // Whoever did not make it has something to say to it, not to take it back.
      if (review.proposedBy !== acting.actor.id) throw new DomainError('PERMISSION_DENIED');
      return this.returned(tx, acting, review, note, at, 'WITHDRAWN');
    });
  }

  /** Says yes or no to what somebody else has proposed. */
  async approve(
    operator: OperatorPrincipal,
    acting: Acting,
    id: string,
    verdict: Verdict,
  ): Promise<ReviewRow> {
    const review = await this.get(acting.organisationId, id);
    this.requireChecker(review, operator);
    if (verdict.approved) await this.gates.refuseBrokenTrails(review);
    const note =
      verdict.comment === undefined
        ? null
        : await this.composed(acting, id, {
            kind: verdict.approved ? 'NOTE' : 'RETURN',
            text: verdict.comment,
          });
    return this.change(acting, id, async (tx, locked, at) => {
      this.requireChecker(locked, operator);
      if (!verdict.approved) {
        if (!note) throw conflict('comment', 'REQUIRED', 'Say why the proposal is sent back.');
        return this.returned(tx, acting, locked, note, at, 'NOT_APPROVED');
      }
      return this.close(tx, acting, locked, note, at);
    });
  }

  private async close(
    tx: Tx,
    acting: Acting,
    review: ReviewRow,
    note: NewNote | null,
    at: Date,
  ): Promise<AuditDraft[]> {
    const { id, organisationId, resolution, report } = review;
    if (resolution === null || report === null) throw illegal(review.status, 'CLOSED');
    if (review.proposedRevision !== review.revision) {
      throw conflict(
        'revision',
        'CHANGED',
        'Something was added to the case after the proposal; send it back.',
      );
    }
    await this.gates.refuseOpenHits(tx, review, resolution);
    const closing = {
      by: acting.actor.id,
      at,
      reportDeadline: report === 'COMMUNICATE' ? reportDeadline(at) : null,
      retainUntil: retainUntil(at),
    };
    if (!(await this.reviews.close(tx, id, closing))) throw illegal(review.status, 'CLOSED');
    if (note) await this.reviews.insertNote(tx, note);
    await this.effects.announce(tx, review);
    return [
      stepOf(acting, id, 'review.closed', at, {
        resolution,
        report,
        maker: review.proposedBy === null ? null : publicId('opr', review.proposedBy),
        transactions: review.linked,
        organisation: publicId('org', organisationId),
      }),
    ];
  }

  private async returned(
    tx: Tx,
    acting: Acting,
    review: ReviewRow,
    note: NewNote,
    at: Date,
    why: 'WITHDRAWN' | 'NOT_APPROVED',
  ): Promise<AuditDraft[]> {
    if (!(await this.reviews.takeBack(tx, review.id, at))) throw illegal(review.status, 'IN_ANALYSIS');
    await this.reviews.insertNote(tx, note);
    const content = { why, resolution: review.resolution, reason: digestOf(note.sealed) };
    return [stepOf(acting, review.id, 'review.returned', at, content)];
  }

  private async begin(tx: Tx, acting: Acting, review: ReviewRow, at: Date): Promise<AuditDraft[]> {
    if (!(await this.reviews.begin(tx, review.id, at))) throw illegal(review.status, 'IN_ANALYSIS');
    return [stepOf(acting, review.id, 'review.begun', at, {})];
  }

  private async move(tx: Tx, id: string, from: ReviewStatus, to: ReviewStatus, at: Date): Promise<void> {
    if (!reviewFlow.allows(from, to) || !(await this.reviews.move(tx, id, from, to, at))) {
      throw illegal(from, to);
    }
  }

  private async noted(
    tx: Tx,
    acting: Acting,
    note: NewNote,
    action: 'review.noted' | 'review.info_requested' | 'review.info_received',
    at: Date,
  ): Promise<AuditDraft> {
    await this.reviews.insertNote(tx, note);
    return stepOf(acting, note.reviewId, action, at, {
      note: publicId('nte', note.id),
      text: digestOf(note.sealed),
      artifacts: note.artifactIds.map((id) => publicId('art', id)),
    });
  }

  private async composed(acting: Acting, id: string, draft: NoteDraft): Promise<NewNote> {
    const review = await this.get(acting.organisationId, id);
    // A file of somebody else is answered as one that never was.
    for (const file of draft.artifactIds ?? []) await this.artifacts.get(acting.organisationId, file);
    return this.notes.compose(review, acting.actor.id, draft, new Date(this.clock.now()));
  }

  /** Runs one step on a case that is held meanwhile, and stores its audit entries. */
  private async change(
    acting: Acting,
    id: string,
    step: (tx: Tx, review: ReviewRow, at: Date) => Promise<AuditDraft[]>,
  ): Promise<ReviewRow> {
    const { organisationId } = acting;
    await this.uow.run(organisationId, async (tx) => {
      const review = await this.reviews.lock(tx, organisationId, id);
      if (!review) throw new DomainError('REVIEW_NOT_FOUND');
      await this.audit.record(tx, await step(tx, review, new Date(this.clock.now())));
    });
    return this.get(organisationId, id);
  }

  private requireChecker(review: ReviewRow, operator: OperatorPrincipal): void {
    if (review.status !== 'PENDING_APPROVAL') throw illegal(review.status, 'CLOSED');
    requireSecondPerson(review.proposedBy ?? '', operator);
  }

  private async requireReviewer(organisationId: string, operatorId: string): Promise<void> {
    const found = (await this.roster.enabled(organisationId)).find(({ id }) => id === operatorId);
    if (found?.permissions.has('reviews:work') === true) return;
    throw new DomainError('VALIDATION_FAILED', {
      details: [
        {
          path: 'assigneeId',
          code: 'NOT_A_REVIEWER',
          message: 'Must be an operator of this organisation who may work on reviews.',
        },
      ],
    });
  }
}

const conflict = (path: string, code: string, message: string): DomainError =>
  new DomainError('STATE_CONFLICT', { details: [{ path, code, message }] });

const illegal = (from: ReviewStatus, to: ReviewStatus): DomainError =>
  conflict('status', 'NOT_FROM_HERE', `A case that is ${from} cannot become ${to}.`);
