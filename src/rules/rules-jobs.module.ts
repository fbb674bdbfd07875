import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { BacktestRunner } from './backtest-runner.js';
import { BacktestWorkSource } from './backtest-work.source.js';
import { BacktestProcessor } from './jobs/backtest.processor.js';
import { RulesModule } from './rules.module.js';
import { BacktestRepository } from './store/backtest.repository.js';

/** The background half of Rules: only processes that work on queues have it. */
@Module({
  imports: [AuditModule, RulesModule],
  providers: [BacktestProcessor, BacktestRepository, BacktestRunner, BacktestWorkSource],
})
export class RulesJobsModule {}
