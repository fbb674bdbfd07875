import { Global, Module } from '@nestjs/common';
import { FxModule } from '../fx/index.js';
import { BacktestHistory, RulesModule } from '../rules/index.js';
import { VelocityReader } from './facts/windows/velocity-reader.js';
import { BacktestAggregates } from './replay/backtest-aggregates.service.js';
import { BacktestRows } from './store/backtest-rows.queries.js';
import { EvaluationHistory } from './store/history.repository.js';
import { RowDetailsQueries } from './store/reading/row-details.queries.js';
import { VelocityQueries } from './store/velocity.queries.js';

/** Reads the history: the windows of transactions, and what back-tests of Rules, which must not know this module, run over. */
@Global()
@Module({
  imports: [FxModule, RulesModule],
  providers: [
    BacktestAggregates,
    BacktestRows,
    RowDetailsQueries,
    VelocityQueries,
    VelocityReader,
    { provide: BacktestHistory, useClass: EvaluationHistory },
  ],
  exports: [BacktestAggregates, BacktestHistory, VelocityReader],
})
export class HistoryModule {}
