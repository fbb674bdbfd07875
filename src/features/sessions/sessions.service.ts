import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../audit/index.js';
import { CustomersService } from '../customers/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Clock, conflict, DomainError, orThrow } from '../../platform/kernel/index.js';
import type { SessionActorContext } from './actor-context.js';
import { SessionCompletionNotifier } from './outcome/session-completion-notifier.js';
import { SessionEventPublisher } from './outcome/session-event-publisher.js';
import { RoundExpiryService } from './outcome/round-expiry.service.js';
import { SessionLinkFactory } from './link/session-link-factory.js';
import { idRangeOfProtocol } from './domain/making/protocol.js';
import type { SessionFilter, SessionRow } from './domain/records.js';
import { SessionRepository } from './store/session.repository.js';

/** Finds and cancels sessions for applications and operators. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly links: SessionLinkFactory,
    private readonly events: SessionEventPublisher,
    private readonly sessionCompletionNotifier: SessionCompletionNotifier,
    private readonly sessions: SessionRepository,
    private readonly roundExpiry: RoundExpiryService,
  ) {}

  /** Cancels a PENDING session; in a resubmission round, ends the round. */
  async cancel(ctx: SessionActorContext, id: string): Promise<SessionRow> {
    const { organisationId } = ctx;
    const session = await this.get(organisationId, id);
    if (session.status !== 'PENDING') throw notPendingError();
    if (session.round > 1) {
      if ((await this.roundExpiry.expireRound(ctx, session, true)) === 0) throw notPendingError();
      return this.get(organisationId, id);
    }
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.composeEnded(session, occurredAt, null);
    await this.uow.run(organisationId, async (tx) => {
      if (!(await this.sessions.cancel(tx, organisationId, id))) throw notPendingError();
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', id, 'session.cancelled', occurredAt, { status: 'EXPIRED' }),
      );
      await this.events.publish(tx, event);
      await this.sessionCompletionNotifier.notify(tx, session);
    });
    return this.get(organisationId, id);
  }

  async get(organisationId: string, id: string): Promise<SessionRow> {
    return orThrow(await this.sessions.find(organisationId, id), 'SESSION_NOT_FOUND');
  }

  async findByLink(organisationId: string, sessionId: string): Promise<SessionRow> {
    const hash = this.links.hashOf(sessionId);
    const session = hash && (await this.sessions.findByLink(hash));
    if (session?.organisationId !== organisationId) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  /** Returns the session with a protocol number that somebody reads out. */
  async findByProtocol(organisationId: string, protocol: string): Promise<SessionRow> {
    const span = idRangeOfProtocol(protocol);
    const session = span && (await this.sessions.findByProtocol(organisationId, span));
    if (!session) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  async page(
    organisationId: string,
    filter: SessionFilter,
    before: string | null,
    limit: number,
  ): Promise<SessionRow[]> {
    // A merged customer has the sessions of the surviving customer.
    const customerId = await this.customers.resolveId(organisationId, filter.customerId);
    return this.sessions.page(organisationId, { ...filter, customerId }, before, limit);
  }
}

const notPendingError = (): DomainError =>
  conflict('status', 'NOT_PENDING', 'Only a session that nobody has submitted can be cancelled.');
