import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../queue/index.js';
import { BacktestRunner } from '../backtests/backtest-runner.service.js';
import { BacktestRepository } from '../store/backtest.repository.js';

@Processor('rules.backtest')
export class BacktestProcessor implements DurableProcessor {
  constructor(
    private readonly runner: BacktestRunner,
    private readonly backtests: BacktestRepository,
  ) {}

  // One at a time in a process: each of them keeps a processor busy.
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    for (const id of job.data.refs) await this.runner.run(id);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.backtests.takeWaiting(tx, which);
  }
}
