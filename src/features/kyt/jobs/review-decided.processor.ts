import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { ReviewDecisionsService } from '../operations/review-decisions.service.js';

@Processor('kyt.review-decided')
export class ReviewDecidedProcessor implements DurableProcessor {
  constructor(private readonly reviewDecisions: ReviewDecisionsService) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.reviewDecisions.applyDecisions(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.reviewDecisions.findWaiting(tx, which);
  }
}
