import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, newUuid, publicId } from '../../../platform/kernel/index.js';
import { Vault } from '../../../platform/privacy/index.js';
import { events, type EventType } from '../events.dto.js';
import { endpointEntry, type RequestedChange } from './endpoint-audit.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { EventPublisher, type EventDraft } from '../events/event-publisher.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Sends an event with `test: true` and example data to one endpoint, so that integrators can check their receiver. */
@Injectable()
export class TestEventsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: WebhookEndpointsService,
    private readonly publisher: EventPublisher,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Sends an event of any type, even without a subscription. Throws STATE_CONFLICT if the endpoint is disabled. */
  async send(
    scope: EndpointScope,
    endpointId: string,
    type: EventType,
    by: RequestedChange,
  ): Promise<{ eventId: string; deliveryId: string }> {
    const endpoint = await this.endpoints.get(scope, endpointId);
    if (endpoint.status === 'DISABLED') {
      throw conflict('status', 'DISABLED', 'A disabled endpoint gets nothing.');
    }
    const { organisationId, clientAppId } = endpoint;
    const subject = this.vault.organisationSubject(organisationId);
    await this.vault.prepare([subject]);
    const occurredAt = new Date(this.clock.now());
    // `type` and its example match, but the compiler cannot infer that through the index.
    const event = this.publisher.compose({
      organisationId,
      clientAppId,
      type,
      resource: { type: 'test', id: newUuid() },
      sequence: 1,
      correlationId: by.correlationId ?? publicId('whe', endpointId),
      occurredAt,
      data: events[type].example,
      subject,
    } as EventDraft);
    const deliveryId = await this.uow.run(organisationId, async (tx) => {
      const content = { event: publicId('evt', event.id), eventType: type };
      await this.audit.record(
        tx,
        endpointEntry(organisationId, endpointId, 'webhook_endpoint.tested', by, occurredAt, content),
      );
      return this.publisher.publishTo(tx, event, endpointId);
    });
    return { eventId: event.id, deliveryId };
  }
}
