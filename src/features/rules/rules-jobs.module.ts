import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { BacktestRunnerService } from './backtests/backtest-runner.service.js';
import { BacktestProcessor } from './jobs/backtest.processor.js';
import { RulesModule } from './rules.module.js';
import { BacktestRepository } from './store/backtest.repository.js';

/** The background jobs of Rules, only for processes that work on queues. */
@Module({
  imports: [AuditModule, RulesModule],
  providers: [BacktestProcessor, BacktestRepository, BacktestRunnerService],
})
export class RulesJobsModule {}
