import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { OutboundModule } from '../outbound/index.js';
import { EventPublisher } from './event-publisher.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookTargets } from './webhook-targets.js';

/** What every process needs: writing events, and managing where they go. */
@Module({
  imports: [AuditModule, OutboundModule],
  providers: [EventPublisher, WebhookEndpoints, WebhookTargets],
  exports: [EventPublisher, WebhookEndpoints, WebhookTargets],
})
export class WebhooksModule {}
