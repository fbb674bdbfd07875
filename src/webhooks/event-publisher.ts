import { Injectable } from '@nestjs/common';
import { CURRENT_API_VERSION, Settings } from '../config/index.js';
import { execute, sqlArray, type Tx } from '../database/index.js';
import { newUuid, publicId } from '../kernel/index.js';
import { sealContext, Vault, type SubjectRef } from '../privacy/index.js';
import { Outbox } from '../queue/index.js';
import type { EventEnvelope, EventType } from './domain/event.js';

/** An event as the feature that it is about describes it. */
export interface EventDraft {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly type: EventType;
  readonly resource: { readonly type: 'transaction' | 'session' | 'customer'; readonly id: string };
  readonly sequence: number;
  readonly correlationId: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whose data key seals the stored payload: erasing that person erases what was told about them. */
  readonly subject: SubjectRef;
}

/** An event with its id and its final, sealed bytes; made outside the transaction. */
export interface ComposedEvent {
  readonly id: string;
  readonly draft: EventDraft;
  readonly sealed: Buffer;
}

const INSERT = {
  name: 'events-insert',
  text: `INSERT INTO events
           (id, organisation_id, client_app_id, type, resource_type, resource_id, sequence, sealed_payload)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::int[],
                              $8::bytea[])`,
};

/** Writes events in the commit that they report, and asks for their delivery. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly vault: Vault,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  /** Fixes the bytes of an event. The vault must have been prepared for the draft's subject. */
  compose(draft: EventDraft): ComposedEvent {
    const id = newUuid();
    const envelope: EventEnvelope = {
      id: publicId('evt', id),
      type: draft.type,
      timestamp: draft.occurredAt.toISOString(),
      apiVersion: CURRENT_API_VERSION,
      environment: this.settings.environment,
      sequence: draft.sequence,
      correlationId: draft.correlationId,
      test: false,
      audit: null,
      data: draft.data,
    };
    const context = sealContext('events', id, draft.organisationId);
    return { id, draft, sealed: this.vault.seal(JSON.stringify(envelope), draft.subject, context) };
  }

  /** Stores composed events and one outbox message for all of them. */
  async publish(tx: Tx, events: readonly ComposedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await execute(tx, INSERT, [
      sqlArray.plain(events.map((event) => event.id)),
      sqlArray.plain(events.map((event) => event.draft.organisationId)),
      sqlArray.plain(events.map((event) => event.draft.clientAppId)),
      sqlArray.text(events.map((event) => event.draft.type)),
      sqlArray.text(events.map((event) => event.draft.resource.type)),
      sqlArray.plain(events.map((event) => event.draft.resource.id)),
      sqlArray.plain(events.map((event) => event.draft.sequence)),
      sqlArray.bytes(events.map((event) => event.sealed)),
    ]);
    this.outbox.append(tx, 'webhooks.fan-out', events.map((event) => event.id));
  }
}
