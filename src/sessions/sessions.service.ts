import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  CHAIN_START,
  type ComposedEntry,
  composeEntry,
  nameOfActor,
  stepOf,
} from '../audit/index.js';
import { ClientAppQueries } from '../auth/index.js';
import { CustomersService } from '../customers/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Clock, DomainError, newUuid, type ErrorDetail } from '../kernel/index.js';
import { Vault } from '../privacy/index.js';
import { EventPublisher, type ComposedEvent } from '../webhooks/index.js';
import type { Acting } from './acting.js';
import { EXPIRY_MINUTES } from './domain/flow.js';
import type { SessionTrigger } from './domain/session.js';
import { FlowsService } from './flows.service.js';
import { linkContext, SessionEvents } from './session-events.js';
import { SessionLinks } from './session-links.js';
import type { NewSession, SessionFilter, SessionRow } from './domain/records.js';
import { SessionRepository } from './store/session.repository.js';

/** What a session is asked for with. */
export interface SessionRequest {
  readonly flowKey: string;
  readonly trigger: SessionTrigger;
  /** Whose session it is: a customer that is known, or the integrator's own id of one; neither, if nobody knows. */
  readonly customerId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  /** The application that the events go to; without it the customer's, else the organisation's first. */
  readonly clientAppId?: string | undefined;
  readonly expiresInMinutes?: number | undefined;
  /** The session that this one is another attempt of. */
  readonly previousSessionId?: string | undefined;
  readonly transaction?: { readonly ref: string; readonly evaluationVersion: number } | undefined;
}

/** A session that is ready to be written: everything that needs no transaction is done. */
export interface PreparedSession {
  readonly sessionId: string;
  readonly url: string;
  readonly row: NewSession;
  readonly entry: ComposedEntry;
  readonly event: ComposedEvent;
}

