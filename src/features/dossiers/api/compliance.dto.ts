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
  Overdue,
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
  @View.text({ example: '2026-11-20' }) day: string;
  @View.enum(reviewKinds, { example: 'SCORE' }) kind: string;
  @View.integer({ example: 4 }) opened: number;
}

export class AgeFiguresView implements AgeFigures {
  @View.enum(ageBuckets, { example: '0-7' }) days: AgeBucket;
  @View.integer({ example: 4 }) cases: number;
}

export class DecisionFiguresView implements DecisionFigures {
  @View.integer({ example: 4 }) cases: number;
  @View.numberOrNull({ example: 6.5 }) meanHours: number | null;
  @View.numberOrNull({ example: 6.5 }) medianHours: number | null;
  @View.numberOrNull({ example: 6.5 }) p90Hours: number | null;
}

export class RuleFiguresView implements RatedRule {
  @View.text({ example: 'BR-FLOW-12' }) ruleId: string;
  @View.integer({ example: 4 }) cases: number;
  @View.integer('Rejected, or communicated to COAF.', { example: 4 }) truePositives: number;
  @View.integer('Closed as FALSE_POSITIVE.', { example: 4 }) falsePositives: number;
  @View.integer('Approved and archived after analysis.', { example: 4 }) others: number;
  @View.numberOrNull({ example: 0.25 }) truePositiveRate: number | null;
  @View.numberOrNull({ example: 0.25 }) falsePositiveRate: number | null;
}

export class ListFiguresView implements RatedList {
  @View.text({ example: 'un-consolidated' }) list: string;
  @View.integer({ example: 4 }) hits: number;
  @View.integer({ example: 4 }) confirmed: number;
  @View.integer({ example: 4 }) dismissed: number;
  @View.integer({ example: 4 }) waiting: number;
  @View.numberOrNull('Of those that were decided.', { example: 0.25 }) truePositiveRate: number | null;
  @View.numberOrNull('Of those that were decided.', { example: 0.25 }) falsePositiveRate: number | null;
}

export class OverdueView implements Overdue {
  @View.integer({ example: 4 }) cases: number;
  @View.integer({ example: 4 }) communications: number;
}

export class ComplianceFiguresView implements ComplianceFigures {
  @View.text({ example: '2026-10-22' }) from: string;
  @View.text({ example: '2026-11-20' }) to: string;
  @View.list(DayFiguresView, 'Days without any are left out.') alertsPerDay: readonly DayFiguresView[];
  @View.list(AgeFiguresView, 'Of cases that are open now.') ageing: readonly AgeFiguresView[];
  @View.object(DecisionFiguresView, 'Of cases closed in the span.') timeToDecision: DecisionFiguresView;
  @View.list(RuleFiguresView, 'Of cases closed in the span.') rules: readonly RuleFiguresView[];
  @View.list(ListFiguresView, 'Of hits found in the span.') lists: readonly ListFiguresView[];
  @View.object(OverdueView) overdue: OverdueView;
}
