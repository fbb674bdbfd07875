import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { EventPublisher } from './event-publisher.js';
import { DnsResolver, HostResolver } from './host-resolver.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookTargets } from './webhook-targets.js';

/** What every process needs: writing events, and managing where they go. */
@Module({
  imports: [AuditModule],
  providers: [
    EventPublisher,
    WebhookEndpoints,
    WebhookTargets,
    { provide: HostResolver, useClass: DnsResolver },
  ],
  exports: [EventPublisher, WebhookEndpoints, WebhookTargets],
})
export class WebhooksModule {}
