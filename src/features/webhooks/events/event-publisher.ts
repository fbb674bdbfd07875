import { Injectable } from '@nestjs/common';
import { CheckpointsService } from '../../audit/index.js';
import { CURRENT_API_VERSION, Settings } from '../../../platform/config/index.js';
import { execute, type Tx } from '../../../platform/database/index.js';
import { newUuid, publicId } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { EventEnvelope } from '../events.dto.js';
import { eventPacking } from '../domain/event-packing.js';
import { PUBLISH, PUBLISH_TO, type ComposedEvent, type EventDraft } from '../store/event.statements.js';

export type { ComposedEvent, EventDraft };

/** Writes events and their deliveries in the same commit as the change that they report. */
@Injectable()
export class EventPublisher {
  constructor(
    private readonly vault: Vault,
    private readonly checkpoints: CheckpointsService,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  /** Serialises and encrypts an event. The vault must have loaded the data key of the draft's subject. */
  compose(draft: EventDraft): ComposedEvent {
    const id = newUuid();
    const envelope: Readonly<Record<keyof EventEnvelope, unknown>> = {
      id: publicId('evt', id),
      type: draft.type,
      timestamp: draft.occurredAt.toISOString(),
      apiVersion: CURRENT_API_VERSION,
      environment: this.settings.environment,
      sequence: draft.sequence,
      correlationId: draft.correlationId,
      test: draft.resource.type === 'test',
      audit: this.checkpoints.findNewest(draft.organisationId),
      data: draft.data,
    };
    const context = encryptionContextOf('events', id, draft.organisationId);
    const packed = eventPacking.pack(JSON.stringify(envelope));
    return { id, draft, sealed: this.vault.seal(packed, draft.subject, context) };
  }

  /** Stores events and a delivery for each subscribed endpoint; queues a job for deliveries that are due now. */
  async publish(tx: Tx, events: readonly ComposedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const deliveries = await execute(tx, ...PUBLISH({ events, firstWait: this.firstWait }));
    if (this.firstWait === 0) {
      this.outbox.append(
        tx,
        'webhooks.delivery',
        deliveries.map((row) => row.id),
      );
    }
  }

  /** Stores an event for one endpoint, even if it is not subscribed. Returns the id of the delivery. */
  async publishTo(tx: Tx, event: ComposedEvent, endpointId: string): Promise<string> {
    const [row] = await execute(tx, ...PUBLISH_TO({ events: [event], endpointId }));
    if (!row) throw new Error('an insert returned nothing');
    this.outbox.append(tx, 'webhooks.delivery', [row.id]);
    return row.id;
  }

  /** Seconds until the first attempt. */
  get firstWait(): number {
    return this.settings.webhookScheduleSeconds[0] ?? 0;
  }
}
