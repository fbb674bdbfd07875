import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditTrail, stepOf } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { isDatabaseAway, UnitOfWork } from '../database/index.js';
import { Clock } from '../kernel/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { actingSystem } from './acting.js';
import { SessionEvents } from './session-events.js';
import type { SessionRow } from './domain/records.js';
import { SessionRepository } from './store/session.repository.js';

const BATCH = 100;

/**
 * Ends sessions whose time is over by the clock of the database. Any number of processes may do it: the statement lets
 * one of them win, and nobody loses to it who submitted in time.
 */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ExpirySweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly events: SessionEvents,
    private readonly sessions: SessionRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.sweep()
        .catch((error: unknown) => {
          const away = isDatabaseAway(error);
          this.logger.warn(
            away
              ? 'links stay until the database is back'
              : `links stay: ${error instanceof Error ? error.name : 'unknown error'}`,
          );
        })
        .finally(() => {
          this.running = undefined;
        });
    }, this.settings.sessionSweepMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Ends what is over and returns how many this call ended. */
  async sweep(): Promise<number> {
    let ended = 0;
    for (;;) {
      const overdue = await this.sessions.overdue(BATCH);
      for (const session of overdue) ended += await this.expire(session);
      if (overdue.length < BATCH) return ended;
    }
  }

  /** One at a time: each has an event of its own and a person of its own. */
  private async expire(session: SessionRow): Promise<number> {
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.ended(session, occurredAt, null);
    const acting = actingSystem(session.organisationId, 'sessions.sweep', {
      requestId: null,
      correlationId: session.correlationId,
      traceparent: session.traceparent,
    });
    return this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.sessions.expire(tx, [session.id])).has(session.id)) return 0;
      await this.audit.record(tx, [
        stepOf(acting, 'session', session.id, 'session.expired', occurredAt, { status: 'EXPIRED' }),
      ]);
      await this.publisher.publish(tx, [event]);
      return 1;
    });
  }
}
