import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, orThrow, publicId } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { RequestedChange } from '../endpoints/endpoint-audit.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { EventFeedService } from '../events/event-feed.service.js';
import type { EventEnvelope } from '../events.dto.js';
import {
  deliveryPage,
  findDelivery,
  retryDelivery,
  type DeliveryFilter,
  type LoggedDelivery,
} from '../store/delivery-log.queries.js';
import { WebhookAttemptEntity } from '../store/entities.js';

export type LoggedAttempt = WebhookAttemptEntity;

/** Lists deliveries with their attempts, and retries a delivery on request. */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly feed: EventFeedService,
  ) {}

  /** Up to `limit` deliveries older than `before`, the newest first. */
  async page(
    scope: EndpointScope,
    filter: DeliveryFilter,
    before: string | null,
    limit: number,
  ): Promise<LoggedDelivery[]> {
    return this.uow.read(scope.organisationId, (db) => deliveryPage(db, scope, filter, before, limit));
  }

  /** Finds a delivery with its attempts; `payload` is null when the person that the event is about was erased. */
  async get(
    scope: EndpointScope,
    id: string,
  ): Promise<{ delivery: LoggedDelivery; attempts: LoggedAttempt[]; payload: EventEnvelope | null }> {
    const delivery = await this.find(scope, id);
    const where = { deliveryId: id };
    const attempts = await this.uow.read(scope.organisationId, (db) =>
      db.find(WebhookAttemptEntity, { where, order: { attempt: 'ASC' } }),
    );
    const { envelope } = await this.feed.get(scope, delivery.eventId);
    return { delivery, attempts, payload: envelope };
  }

  private async find(scope: EndpointScope, id: string): Promise<LoggedDelivery> {
    return orThrow(
      await this.uow.read(scope.organisationId, (db) => findDelivery(db, scope, id)),
      'DELIVERY_NOT_FOUND',
    );
  }

  /** Sends the same bytes again now. If this attempt fails, the retry schedule starts from its beginning. */
  async retry(scope: EndpointScope, id: string, by: RequestedChange): Promise<LoggedDelivery> {
    const { organisationId } = scope;
    const { actor, requestId = null, correlationId = null } = by;
    const ctx = { organisationId, actor, requestId, correlationId };
    await this.uow.run(organisationId, async (tx) => {
      const retriedDelivery = orThrow(await retryDelivery(tx, scope, id), 'DELIVERY_NOT_FOUND');
      if (!retriedDelivery.retried) throw notRetriedError(retriedDelivery);
      const content = { delivery: publicId('whd', id), from: retriedDelivery.status };
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'delivery', id, 'delivery.retried', new Date(this.clock.now()), content),
      );
      this.outbox.append(tx, 'webhooks.delivery', [id]);
    });
    return this.find(scope, id);
  }
}

function notRetriedError(found: { readonly status: string; readonly endpointStatus: string }): DomainError {
  const disabled = found.endpointStatus === 'DISABLED';
  return conflict(
    'status',
    disabled ? 'ENDPOINT_DISABLED' : found.status,
    disabled ? 'its endpoint is disabled' : 'it is being sent at this moment',
  );
}
