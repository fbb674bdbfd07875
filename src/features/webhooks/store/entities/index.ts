import { EventFeedEntity } from './event-feed.entity.js';
import { EventIncarnationEntity } from './event-incarnation.entity.js';
import { EventMarkEntity } from './event-mark.entity.js';
import { EventEntity } from './event.entity.js';
import { WebhookAttemptEntity } from './webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookEndpointHourEntity } from './webhook-endpoint-hour.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { WebhookRecoveryEntity } from './webhook-recovery.entity.js';

export const webhooksEntities = [
  EventFeedEntity,
  EventIncarnationEntity,
  EventMarkEntity,
  EventEntity,
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointHourEntity,
  WebhookEndpointEntity,
  WebhookRecoveryEntity,
];
