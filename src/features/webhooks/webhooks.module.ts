import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { OutboundModule } from '../../platform/outbound/index.js';
import { ClientDeliveriesController, OperatorDeliveriesController } from './api/deliveries.controller.js';
import { ClientEndpointsController, OperatorEndpointsController } from './api/endpoints.controller.js';
import { EventsController } from './api/events.controller.js';
import { OperatorEventsController } from './api/operator-events.controller.js';
import { DeliveryLog } from './delivery/delivery-log.service.js';
import { DeliveryTrail } from './delivery/delivery-trail.js';
import { EndpointStates } from './endpoints/endpoint-states.service.js';
import { EndpointStatisticsReader } from './endpoints/endpoint-statistics.service.js';
import { EventFeed } from './events/event-feed.service.js';
import { FeedIncarnations } from './events/feed-incarnations.service.js';
import { FeedWaits } from './events/feed-waits.service.js';
import { EventPublisher } from './events/event-publisher.service.js';
import { LostTail } from './recoveries/lost-tail.service.js';
import { Recoveries } from './recoveries/recoveries.service.js';
import { EventFeedQueries } from './store/event-feed.queries.js';
import { RecoveriesRepository } from './store/recoveries.repository.js';
import { TestEvents } from './endpoints/test-events.service.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.service.js';
import { WebhookTargets } from './delivery/webhook-targets.js';
import { webhooksEntities } from './store/entities/index.js';

/** Serves every process: writes events, manages their endpoints, and shows their deliveries. */
@Module({
  imports: [TypeOrmModule.forFeature(webhooksEntities), AuditModule, OutboundModule],
  controllers: [
    ClientDeliveriesController,
    ClientEndpointsController,
    EventsController,
    OperatorEndpointsController,
    OperatorDeliveriesController,
    OperatorEventsController,
  ],
  providers: [
    DeliveryLog,
    DeliveryTrail,
    EndpointStates,
    EndpointStatisticsReader,
    EventFeed,
    EventFeedQueries,
    EventPublisher,
    FeedIncarnations,
    FeedWaits,
    LostTail,
    Recoveries,
    RecoveriesRepository,
    TestEvents,
    WebhookEndpoints,
    WebhookTargets,
  ],
  exports: [
    EndpointStates,
    EventFeed,
    EventFeedQueries,
    EventPublisher,
    FeedIncarnations,
    RecoveriesRepository,
    WebhookEndpoints,
    WebhookTargets,
  ],
})
export class WebhooksModule {}
