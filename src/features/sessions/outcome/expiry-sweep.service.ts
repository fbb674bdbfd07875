import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { sessionSystemActor, type SessionActorContext } from '../actor-context.js';
import { SessionCompletionNotifier } from './session-completion-notifier.js';
import { SessionEventPublisher } from './session-event-publisher.js';
import { RoundExpiryService } from './round-expiry.service.js';
import type { SessionRow } from '../domain/records.js';
import { SessionRepository } from '../store/session.repository.js';

const BATCH = 100;

/**
 * Ends expired sessions, by the clock of the database. Any number of processes may run it: the statement lets one of
 * them succeed, and none after a submission in time.
 */
@Injectable()
export class ExpirySweepService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly events: SessionEventPublisher,
    private readonly sessionCompletionNotifier: SessionCompletionNotifier,
    private readonly sessions: SessionRepository,
    private readonly roundExpiry: RoundExpiryService,
  ) {}

  /** Ends expired sessions. Returns how many this call ended. */
  @Periodic({
    everyMs: (settings) => settings.sessionSweepMs,
    otherwise: 'links stay open beyond their time',
    runsIn: 'workers',
  })
  async sweep(): Promise<number> {
    let endedCount = 0;
    for (;;) {
      const overdue = await this.sessions.findOverdue(BATCH);
      for (const session of overdue) endedCount += await this.expire(session);
      if (overdue.length < BATCH) return endedCount;
    }
  }

  /** Ends sessions one by one, because each has its own event and person. */
  private async expire(session: SessionRow): Promise<number> {
    if (session.round > 1) return this.roundExpiry.expireRound(sweepActor(session), session, false);
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.composeEnded(session, occurredAt, null);
    const ctx = sweepActor(session);
    return this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.sessions.expire(tx, session))) return 0;
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', session.id, 'session.expired', occurredAt, { status: 'EXPIRED' }),
      );
      await this.events.publish(tx, event);
      await this.sessionCompletionNotifier.notify(tx, session);
      return 1;
    });
  }
}

const sweepActor = (session: SessionRow): SessionActorContext =>
  sessionSystemActor(session.organisationId, 'sessions.sweep', { ...session, requestId: null });
