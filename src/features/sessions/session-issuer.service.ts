import { Injectable } from '@nestjs/common';
import { AuditTrail, CHAIN_START, composeEntry, formatActor, auditDraftOf } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid, orThrow } from '../../platform/kernel/index.js';
import { Vault } from '../../platform/privacy/index.js';
import { today } from '../screening/index.js';
import type { SessionActorContext } from './actor-context.js';
import { isEmpty, NO_EXTRAS, type SessionExtras } from './domain/making/extras.js';
import { validateExtras } from './domain/making/extra-judge.js';
import { EXPIRY_MINUTES } from './domain/flow/flow.js';
import type { FlowVersion, NewSession, OpenLink, SessionRow } from './domain/records.js';
import type { SessionRequest } from './domain/making/session-request.js';
import { FlowsService } from './flows/flows.service.js';
import { extrasEncryptionContext } from './link/session-answers.service.js';
import { SessionLinkFactory } from './link/session-link-factory.js';
import { linkEncryptionContext, SessionEventPublisher } from './outcome/session-event-publisher.js';
import { SessionParticipantsService } from './session-participants.service.js';
import { SessionEntity } from './store/entities.js';
import { SessionRepository } from './store/session.repository.js';
import type { PreparedStepUp } from './store/step-up.clauses.js';

export interface IssuedLink extends OpenLink {
  readonly id: string;
}

type IssuedColumn =
  | 'clientAppId'
  | 'customerId'
  | 'subjectIndex'
  | 'trigger'
  | 'transactionRef'
  | 'evaluationVersion'
  | 'previousSessionId'
  | 'attempt'
  | 'noticeVersion'
  | 'parentSessionId'
  | 'reusedSessionId';

/** A session that is not stored yet, with its audit entry, event and link. */
export type PreparedSession = NonNullable<PreparedStepUp['made']> & { readonly link: OpenLink };

/** Creates sessions and their links. */
@Injectable()
export class SessionIssuerService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly participants: SessionParticipantsService,
    private readonly flows: FlowsService,
    private readonly links: SessionLinkFactory,
    private readonly events: SessionEventPublisher,
    private readonly sessions: SessionRepository,
  ) {}

  /** Creates a session and returns its link. Only callers who may create links can read the link again. */
  async createSession(ctx: SessionActorContext, request: SessionRequest): Promise<IssuedLink> {
    await this.sessions.requireQuota(ctx.organisationId);
    const prepared = await this.prepareSession(ctx, request);
    await this.uow.run(ctx.organisationId, (tx) => this.store(tx, prepared));
    return { id: prepared.row.id, ...prepared.link };
  }

  /** Stores a prepared session in the caller's transaction. */
  async store(tx: Tx, { row, entry, event }: PreparedSession): Promise<void> {
    await tx.insert(SessionEntity, row);
    await this.audit.append(tx, [entry]);
    await this.events.publish(tx, event);
  }

  /** Prepares a new session, without a database transaction. */
  async prepareSession(ctx: SessionActorContext, request: SessionRequest): Promise<PreparedSession> {
    const { organisationId } = ctx;
    const flow = await this.flows.readOrCreateCurrent(organisationId, request.flowKey);
    const previous = await this.findPrevious(organisationId, request.previousSessionId);
    const parties = await this.participants.identify(ctx, request, previous);
    const { customerId, subjectIndex, clientAppId, noticeVersion } = parties;
    const extras = request.extras ?? NO_EXTRAS;
    const problems = validateExtras(extras, flow.definition, parties.redirectUrls, today(this.clock.now()));
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    const now = this.clock.now();
    const minutes = request.expiresInMinutes ?? flow.definition.expiresInMinutes;
    const secrets = this.vault.organisationSubject(organisationId);
    await this.vault.prepare([secrets, { organisationId, index: subjectIndex }]);
    const sessionRow = {
      ...{ customerId, subjectIndex, clientAppId, trigger: request.trigger },
      transactionRef: request.transaction?.ref ?? null,
      evaluationVersion: request.transaction?.evaluationVersion ?? null,
      previousSessionId: previous?.id ?? null,
      attempt: (previous?.attempt ?? 0) + 1,
      ...{ noticeVersion, parentSessionId: request.parentSessionId ?? null, reusedSessionId: null },
    };
    const until = new Date(now + boundedMinutes(minutes) * 60_000);
    return this.composeSession(ctx, flow, sessionRow, new Date(now), until, extras);
  }

  /**
   * Composes a session with its link, first audit entry and event, for the caller to store. The data keys of the
   * organisation and the subject must be loaded (`Vault.prepare`).
   */
  composeSession(
    ctx: SessionActorContext,
    flow: FlowVersion,
    given: Pick<NewSession, IssuedColumn>,
    occurredAt: Date,
    expiresAt: Date,
    extras: SessionExtras = NO_EXTRAS,
  ): PreparedSession {
    const { organisationId, requestId, correlationId, traceparent } = ctx;
    const id = newUuid();
    const { sessionId, linkHash } = this.links.create();
    const { trigger, customerId, previousSessionId, transactionRef } = given;
    const entry = composeEntry(
      auditDraftOf(ctx, 'session', id, 'session.created', occurredAt, {
        flow: flow.key,
        flowVersion: flow.version,
        trigger,
        customerId,
        expiresAt: expiresAt.toISOString(),
        previousSessionId,
        transactionRef,
        ...(given.parentSessionId !== null && { parentSessionId: given.parentSessionId }),
        ...(Object.keys(extras.prefill).length > 0 && { prefilled: Object.keys(extras.prefill).sort() }),
      }),
      CHAIN_START,
    );
    const secrets = this.vault.organisationSubject(organisationId);
    const row: NewSession = {
      ...{ id, organisationId, ...given, flowId: flow.id, linkHash },
      linkSealed: this.vault.seal(sessionId, secrets, linkEncryptionContext({ id, organisationId })),
      createdBy: formatActor(ctx),
      ...{ requestId, correlationId, traceparent, expiresAt },
      extrasSealed: isEmpty(extras)
        ? null
        : this.vault.seal(
            JSON.stringify(extras),
            { organisationId, index: given.subjectIndex },
            extrasEncryptionContext({ id, organisationId }),
          ),
      trailHash: entry.hash,
    };
    const event = this.events.composeCreated(row, sessionId, flow.definition.name['pt-BR'], occurredAt);
    return { row, entry, event, link: { sessionId, url: this.links.urlOf(sessionId), expiresAt } };
  }

  private async findPrevious(organisationId: string, id: string | undefined): Promise<SessionRow | null> {
    if (id === undefined) return null;
    const previous = orThrow(await this.sessions.find(organisationId, id), 'SESSION_NOT_FOUND');
    if (previous.status === 'PENDING' || previous.status === 'PROCESSING') {
      const message = 'The session before is not over; its link still stands.';
      throw conflict('previousSessionId', 'NOT_OVER', message);
    }
    return previous;
  }
}

const boundedMinutes = (minutes: number): number =>
  Math.min(Math.max(minutes, EXPIRY_MINUTES.min), EXPIRY_MINUTES.max);
