import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { FanOutService } from '../fan-out.service.js';

@Processor('webhooks.fan-out')
export class FanOutProcessor {
  constructor(private readonly fanOut: FanOutService) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.fanOut.fanOut(job.data.refs);
  }
}
