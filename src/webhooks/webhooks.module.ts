import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { OutboundModule } from '../outbound/index.js';
import { ClientWebhooksController } from './api/client-webhooks.controller.js';
import { EventsController } from './api/events.controller.js';
import { OperatorDeliveriesController } from './api/operator-deliveries.controller.js';
import { OperatorEndpointsController } from './api/operator-endpoints.controller.js';
import { OperatorEventsController } from './api/operator-events.controller.js';
import { WebhookAnswers } from './api/webhook-answers.js';
import { DeliveryLog } from './delivery-log.service.js';
import { DeliveryTrail } from './delivery-trail.js';
import { EndpointStates } from './endpoint-states.service.js';
import { EndpointStatisticsReader } from './endpoint-statistics.js';
import { EventFeed } from './event-feed.service.js';
import { EventPublisher } from './event-publisher.js';
import { Recoveries } from './recoveries.service.js';
import { DeliveryLogQueries } from './store/delivery-log.queries.js';
import { EndpointsRepository } from './store/endpoints.repository.js';
import { EventFeedQueries } from './store/event-feed.queries.js';
import { RecoveriesRepository } from './store/recoveries.repository.js';
import { TestEvents } from './test-events.service.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookTargets } from './webhook-targets.js';

/** What every process needs: writing events, managing where they go, and showing what became of them. */
@Module({
  imports: [AuditModule, OutboundModule],
  controllers: [
    ClientWebhooksController,
    EventsController,
    OperatorEndpointsController,
    OperatorDeliveriesController,
    OperatorEventsController,
  ],
  providers: [
    DeliveryLog,
    DeliveryLogQueries,
    DeliveryTrail,
    EndpointStates,
    EndpointStatisticsReader,
    EndpointsRepository,
    EventFeed,
    EventFeedQueries,
    EventPublisher,
    Recoveries,
    RecoveriesRepository,
    TestEvents,
    WebhookAnswers,
    WebhookEndpoints,
    WebhookTargets,
  ],
  exports: [
    EndpointStates,
    EventFeedQueries,
    EventPublisher,
    RecoveriesRepository,
    WebhookEndpoints,
    WebhookTargets,
  ],
})
export class WebhooksModule {}
