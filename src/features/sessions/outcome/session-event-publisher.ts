import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { EventPublisher, type ComposedEvent } from '../../webhooks/index.js';
import type { SessionResult, SessionRow } from '../domain/records.js';
import { newestSequence } from '../store/session-events.statements.js';

/** Composes and publishes the events of a session. The data key of its subject must be loaded (`Vault.prepare`). */
@Injectable()
export class SessionEventPublisher {
  constructor(
    private readonly events: EventPublisher,
    private readonly vault: Vault,
    private readonly uow: UnitOfWork,
  ) {}

  composeCreated(
    session: Pick<
      SessionRow,
      | 'id'
      | 'organisationId'
      | 'clientAppId'
      | 'customerId'
      | 'subjectIndex'
      | 'trigger'
      | 'expiresAt'
      | 'correlationId'
      | 'traceparent'
      | 'parentSessionId'
    >,
    sessionId: string,
    flowName: string,
    occurredAt: Date,
  ): ComposedEvent {
    return this.events.compose({
      type: 'session.created',
      sequence: 1,
      data: {
        sessionId,
        status: 'PENDING',
        flowName,
        customerId: publicId('cus', session.customerId),
        trigger: session.trigger,
        expiresAt: session.expiresAt.toISOString(),
        ...(session.parentSessionId !== null && {
          parentReference: publicId('kys', session.parentSessionId),
        }),
      },
      ...commonOf(session, occurredAt),
    });
  }

  /** Composes the event of the end of a session. Loads data keys itself, so call it outside a database transaction. */
  async composeEnded(
    session: SessionRow,
    occurredAt: Date,
    result: Pick<SessionResult, 'outcome' | 'riskScore' | 'defensible'> | null,
    customerId: string = session.customerId,
  ): Promise<ComposedEvent> {
    const sequence = await this.nextSequence(session);
    return this.composeCompleted(session, sequence, occurredAt, occurredAt, result, customerId);
  }

  /** Composes the event of a resubmission. Loads data keys itself, so call it outside a database transaction. */
  async composeReopened(
    session: SessionRow,
    asked: readonly { readonly stepId: string; readonly code: string }[],
    expiresAt: Date,
    occurredAt: Date,
  ): Promise<ComposedEvent> {
    const sequence = await this.nextSequence(session);
    const sessionId = await this.readSecretId(session);
    await this.vault.prepare([{ organisationId: session.organisationId, index: session.subjectIndex }]);
    return this.events.compose({
      type: 'session.reopened',
      sequence,
      data: {
        ...{ sessionId, status: 'PENDING', customerId: publicId('cus', session.customerId) },
        round: session.round,
        steps: asked.map(({ stepId, code }) => ({ stepId, code })),
        expiresAt: expiresAt.toISOString(),
      },
      ...commonOf(session, occurredAt),
    });
  }

  async nextSequence({ organisationId, id }: Pick<SessionRow, 'organisationId' | 'id'>): Promise<number> {
    return (await this.uow.read(organisationId, (db) => newestSequence(db, organisationId, id))) + 1;
  }

  private async composeCompleted(
    session: SessionRow,
    sequence: number,
    occurredAt: Date,
    completedAt: Date,
    result: Pick<SessionResult, 'outcome' | 'riskScore' | 'defensible'> | null,
    customerId: string,
  ): Promise<ComposedEvent> {
    const sessionId = await this.readSecretId(session);
    await this.vault.prepare([{ organisationId: session.organisationId, index: session.subjectIndex }]);
    return this.events.compose({
      type: 'session.completed',
      sequence,
      data: {
        sessionId,
        status: result ? 'COMPLETED' : 'EXPIRED',
        customerId: publicId('cus', customerId),
        ...(typeof result?.riskScore === 'number' ? { riskScore: result.riskScore } : {}),
        ...(result ? { outcome: result.outcome, defensible: result.defensible } : {}),
        completedAt: completedAt.toISOString(),
      },
      ...commonOf(session, occurredAt),
    });
  }

  /** Composes the event of a person's decision. Loads data keys itself. */
  async composeDecided(
    session: SessionRow,
    sequence: number,
    occurredAt: Date,
    result: Pick<SessionResult, 'outcome' | 'riskScore' | 'defensible'>,
  ): Promise<ComposedEvent> {
    return this.composeCompleted(
      session,
      sequence,
      occurredAt,
      session.endedAt ?? occurredAt,
      result,
      session.customerId,
    );
  }

  /** Publishes a composed event in the commit of the change. */
  async publish(tx: Tx, event: ComposedEvent): Promise<void> {
    await this.events.publish(tx, [event]);
  }

  /** Returns the secret id of a session. It is encrypted with the organisation's key, which is never erased. */
  async readSecretId(session: Pick<SessionRow, 'id' | 'organisationId' | 'linkSealed'>): Promise<string> {
    const [opened] = await this.vault.openMany([
      { sealed: session.linkSealed, context: linkEncryptionContext(session) },
    ]);
    if (!opened) throw new Error('the link of a session has no key');
    return opened.toString('utf8');
  }
}

export const linkEncryptionContext = ({
  id,
  organisationId,
}: {
  id: string;
  organisationId: string;
}): string => encryptionContextOf('kyc_sessions.link', id, organisationId);

const commonOf = (
  session: Pick<
    SessionRow,
    'id' | 'organisationId' | 'clientAppId' | 'subjectIndex' | 'correlationId' | 'traceparent'
  >,
  occurredAt: Date,
) =>
  ({
    organisationId: session.organisationId,
    clientAppId: session.clientAppId,
    resource: { type: 'session', id: session.id },
    correlationId: session.correlationId,
    traceparent: session.traceparent,
    occurredAt,
    subject: { organisationId: session.organisationId, index: session.subjectIndex },
  }) as const;
