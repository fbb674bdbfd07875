import type { ActorContext } from '../../audit/index.js';
import { parseInstant } from '../../../platform/kernel/values/instant.js';
import { publicId, uuidInFilter } from '../../../platform/kernel/index.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import type { RecoveryRequest } from '../recoveries/recoveries.service.js';
import type { NewWebhookEndpoint } from '../endpoints/webhook-endpoints.service.js';
import type { DeliveryFilter } from '../store/delivery-log.queries.js';
import type { DeliveryQuery } from './delivery.dto.js';
import type { CreateEndpointBody, RecoverBody } from './endpoint.dto.js';
import type { TestEventView } from './endpoint.view.dto.js';

/** Applications see only the endpoints that they own; operators see all endpoints of the organisation. */
export const endpointScopeOf = ({ organisationId, actor }: ActorContext): EndpointScope =>
  actor.type === 'client' ? { organisationId, clientAppId: actor.id } : { organisationId };

export const endpointIn = ({
  url,
  eventTypes,
  ordering,
  description,
}: CreateEndpointBody): Omit<NewWebhookEndpoint, 'organisationId' | 'clientAppId' | 'actor'> => ({
  url,
  eventTypes,
  ordering,
  description,
});

/** Expects a validated body: `instantOf` throws on a text that is not a timestamp. */
export const toRecoveryRequest = ({ since, until, types, dryRun }: RecoverBody): RecoveryRequest => ({
  since: instantOf(since),
  until: until === undefined ? undefined : instantOf(until),
  types,
  dryRun,
});

export function instantOf(text: string): Date {
  const at = parseInstant(text);
  if (!at) throw new Error('a validated time is none');
  return at;
}

export const toDeliveryFilter = ({ endpointId, eventId, status }: DeliveryQuery): DeliveryFilter => ({
  endpointId: uuidInFilter('whe', endpointId, 'endpointId'),
  eventId: uuidInFilter('evt', eventId, 'eventId'),
  status,
});

export const testEventView = (sent: { eventId: string; deliveryId: string }): TestEventView => ({
  eventId: publicId('evt', sent.eventId),
  deliveryId: publicId('whd', sent.deliveryId),
});
