import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { RecoveryRunner } from '../recovery-runner.js';

@Processor('webhooks.recovery')
export class RecoveryProcessor {
  constructor(private readonly runner: RecoveryRunner) {}

  @Process({ concurrency: 2 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }
}
