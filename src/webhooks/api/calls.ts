import type { Actor } from '../../audit/index.js';
import type { ClientPrincipal, OperatorPrincipal } from '../../http/index.js';
import { parseInstant } from '../../kernel/instant.js';
import { publicId } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { EndpointScope, Requested } from '../endpoint-trail.js';
import type { RecoveryRequest } from '../recoveries.service.js';
import type { NewWebhookEndpoint } from '../webhook-endpoints.service.js';
import type { DeliveryFilter } from '../store/delivery-log.queries.js';
import type { DeliveryQuery } from './delivery.dto.js';
import type { CreateEndpointBody, RecoverBody } from './endpoint.dto.js';
import type { TestEventView } from './endpoint.view.dto.js';
import { idOf } from './params.js';

/** Whose endpoints, and who asks. */
export interface Caller {
  readonly scope: EndpointScope;
  readonly by: Requested;
}

/** An application sees its own endpoints. */
export const ofClient = ({ organisationId, id }: ClientPrincipal): EndpointScope => ({
  organisationId,
  clientAppId: id,
});

/** An operator sees those of the organisation. */
export const ofOperator = ({ organisationId }: OperatorPrincipal): EndpointScope => ({ organisationId });

export const byClient = (client: ClientPrincipal, request: RequestContext): Caller => ({
  scope: ofClient(client),
  by: requested({ type: 'client', id: client.id }, request),
});

export const byOperator = (operator: OperatorPrincipal, request: RequestContext): Caller => ({
  scope: ofOperator(operator),
  by: requested({ type: 'operator', id: operator.id }, request),
});

const requested = (actor: Actor, { requestId, correlationId }: RequestContext): Requested => ({
  actor,
  requestId,
  correlationId,
});

/** What a body says of a new endpoint. */
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

/** The body was validated: its times are times. */
export const recoveryRequest = ({ since, until, types, dryRun }: RecoverBody): RecoveryRequest => ({
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

export const deliveryFilter = ({ endpointId, eventId, status }: DeliveryQuery): DeliveryFilter => ({
  endpointId: idOf('whe', endpointId, 'endpointId'),
  eventId: idOf('evt', eventId, 'eventId'),
  status,
});

export const testEventView = (sent: { eventId: string; deliveryId: string }): TestEventView => ({
  eventId: publicId('evt', sent.eventId),
  deliveryId: publicId('whd', sent.deliveryId),
});
