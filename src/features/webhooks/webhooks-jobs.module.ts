import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { DeliveryAttempts } from './delivery/delivery-attempts.service.js';
import { DeliveryPlaces } from './delivery/delivery-places.service.js';
import { DeliveryRecorder } from './delivery/delivery-recorder.service.js';
import { DeliveryService } from './delivery/delivery.service.js';
import { AnswersSweep } from './jobs/answers-sweep.service.js';
import { DeliveryProcessor } from './jobs/delivery.processor.js';
import { RecoveryProcessor } from './jobs/recovery.processor.js';
import { RecoveryRunner } from './recoveries/recovery-runner.service.js';
import { SigningSecrets } from './delivery/signing-secrets.service.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { WebhooksModule } from './webhooks.module.js';

/** The sending side; imported by processes that work on queues. */
@Module({
  imports: [AuditModule, WebhooksModule],
  providers: [
    AnswersSweep,
    DeliveriesRepository,
    DeliveryAttempts,
    DeliveryPlaces,
    DeliveryProcessor,
    DeliveryRecorder,
    DeliveryService,
    RecoveryProcessor,
    RecoveryRunner,
    SigningSecrets,
    WebhookMetrics,
    WebhookSender,
  ],
})
export class WebhooksJobsModule {}
