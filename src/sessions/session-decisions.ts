import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditTrail, stepOf } from '../audit/index.js';
import { again, isOvertaken, UnitOfWork } from '../database/index.js';
import { Clock, newUuid, publicId } from '../kernel/index.js';
import { Outbox, Reconciler } from '../queue/index.js';
import { ReviewEffects, type DecidedReview } from '../reviews/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { actingSystem } from './acting.js';
import { SessionEvents } from './session-events.js';
import { SessionDecisionRepository } from './store/session-decision.repository.js';
import { SessionRepository } from './store/session.repository.js';
import { StepUpRepository } from './store/step-up.repository.js';

const NAME = 'sessions.review-decided';
const TARGET = 'SESSIONS';
const MAX_TRIES = 5;

/** Gives sessions the outcome that a person decided on, and says so; what the checks found stays as it was. */
@Injectable()
export class SessionDecisions implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly effects: ReviewEffects,
    private readonly publisher: EventPublisher,
    private readonly events: SessionEvents,
    private readonly sessions: SessionRepository,
    private readonly decisions: SessionDecisionRepository,
    private readonly reconciler: Reconciler,
    private readonly outbox: Outbox,
    private readonly stepUps: StepUpRepository,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this.effects.waiting(NAME, TARGET));
  }

  /** Carries out those of these decisions that are not carried out yet. Safe to repeat, and after a crash. */
  async carryOut(reviewIds: readonly string[]): Promise<void> {
    for (const decided of await this.effects.pending(TARGET, reviewIds)) {
      // Again when another event took the place of this one meanwhile.
      await again(MAX_TRIES, isOvertaken, () => this.decide(decided));
    }
  }

  private async decide(decided: DecidedReview): Promise<void> {
    const { organisationId, reviewId, sessionRef, outcome, resolution, maker, checker, decidedAt } = decided;
    if (sessionRef === null) return;
    const session = await this.sessions.find(organisationId, sessionRef);
    if (session?.status !== 'COMPLETED' || session.defensible === null) {
      throw new Error('a decision about a session that is not completed');
    }
    const { riskScore, defensible } = session;
    const sequence = (await this.decisions.newestSequence(organisationId, sessionRef)) + 1;
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.decided(session, sequence, occurredAt, {
      outcome,
      riskScore,
      defensible,
    });
    const acting = actingSystem(organisationId, NAME, {
      requestId: null,
      correlationId: session.correlationId,
      traceparent: session.traceparent,
    });
    await this.uow.run(organisationId, async (tx) => {
      // Whoever else carries out the same decision waits here, and then finds it done.
      if (!(await this.effects.hold(tx, TARGET, reviewId))) return;
      const [entry] = await this.audit.record(tx, [
        stepOf(acting, 'session', sessionRef, 'session.decided', occurredAt, {
          review: publicId('rev', reviewId),
          resolution,
          outcome,
          maker: publicId('opr', maker),
          checker: publicId('opr', checker),
        }),
      ]);
      await this.decisions.insert(tx, {
        id: newUuid(),
        organisationId,
        sessionId: sessionRef,
        reviewId,
        outcome,
        eventSequence: sequence,
        decidedAt,
        trailHash: entry?.hash ?? Buffer.alloc(0),
      });
      await this.publisher.publish(tx, [event]);
      // The transactions that asked for it were judged again when it ended, without this approval.
      if (outcome === 'APPROVED' && (await this.stepUps.announceAgain(tx, organisationId, sessionRef)) > 0) {
        this.outbox.append(tx, 'kyt.step-up-finished', [sessionRef]);
      }
      await this.effects.arrived(tx, TARGET, reviewId);
    });
  }
}
