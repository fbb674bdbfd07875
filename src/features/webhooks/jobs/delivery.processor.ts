import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { IsNull } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { DeliveryService } from '../delivery/delivery.service.js';
import { DeliveriesRepository } from '../store/deliveries.repository.js';
import { WebhookDeliveryEntity } from '../store/entities.js';

@Processor('webhooks.delivery')
export class DeliveryProcessor implements DurableProcessor {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly repository: DeliveriesRepository,
  ) {}

  /** The job ends when the deliveries are in their lanes, not when they are sent: no job waits for a receiver. */
  @Process({ concurrency: 4 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.deliveries.announce(job.data.refs);
  }

  /**
   * Finds deliveries to announce, including every retry that has become due. Those beyond the limits follow in later
   * runs.
   */
  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return which === 'overdue'
      ? this.repository.takeDueForAnnouncement(tx, false, 1_000, 5_000)
      : this.repository.takeDueForAnnouncement(tx, true, 5_000, 20_000);
  }

  hasPlanned(tx: Tx): Promise<boolean> {
    return tx.existsBy(WebhookDeliveryEntity, { finishedAt: IsNull() });
  }
}
