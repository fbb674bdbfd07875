import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { DeliverySender } from './delivery/delivery-sender.js';
import { DeliverySlotsService } from './delivery/delivery-slots.service.js';
import { DeliveryRecorder } from './delivery/delivery-recorder.js';
import { DeliveryService } from './delivery/delivery.service.js';
import { ResponseTextSweepService } from './jobs/response-text-sweep.service.js';
import { DeliveryProcessor } from './jobs/delivery.processor.js';
import { RecoveryProcessor } from './jobs/recovery.processor.js';
import { RecoveryRunnerService } from './recoveries/recovery-runner.service.js';
import { SigningSecrets } from './delivery/signing-secrets.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { WebhooksModule } from './webhooks.module.js';

/** Background jobs that send deliveries; only imported by processes that run queue workers. */
@Module({
  imports: [AuditModule, WebhooksModule],
  providers: [
    ResponseTextSweepService,
    DeliveriesRepository,
    DeliverySender,
    DeliverySlotsService,
    DeliveryProcessor,
    DeliveryRecorder,
    DeliveryService,
    RecoveryProcessor,
    RecoveryRunnerService,
    SigningSecrets,
    WebhookMetrics,
    WebhookSender,
  ],
})
export class WebhooksJobsModule {}
