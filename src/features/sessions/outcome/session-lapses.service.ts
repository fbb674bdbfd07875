import { Injectable } from '@nestjs/common';
import { AuditTrail, stepOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { ActorContext } from '../actor-context.js';
import type { SessionRow } from '../domain/records.js';
import { SessionRepository } from '../store/session.repository.js';

/**
 * Ends a later round in which nothing came: the session goes through the checks with what there is, as one that was
 * submitted once has a result.
 */
@Injectable()
export class SessionLapses {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly sessions: SessionRepository,
  ) {}

  /** With `now` somebody says so, otherwise the time has to be over. Returns how many ended: 1 or 0. */
  async lapse(ctx: ActorContext, session: SessionRow, now: boolean): Promise<number> {
    const at = new Date(this.clock.now());
    return this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.sessions.lapse(tx, session, now))) return 0;
      await this.audit.record(tx, [
        stepOf(ctx, 'session', session.id, 'session.round_lapsed', at, { round: session.round }),
      ]);
      this.outbox.append(tx, 'sessions.checks', [session.id]);
      return 1;
    });
  }
}