/** The link of a new session. */
export interface IssuedLink {
  readonly id: string;
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** Sessions as those see them who make them. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly publisher: EventPublisher,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly customers: CustomersService,
    private readonly apps: ClientAppQueries,
    private readonly flows: FlowsService,
    private readonly links: SessionLinks,
    private readonly events: SessionEvents,
    private readonly sessions: SessionRepository,
  ) {}

  /** Opens a session and returns its link, which nobody can read again later but those who may make links. */
  async open(acting: Acting, request: SessionRequest): Promise<IssuedLink> {
    const prepared = await this.prepare(acting, request);
    await this.uow.run(acting.organisationId, (tx) => this.issueLink(tx, prepared));
    const { sessionId, url, row } = prepared;
    return { id: row.id, sessionId, url, expiresAt: row.expiresAt };
  }

  /** Does everything about a new session that needs no transaction. */
  async prepare(acting: Acting, request: SessionRequest): Promise<PreparedSession> {
    const { organisationId } = acting;
    const flow = await this.flows.current(organisationId, request.flowKey);
    const previous = await this.previousOf(organisationId, request.previousSessionId);
    const { customerId, subjectIndex, clientAppId } = await this.whose(acting, request, previous);
    const now = this.clock.now();
    const minutes = request.expiresInMinutes ?? flow.definition.expiresInMinutes;
    const sessionId = this.links.make();
    const linkHash = this.links.hashOf(sessionId);
    if (!linkHash) throw new Error('a new session id does not look like one');
    const id = newUuid();
    const secrets = this.vault.organisationSubject(organisationId);
    await this.vault.prepare([secrets, { organisationId, index: subjectIndex }]);
    const occurredAt = new Date(now);
    const expiresAt = new Date(now + boundedMinutes(minutes) * 60_000);
    const entry = composeEntry(
      stepOf(acting, 'session', id, 'session.created', occurredAt, {
        flow: flow.key,
        flowVersion: flow.version,
        trigger: request.trigger,
        customerId,
        expiresAt: expiresAt.toISOString(),
        previousSessionId: previous?.id ?? null,
        transactionRef: request.transaction?.ref ?? null,
      }),
      CHAIN_START,
    );
    const row: NewSession = {
      id,
      organisationId,
      clientAppId,
      customerId,
      subjectIndex,
      flowId: flow.id,
      linkHash,
      linkSealed: this.vault.seal(sessionId, secrets, linkContext({ id, organisationId })),
      trigger: request.trigger,
      transactionRef: request.transaction?.ref ?? null,
      evaluationVersion: request.transaction?.evaluationVersion ?? null,
      previousSessionId: previous?.id ?? null,
      attempt: (previous?.attempt ?? 0) + 1,
      createdBy: nameOfActor(acting),
      requestId: acting.requestId,
      correlationId: acting.correlationId,
      traceparent: acting.traceparent,
      expiresAt,
      trailHash: entry.hash,
    };
    const event = this.events.created(row, sessionId, flow.definition.name['pt-BR'], occurredAt);
    return { sessionId, url: this.links.urlOf(sessionId), row, entry, event };
  }

  /** Writes a prepared session, with its audit entry and event, in the caller's commit. */
  async issueLink(tx: Tx, { row, entry, event }: PreparedSession): Promise<void> {
    await this.sessions.insert(tx, row);
    await this.audit.append(tx, [entry]);
    await this.publisher.publish(tx, [event]);
  }

  /** Ends a session that nobody has submitted. */
  async cancel(acting: Acting, id: string): Promise<SessionRow> {
    const { organisationId } = acting;
    const session = await this.get(organisationId, id);
    if (session.status !== 'PENDING') throw notPending();
    const occurredAt = new Date(this.clock.now());
    const event = await this.events.ended(session, occurredAt, null);
    await this.uow.run(organisationId, async (tx) => {
      const endedAt = await this.sessions.cancel(tx, organisationId, id);
      if (!endedAt) throw notPending();
      await this.audit.record(tx, [
        stepOf(acting, 'session', id, 'session.cancelled', occurredAt, { status: 'EXPIRED' }),
      ]);
      await this.publisher.publish(tx, [event]);
    });
    return this.get(organisationId, id);
  }

  async get(organisationId: string, id: string): Promise<SessionRow> {
    const session = await this.sessions.find(organisationId, id);
    if (!session) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  /** The session of this organisation behind a link. */
  async byLink(organisationId: string, sessionId: string): Promise<SessionRow> {
    const hash = this.links.hashOf(sessionId);
    const session = hash && (await this.sessions.byLink(hash));
    if (session?.organisationId !== organisationId) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  async page(
    organisationId: string,
    filter: SessionFilter,
    before: string | null,
    limit: number,
  ): Promise<SessionRow[]> {
    // Of a merged customer, those of the one that stays.
    const customerId = await this.customers.meant(organisationId, filter.customerId);
    return this.sessions.page(organisationId, { ...filter, customerId }, before, limit);
  }

  private async previousOf(organisationId: string, id: string | undefined): Promise<SessionRow | null> {
    if (id === undefined) return null;
    const previous = await this.get(organisationId, id);
    if (previous.status === 'PENDING' || previous.status === 'PROCESSING') {
      throw new DomainError('STATE_CONFLICT', {
        details: [
          detail('previousSessionId', 'NOT_OVER', 'The session before is not over; its link still stands.'),
        ],
      });
    }
    return previous;
  }

  private async whose(
    acting: Acting,
    request: SessionRequest,
    previous: SessionRow | null,
  ): Promise<{ customerId: string; subjectIndex: Buffer; clientAppId: string }> {
    const { organisationId } = acting;
    const named = request.customerId ?? previous?.customerId;
    if (named !== undefined) {
      const customer = await this.customers.find(organisationId, named);
      if (!customer) throw new DomainError('CUSTOMER_NOT_FOUND');
      const clientAppId = await this.appFor(
        organisationId,
        request.clientAppId ?? previous?.clientAppId ?? customer.clientAppId ?? undefined,
      );
      return { customerId: customer.id, subjectIndex: customer.subjectIndex, clientAppId };
    }
    const clientAppId = await this.appFor(organisationId, request.clientAppId);
    const sighting = {
      organisationId,
      clientAppId,
      by: request.trigger === 'OPERATOR' ? 'OPERATOR' : 'SESSION',
      requestId: acting.requestId,
      correlationId: acting.correlationId,
      traceparent: acting.traceparent,
    } as const;
    const { externalCustomerId } = request;
    if (externalCustomerId === undefined) {
      const { customerId, subjectIndex } = await this.customers.registerUnnamed(sighting);
      return { customerId, subjectIndex, clientAppId };
    }
    const [identified] = await this.customers.identify([
      { ...sighting, externalCustomerId, taxId: null, name: null, birthDate: null },
    ]);
    if (!identified) throw new Error('a customer with an id of the integrator was not identified');
    return { ...identified, clientAppId };
  }

  /** The application named, or else the first that is in use. */
  private async appFor(organisationId: string, named: string | undefined): Promise<string> {
    if (named !== undefined) {
      const app = await this.apps.one(organisationId, named);
      if (!app) throw new DomainError('APP_NOT_FOUND');
      return app.id;
    }
    const [first] = await this.apps.list(organisationId, { status: 'ENABLED', after: null, limit: 1 });
    if (!first) {
      throw new DomainError('STATE_CONFLICT', {
        details: [
          detail('clientAppId', 'NO_APPLICATION', 'The organisation has no application to send events to.'),
        ],
      });
    }
    return first.id;
  }
}

const detail = (path: string, code: string, message: string): ErrorDetail => ({ path, code, message });

const notPending = (): DomainError =>
  new DomainError('STATE_CONFLICT', {
    details: [detail('status', 'NOT_PENDING', 'Only a session that nobody has submitted can be cancelled.')],
  });

const boundedMinutes = (minutes: number): number =>
  Math.min(Math.max(minutes, EXPIRY_MINUTES.min), EXPIRY_MINUTES.max);
