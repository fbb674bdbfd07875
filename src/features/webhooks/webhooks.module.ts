import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { OutboundModule } from '../../platform/outbound/index.js';
import { ClientDeliveriesController, OperatorDeliveriesController } from './api/deliveries.controller.js';
import { ClientEndpointsController, OperatorEndpointsController } from './api/endpoints.controller.js';
import { EventsController } from './api/events.controller.js';
import { OperatorEventsController } from './api/operator-events.controller.js';
import { DeliveryLogService } from './delivery/delivery-log.service.js';
import { DeliveryAudit } from './delivery/delivery-audit.js';
import { EndpointStatesService } from './endpoints/endpoint-states.service.js';
import { EndpointStatisticsService } from './endpoints/endpoint-statistics.service.js';
import { EventFeedService } from './events/event-feed.service.js';
import { FeedIncarnationsService } from './events/feed-incarnations.service.js';
import { FeedWaitsService } from './events/feed-waits.service.js';
import { EventPublisher } from './events/event-publisher.js';
import { LostEventsService } from './recoveries/lost-events.service.js';
import { RecoveriesService } from './recoveries/recoveries.service.js';
import { EventFeedQueries } from './store/event-feed.queries.js';
import { RecoveriesRepository } from './store/recoveries.repository.js';
import { TestEventsService } from './endpoints/test-events.service.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WebhookTargets } from './delivery/webhook-targets.js';
import { webhooksEntities } from './store/entities.js';

/** Publishes events, manages endpoints, and shows deliveries, in every process. */
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
    DeliveryLogService,
    DeliveryAudit,
    EndpointStatesService,
    EndpointStatisticsService,
    EventFeedService,
    EventFeedQueries,
    EventPublisher,
    FeedIncarnationsService,
    FeedWaitsService,
    LostEventsService,
    RecoveriesService,
    RecoveriesRepository,
    TestEventsService,
    WebhookEndpointsService,
    WebhookTargets,
  ],
  exports: [
    EndpointStatesService,
    EventFeedService,
    EventFeedQueries,
    EventPublisher,
    FeedIncarnationsService,
    RecoveriesRepository,
    WebhookEndpointsService,
    WebhookTargets,
  ],
})
export class WebhooksModule {}
