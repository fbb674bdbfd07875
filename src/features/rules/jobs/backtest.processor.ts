import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { BacktestRunnerService } from '../backtests/backtest-runner.service.js';
import { BacktestRepository } from '../store/backtest.repository.js';

@Processor('rules.backtest')
export class BacktestProcessor implements DurableProcessor {
  constructor(
    private readonly runner: BacktestRunnerService,
    private readonly backtests: BacktestRepository,
  ) {}

  // A job only means that back-tests are queued; the fair order decides which one runs next. Two run at a time in a
  // process, so that a long one does not block other organisations.
  @Process({ concurrency: 2 })
  async run(): Promise<void> {
    await this.runner.runAll();
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.backtests.requeueUnfinished(tx, which);
  }
}
