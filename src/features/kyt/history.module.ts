import { Global, Module } from '@nestjs/common';
import { FxModule } from '../fx/index.js';
import { BacktestHistory, OrganisationListKeys, RulesModule } from '../rules/index.js';
import { VelocityReader } from './facts/windows/velocity-reader.js';
import { BacktestAggregatesService } from './replay/backtest-aggregates.service.js';
import { EvaluationHistoryService } from './replay/evaluation-history.service.js';
import { BacktestRowsQueries } from './store/backtest-rows.queries.js';
import { ScreeningListKeys } from './store/screening-list-keys.js';
import { EventWindowQueries } from './store/events/event-window.queries.js';
import { EvaluationHistoryQueries } from './store/evaluation-history.queries.js';
import { RowDetailsQueries } from './store/reading/row-details.queries.js';
import { VelocityQueries } from './store/velocity.queries.js';

/** Reads stored transactions for windows. Implements classes of the rules module, which must not import kyt. */
@Global()
@Module({
  imports: [FxModule, RulesModule],
  providers: [
    BacktestAggregatesService,
    BacktestRowsQueries,
    EvaluationHistoryQueries,
    EventWindowQueries,
    RowDetailsQueries,
    VelocityQueries,
    VelocityReader,
    { provide: BacktestHistory, useClass: EvaluationHistoryService },
    { provide: OrganisationListKeys, useClass: ScreeningListKeys },
  ],
  exports: [BacktestAggregatesService, BacktestHistory, OrganisationListKeys, VelocityReader],
})
export class HistoryModule {}
