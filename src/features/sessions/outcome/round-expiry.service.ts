import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { SessionActorContext } from '../actor-context.js';
import type { SessionRow } from '../domain/records.js';
import { SessionRepository } from '../store/session.repository.js';

/**
 * Ends a resubmission round that nobody submitted. The checks run with the evidence so far, because a session that was
 * submitted once gets a result.
 */
@Injectable()
export class RoundExpiryService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly sessions: SessionRepository,
  ) {}

  /** Ends the round: immediately with `now`, else only if it has expired. Returns 1 if this call ended it, else 0. */
  async expireRound(ctx: SessionActorContext, session: SessionRow, now: boolean): Promise<number> {
    const at = new Date(this.clock.now());
    return this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.sessions.expireRound(tx, session, now))) return 0;
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', session.id, 'session.round_lapsed', at, { round: session.round }),
      );
      this.outbox.append(tx, 'sessions.checks', [session.id]);
      return 1;
    });
  }
}
