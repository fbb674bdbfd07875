import { View } from '../../../platform/http/index.js';
import type {
  RuleTally,
  OutcomeFlip,
  OutcomeChanges,
  HistogramBar,
  AlertDay,
  RuleOverlap,
  BacktestReport,
} from '../domain/backtest/backtest-report.js';
export class RuleTallyView implements RuleTally {
  @View.text('The key of the rule, which never changes.', { example: 'BR-STR-08' }) key: string;
  @View.integer('How many hits.', { example: 412 }) hits: number;
  @View.integer('Hits that there were not when it was evaluated.', { example: 17 }) newHits: number;
  @View.integer('Hits that there were, and would not be any more.', { example: 3 }) lostHits: number;
  @View.integer('Hits while it is only watched.', { example: 0 }) shadowHits: number;
  @View.integer('Could not be decided for want of a fact.', { example: 5 }) indeterminate: number;
  @View.integer('Hits where no other rule hit.', { example: 250 }) hitsAlone: number;
  @View.number('Share of the transactions that it hits.', { example: 0.0041 }) hitRate: number;

  @View.flag(
    'Whether no transaction that it is for could decide it. A live rule of which this is true and that is new or changed stops the publication.',
    { example: false },
  )
  neverDecided: boolean;
}

export class FlipView implements OutcomeFlip {
  @View.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome as it was.', {
    example: 'APPROVED',
  })
  from: string;
  @View.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome as it would be.', {
    example: 'REVIEW',
  })
  to: string;
  @View.integer('How many there are.', { example: 17 }) count: number;

  @View.texts('Some of them.', { example: ['txn_019364d0c0de7000a000000000000001'] })
  examples: readonly string[];
}

export class OutcomesView implements OutcomeChanges {
  @View.integer('How many are as before.', { example: 99_980 }) unchanged: number;
  @View.list(FlipView, 'Which outcomes would have changed, and how often.') flips: readonly FlipView[];
}

export class HistogramBarView implements HistogramBar {
  @View.integer('The lowest score of the range.', { example: 0 }) from: number;
  @View.integer('The highest score of the range.', { example: 9 }) to: number;
  @View.integer('How many there were in fact.', { example: 91_000 }) live: number;
  @View.integer('How many there would be with what is tested.', { example: 90_500 }) tested: number;
}

export class AlertDayView implements AlertDay {
  @View.text('Local day, America/Sao_Paulo.', { example: '2026-11-20' }) day: string;
  @View.integer('How many transactions.', { example: 12_000 }) transactions: number;
  @View.integer('How many there were in fact.', { example: 80 }) live: number;
  @View.integer('How many there would be with what is tested.', { example: 84 }) tested: number;
}

export class OverlapView implements RuleOverlap {
  @View.texts('The rules.', { example: ['BR-STR-08', 'BR-STR-09'] }) rules: readonly [string, string];
  @View.integer('How many belong to both.', { example: 120 }) both: number;

  @View.number('Hits of both over hits of either; 1: one of them adds nothing.', { example: 0.29 })
  likeness: number;
}

export class BacktestReportView implements BacktestReport {
  @View.integer('How many stored evaluations it went through.', { example: 100_000 }) snapshots: number;
  @View.list(RuleTallyView, 'The rules.') rules: readonly RuleTallyView[];
  @View.object(OutcomesView, 'How often it came to which outcome.') outcomes: OutcomesView;
  @View.list(HistogramBarView, 'How many there are in each range of scores.')
  scoreHistogram: readonly HistogramBarView[];

  @View.list(AlertDayView, 'Transactions per day that a person would have to look at.')
  alertsPerDay: readonly AlertDayView[];

  @View.list(OverlapView, 'Pairs of rules that hit the same transactions.') overlap: readonly OverlapView[];
}
