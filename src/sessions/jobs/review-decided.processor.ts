import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { SessionDecisions } from '../session-decisions.js';

@Processor('sessions.review-decided')
export class SessionReviewDecidedProcessor {
  constructor(private readonly decisions: SessionDecisions) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.decisions.carryOut(job.data.refs);
  }
}
