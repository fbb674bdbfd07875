// Owns events and their delivery. Promises that an event commits with what it reports, reaches every subscribed
// endpoint at least once with the same id and bytes, signed, and that nothing is sent to an address inside.
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksJobsModule } from './webhooks-jobs.module.js';
export { EventFeed } from './events/event-feed.service.js';
export { TransactionEventsView } from './api/event.dto.js';
export { EventPublisher, type ComposedEvent, type EventDraft } from './events/event-publisher.service.js';
export { eventCounts } from './store/event-count.statements.js';
export { FIRST_WAITS, publishClauses } from './store/event.statements.js';
export {
  events,
  eventTypes,
  NextActionView,
  type EventData,
  type EventEnvelope,
  type EventType,
  type ScoreReason as EventReason,
} from './events.dto.js';
export { openApiWebhooks, webhookModels } from './api/openapi-webhooks.js';
export {
  WebhookEndpoints,
  type EndpointChange,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
} from './endpoints/webhook-endpoints.service.js';
export { EndpointStates } from './endpoints/endpoint-states.service.js';
export type { EndpointScope, Requested } from './endpoints/endpoint-trail.js';
export { EndpointStatisticsReader } from './endpoints/endpoint-statistics.service.js';
export { LostTail, type Held } from './recoveries/lost-tail.service.js';
export { FeedIncarnations } from './events/feed-incarnations.service.js';
export { Recoveries } from './recoveries/recoveries.service.js';
export { TestEvents } from './endpoints/test-events.service.js';
