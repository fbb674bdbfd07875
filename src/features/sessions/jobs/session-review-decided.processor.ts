import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { SessionDecisionsService } from '../outcome/session-decisions.service.js';

@Processor('sessions.review-decided')
export class SessionReviewDecidedProcessor implements DurableProcessor {
  constructor(private readonly decisions: SessionDecisionsService) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.decisions.applyDecisions(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.decisions.findWaiting(tx, which);
  }
}
