import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../../platform/queue/index.js';
import { StepUpAnswers } from '../pipeline/step-up-answers.service.js';

@Processor('kyt.step-up-finished')
export class StepUpProcessor implements DurableProcessor {
  constructor(private readonly answers: StepUpAnswers) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.answers.take(job.data.refs);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.answers.waiting(tx, which);
  }
}
