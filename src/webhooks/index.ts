// Owns events and their delivery. Promises that an event commits with what it reports, reaches every subscribed
// endpoint at least once with the same id and bytes, signed, and that nothing is sent to an address inside.
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksJobsModule } from './webhooks-jobs.module.js';
export { EventPublisher, type ComposedEvent, type EventDraft } from './event-publisher.js';
export type { EventData, EventReason } from './domain/event-data.js';
export { eventTypes, type EventEnvelope, type EventType } from './domain/event.js';
export { openApiWebhooks, webhookModels } from './openapi-webhooks.js';
export {
  WebhookEndpoints,
  type EndpointChange,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
} from './webhook-endpoints.service.js';
export { EndpointStates } from './endpoint-states.service.js';
export type { EndpointScope, Requested } from './endpoint-trail.js';
export { EndpointStatisticsReader } from './endpoint-statistics.js';
export { Recoveries } from './recoveries.service.js';
export { TestEvents } from './test-events.service.js';
