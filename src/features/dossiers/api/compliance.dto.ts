import { Field, View } from '../../../platform/http/index.js';
import { reviewKinds } from '../../reviews/index.js';
import type { RequestedSpan } from '../compliance-report.service.js';
import { ageBuckets, type AgeBucket } from '../domain/age-buckets.js';
import type {
  DayFigures,
  AgeFigures,
  DecisionFigures,
  RatedRule,
  RatedList,
  OverdueCounts,
  ComplianceFigures,
} from '../domain/compliance-figures.js';

const DAY = { max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/, form: 'a day such as 2026-11-20' };

export class SpanQuery implements RequestedSpan {
  @Field.text('First local day; 29 days before `to`.', { ...DAY, optional: true, example: '2026-11-01' })
  from?: string;

  @Field.text('Last local day, included; today.', { ...DAY, optional: true, example: '2026-11-20' })
  to?: string;
}

export class DayFiguresView implements DayFigures {
  @View.text('The day, as `YYYY-MM-DD`.', { example: '2026-11-20' }) day: string;
  @View.enum(reviewKinds, 'The kind of case.', { example: 'SCORE' }) kind: string;
  @View.integer('How many were opened.', { example: 4 }) opened: number;
}

export class AgeFiguresView implements AgeFigures {
  @View.enum(ageBuckets, 'The number of days.', { example: '0-7' }) days: AgeBucket;
  @View.integer('How many cases.', { example: 4 }) cases: number;
}

export class DecisionFiguresView implements DecisionFigures {
  @View.integer('How many cases.', { example: 4 }) cases: number;
  @View.numberOrNull('The mean, in hours.', { example: 6.5 }) meanHours: number | null;
  @View.numberOrNull('The median, in hours.', { example: 6.5 }) medianHours: number | null;
  @View.numberOrNull('Nine of ten took no longer, in hours.', { example: 6.5 }) p90Hours: number | null;
}

export class RuleFiguresView implements RatedRule {
  @View.text('The key of the rule.', { example: 'BR-FLOW-12' }) ruleId: string;
  @View.integer('How many cases.', { example: 4 }) cases: number;
  @View.integer('Rejected, or communicated to COAF.', { example: 4 }) truePositives: number;
  @View.integer('Closed as FALSE_POSITIVE.', { example: 4 }) falsePositives: number;
  @View.integer('Approved and archived after analysis.', { example: 4 }) others: number;
  @View.numberOrNull('The share of cases that turned out to be something, from 0 to 1.', { example: 0.25 })
  truePositiveRate: number | null;
  @View.numberOrNull('The share of cases that turned out to be nothing, from 0 to 1.', { example: 0.25 })
  falsePositiveRate: number | null;
}

export class ListFiguresView implements RatedList {
  @View.text('The list, by its key.', { example: 'un-consolidated' }) list: string;
  @View.integer('How many hits.', { example: 4 }) hits: number;
  @View.integer('How many were confirmed.', { example: 4 }) confirmed: number;
  @View.integer('How many were dismissed.', { example: 4 }) dismissed: number;
  @View.integer('How many wait.', { example: 4 }) waiting: number;
  @View.numberOrNull('Of those that were decided.', { example: 0.25 }) truePositiveRate: number | null;
  @View.numberOrNull('Of those that were decided.', { example: 0.25 }) falsePositiveRate: number | null;
}

export class OverdueView implements OverdueCounts {
  @View.integer('How many cases.', { example: 4 }) cases: number;
  @View.integer('How many communications.', { example: 4 }) communications: number;
}

export class ComplianceFiguresView implements ComplianceFigures {
  @View.text('The first day or instant that is looked at.', { example: '2026-10-22' }) from: string;
  @View.text('The end of what is looked at.', { example: '2026-11-20' }) to: string;
  @View.list(DayFiguresView, 'Days without any are left out.') alertsPerDay: readonly DayFiguresView[];
  @View.list(AgeFiguresView, 'Of cases that are open now.') ageing: readonly AgeFiguresView[];
  @View.object(DecisionFiguresView, 'Of cases closed in the span.') timeToDecision: DecisionFiguresView;
  @View.list(RuleFiguresView, 'Of cases closed in the span.') rules: readonly RuleFiguresView[];
  @View.list(ListFiguresView, 'Of hits found in the span.') lists: readonly ListFiguresView[];
  @View.object(OverdueView, 'What is past its time limit.') overdue: OverdueView;
}
