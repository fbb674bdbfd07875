import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { ReviewDecisions } from '../review-decisions.js';

@Processor('kyt.review-decided')
export class ReviewDecidedProcessor {
  constructor(private readonly decisions: ReviewDecisions) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.decisions.carryOut(job.data.refs);
  }
}
