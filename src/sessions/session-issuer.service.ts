import { Injectable } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry, nameOfActor, stepOf } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { Vault } from '../privacy/index.js';
import type { ActorContext } from './actor-context.js';
import { EXPIRY_MINUTES } from './domain/flow/flow.js';
import type { NewSession, SessionRow } from './domain/records.js';
import type { SessionRequest } from './domain/session-request.js';
import { FlowsService } from './flows.service.js';
import { SessionLinks } from './link/session-links.js';
import { linkContext, SessionEvents } from './outcome/session-events.js';
import { SessionParties } from './session-parties.service.js';
import { SessionEntity } from './store/entities/session.entity.js';
import { SessionRepository } from './store/session.repository.js';

/** The link of a new session. */
export interface IssuedLink {
  readonly id: string;
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** Makes sessions and their links. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly parties: SessionParties,
    private readonly flows: FlowsService,
    private readonly links: SessionLinks,
    private readonly events: SessionEvents,
    private readonly sessions: SessionRepository,
  ) {}

  /** Opens a session and returns its link, which nobody can read again later but those who may make links. */
  async open(ctx: ActorContext, request: SessionRequest): Promise<IssuedLink> {
    const { sessionId, url, row, entry, event } = await this.prepare(ctx, request);
    await this.uow.run(ctx.organisationId, async (tx) => {
      await tx.insert(SessionEntity, row);
      await this.audit.append(tx, [entry]);
      await this.events.publish(tx, event);
    });
    return { id: row.id, sessionId, url, expiresAt: row.expiresAt };
  }

  /** Does everything about a new session that needs no transaction. */
  private async prepare(ctx: ActorContext, request: SessionRequest) {
    const { organisationId } = ctx;
    const flow = await this.flows.current(organisationId, request.flowKey);
    const previous = await this.previousOf(organisationId, request.previousSessionId);
    const { customerId, subjectIndex, clientAppId } = await this.parties.of(ctx, request, previous);
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
      stepOf(ctx, 'session', id, 'session.created', occurredAt, {
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
      createdBy: nameOfActor(ctx),
      requestId: ctx.requestId,
      correlationId: ctx.correlationId,
      traceparent: ctx.traceparent,
      expiresAt,
      trailHash: entry.hash,
    };
    const event = this.events.created(row, sessionId, flow.definition.name['pt-BR'], occurredAt);
    return { sessionId, url: this.links.urlOf(sessionId), row, entry, event };
  }

  private async previousOf(organisationId: string, id: string | undefined): Promise<SessionRow | null> {
    if (id === undefined) return null;
    const previous = await this.sessions.find(organisationId, id);
    if (!previous) throw new DomainError('SESSION_NOT_FOUND');
    if (previous.status === 'PENDING' || previous.status === 'PROCESSING') {
      const message = 'The session before is not over; its link still stands.';
      throw new DomainError('STATE_CONFLICT', {
        details: [{ path: 'previousSessionId', code: 'NOT_OVER', message }],
      });
    }
    return previous;
  }
}

const boundedMinutes = (minutes: number): number =>
  Math.min(Math.max(minutes, EXPIRY_MINUTES.min), EXPIRY_MINUTES.max);
