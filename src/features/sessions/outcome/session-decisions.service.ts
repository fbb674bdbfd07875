import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, newUuid, required } from '../../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import { decisionContentOf, ReviewEffectsService, type DecidedReview } from '../../reviews/index.js';
import { sessionSystemActor } from '../actor-context.js';
import { SessionApprovalsService } from './session-approvals.service.js';
import { SessionCompletionNotifier } from './session-completion-notifier.js';
import { RoundExpiryService } from './round-expiry.service.js';
import { SessionEventPublisher } from './session-event-publisher.js';
import { SessionDecisionEntity } from '../store/entities.js';
import { SessionRepository } from '../store/session.repository.js';

const NAME = 'sessions.review-decided';
const TARGET = 'SESSIONS';

/** Sets the outcome that a person decided for a session, and publishes it. The findings do not change. */
@Injectable()
export class SessionDecisionsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly effects: ReviewEffectsService,
    private readonly events: SessionEventPublisher,
    private readonly sessions: SessionRepository,
    private readonly sessionCompletionNotifier: SessionCompletionNotifier,
    private readonly approvals: SessionApprovalsService,
    private readonly roundExpiry: RoundExpiryService,
  ) {}

  /** Finds decisions that are not carried out and have no job. */
  findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.effects.findWaiting(tx, TARGET, which);
  }

  /** Carries out these decisions, unless that has happened already. */
  async applyDecisions(reviewIds: readonly string[]): Promise<void> {
    await this.effects.applyDecisions(TARGET, reviewIds, async (decided) => {
      const { sessionRef } = decided;
      if (sessionRef === null || !(await this.isOver(decided, sessionRef))) return;
      await this.effects.commitEffect(TARGET, decided, true, () => this.decide(decided, sessionRef));
    });
  }

  /** True if the session has ended. A decision ends a running resubmission round, then waits for the checks. */
  private async isOver({ organisationId }: DecidedReview, sessionRef: string): Promise<boolean> {
    const session = await this.sessions.find(organisationId, sessionRef);
    if (session?.status === 'PENDING' && session.round > 1) {
      const ctx = sessionSystemActor(organisationId, NAME, { ...session, requestId: null });
      await this.roundExpiry.expireRound(ctx, session, true);
    }
    return session?.status !== 'PENDING' && session?.status !== 'PROCESSING';
  }

  private async decide(decided: DecidedReview, sessionRef: string): Promise<(tx: Tx) => Promise<void>> {
    const { organisationId, reviewId, outcome, decidedAt } = decided;
    const session = await this.sessions.find(organisationId, sessionRef);
    if (session?.status !== 'COMPLETED' || session.defensible === null) {
      throw new Error('a decision about a session that is not completed');
    }
    const { riskScore, defensible } = session;
    const sequence = await this.events.nextSequence(session);
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.composeDecided(session, sequence, occurredAt, {
      outcome,
      riskScore,
      defensible,
    });
    const approve = outcome === 'APPROVED' ? await this.approvals.prepareApproval(session, NAME) : null;
    const ctx = sessionSystemActor(organisationId, NAME, { ...session, requestId: null });
    return async (tx) => {
      const [entry] = await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', sessionRef, 'session.decided', occurredAt, decisionContentOf(decided)),
      );
      await tx.insert(SessionDecisionEntity, {
        id: newUuid(),
        organisationId,
        sessionId: sessionRef,
        reviewId,
        outcome,
        eventSequence: sequence,
        decidedAt,
        trailHash: required(entry, 'the audit entry of a decision').hash,
      });
      await this.events.publish(tx, event);
      await approve?.(tx, occurredAt);
      // The transactions that requested the session were re-evaluated at its end, with the outcome of the checks. They
      // are notified again only if the decision differs.
      const wasPassed = session.outcome === 'APPROVED';
      if ((outcome === 'APPROVED') !== wasPassed) await this.sessionCompletionNotifier.renotify(tx, session);
    };
  }
}
