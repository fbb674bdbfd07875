import { Injectable } from '@nestjs/common';
import { AuditTrail, stepOf } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { Clock, newUuid, present } from '../../kernel/index.js';
import type { Unfinished } from '../../queue/index.js';
import { contentOf, ReviewEffects, type DecidedReview } from '../../reviews/index.js';
import { systemActor } from '../actor-context.js';
import { SessionDeclarations } from './session-declarations.service.js';
import { SessionEnds } from './session-ends.js';
import { SessionEvents } from './session-events.js';
import { SessionDecisionEntity } from '../store/entities/session-decision.entity.js';
import { newestSequence } from '../store/session-events.statements.js';
import { SessionRepository } from '../store/session.repository.js';

const NAME = 'sessions.review-decided';
const TARGET = 'SESSIONS';

/** Gives sessions the outcome that a person decided on, and says so; what the checks found stays as it was. */
@Injectable()
export class SessionDecisions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly effects: ReviewEffects,
    private readonly events: SessionEvents,
    private readonly sessions: SessionRepository,
    private readonly ends: SessionEnds,
    private readonly declarations: SessionDeclarations,
  ) {}

  /** Decisions that have not arrived and that no job points at. */
  waiting(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.effects.waiting(tx, TARGET, which);
  }

  /** Carries out those of these decisions that are not carried out yet. */
  async carryOut(reviewIds: readonly string[]): Promise<void> {
    await this.effects.carryOut(TARGET, reviewIds, async (decided) => {
      const { sessionRef } = decided;
      if (sessionRef === null) return;
      await this.effects.commit(TARGET, decided, true, () => this.decide(decided, sessionRef));
    });
  }

  private async decide(decided: DecidedReview, sessionRef: string): Promise<(tx: Tx) => Promise<void>> {
    const { organisationId, reviewId, outcome, decidedAt } = decided;
    const session = await this.sessions.find(organisationId, sessionRef);
    if (session?.status !== 'COMPLETED' || session.defensible === null) {
      throw new Error('a decision about a session that is not completed');
    }
    const { riskScore, defensible } = session;
    const newest = await this.uow.read(organisationId, (db) =>
      newestSequence(db, organisationId, sessionRef),
    );
    const sequence = newest + 1;
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.decided(session, sequence, occurredAt, {
      outcome,
      riskScore,
      defensible,
    });
    const declaration = outcome === 'APPROVED' ? await this.declarations.prepareStored(session) : null;
    const ctx = systemActor(organisationId, NAME, { ...session, requestId: null });
    return async (tx) => {
      const [entry] = await this.audit.record(tx, [
        stepOf(ctx, 'session', sessionRef, 'session.decided', occurredAt, contentOf(decided)),
      ]);
      await tx.insert(SessionDecisionEntity, {
        id: newUuid(),
        organisationId,
        sessionId: sessionRef,
        reviewId,
        outcome,
        eventSequence: sequence,
        decidedAt,
        trailHash: present(entry, 'the audit entry of a decision').hash,
      });
      await this.events.publish(tx, event);
      if (declaration) await this.declarations.write(tx, session, declaration, NAME);
      // The transactions that asked for it were judged again when it ended, by another outcome than this.
      const wasPassed = session.outcome === 'APPROVED';
      if ((outcome === 'APPROVED') !== wasPassed) await this.ends.tellAgain(tx, session);
    };
  }
}
