import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { DeliveryWorkSource } from './delivery-work.source.js';
import { DeliveryService } from './delivery.service.js';
import { DeliveryProcessor } from './jobs/delivery.processor.js';
import { RecoveryProcessor } from './jobs/recovery.processor.js';
import { RecoveryRunner } from './recovery-runner.js';
import { RecoveryWorkSource } from './recovery-work.source.js';
import { SigningSecrets } from './signing-secrets.js';
import { EndpointHealthRepository } from './store/endpoint-health.repository.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksModule } from './webhooks.module.js';

/** The sending side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule, WebhooksModule],
  providers: [
    DeliveriesRepository,
    DeliveryAttempts,
    DeliveryProcessor,
    DeliveryRecorder,
    DeliveryService,
    DeliveryWorkSource,
    EndpointHealthRepository,
    RecoveryProcessor,
    RecoveryRunner,
    RecoveryWorkSource,
    SigningSecrets,
    WebhookMetrics,
    WebhookSender,
  ],
})
export class WebhooksJobsModule {}
