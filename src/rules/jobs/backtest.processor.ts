import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { JobPayload } from '../../queue/index.js';
import { BacktestRunner } from '../backtest-runner.js';

@Processor('rules.backtest')
export class BacktestProcessor {
  constructor(private readonly runner: BacktestRunner) {}

  // One at a time in a process: each of them keeps a processor busy.
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }
}
