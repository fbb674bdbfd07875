// Owns events and their delivery. Promises that an event commits with the change that it reports, reaches every subscribed
// endpoint at least once with the same id and bytes, signed, and that nothing is sent to an internal address.
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksJobsModule } from './webhooks-jobs.module.js';
export { EventFeedService } from './events/event-feed.service.js';
export { TransactionEventsView } from './api/event.dto.js';
export { EventPublisher, type ComposedEvent } from './events/event-publisher.js';
export { countEvents } from './store/event-count.statements.js';
export { FIRST_WAITS, publishClauses, HAS_DELIVERIES } from './store/event.statements.js';
export {
  eventTypes,
  NextActionView,
  type EventData,
  type EventEnvelope,
  type EventType,
} from './events.dto.js';
export { openApiWebhooks, webhookModels } from './api/openapi-webhooks.js';
export { eventSchemas } from './api/webhook-envelope.dto.js';
export {
  WebhookEndpointsService,
  type EndpointChange,
  type WebhookEndpoint,
} from './endpoints/webhook-endpoints.service.js';
export { WebhookTargets } from './delivery/webhook-targets.js';
export { EndpointStatesService } from './endpoints/endpoint-states.service.js';
export type { EndpointScope } from './domain/endpoint-scope.js';
export { EndpointStatisticsService } from './endpoints/endpoint-statistics.service.js';
export { LostEventsService, type LostItem } from './recoveries/lost-events.service.js';
export { FeedIncarnationsService } from './events/feed-incarnations.service.js';
export { RecoveriesService } from './recoveries/recoveries.service.js';
export { TestEventsService } from './endpoints/test-events.service.js';
