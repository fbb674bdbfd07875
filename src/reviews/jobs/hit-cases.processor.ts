import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { HitCases } from '../hit-cases.js';

@Processor('reviews.hits')
export class HitCasesProcessor {
  constructor(private readonly cases: HitCases) {}

  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.cases.open(job.data.refs);
  }
}
