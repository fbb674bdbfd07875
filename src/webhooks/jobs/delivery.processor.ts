import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { DeliveryService } from '../delivery.service.js';

@Processor('webhooks.delivery')
export class DeliveryProcessor {
  constructor(private readonly deliveries: DeliveryService) {}

  /** Ends when the deliveries stand in line, not when they are sent: no job waits for a receiver. */
  @Process({ concurrency: 4 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.deliveries.announce(job.data.refs);
  }
}
