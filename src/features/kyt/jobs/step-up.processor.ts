import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { StepUpResultsService } from '../pipeline/step-up-results.service.js';

@Processor('kyt.step-up-finished')
export class StepUpProcessor implements DurableProcessor {
  constructor(private readonly stepUpResults: StepUpResultsService) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.stepUpResults.reEvaluateForSessions(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.stepUpResults.findWaiting(tx, which);
  }
}
