import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { StepUpAnswers } from '../step-up-answers.js';

@Processor('kyt.step-up-finished')
export class StepUpProcessor {
  constructor(private readonly answers: StepUpAnswers) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.answers.take(job.data.refs);
  }
}
