import { Global, Module } from '@nestjs/common';
import { BacktestHistory } from '../rules/index.js';
import { EvaluationHistory } from './store/history.repository.js';

/** Gives Rules, which must not know this module, the history that back-tests run over. */
@Global()
@Module({
  providers: [{ provide: BacktestHistory, useClass: EvaluationHistory }],
  exports: [BacktestHistory],
})
export class HistoryModule {}
