import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '../../http/index.js';
import {
  ageBuckets,
  shareOf,
  type AgeBucket,
  type ComplianceFigures,
  type ListFigures,
  type RuleFigures,
} from '../domain/compliance-figures.js';

const DAY = { max: 10, pattern: /^\d{4}-\d{2}-\d{2}$/, form: 'a day such as 2026-11-20' };
const COUNT = { type: 'integer', example: 4 } as const;
const RATE = { type: Number, nullable: true, example: 0.25 } as const;
const HOURS = { type: Number, nullable: true, example: 6.5 } as const;

export class SpanQuery {
  @ApiPropertyOptional({ example: '2026-11-01', description: 'First local day; 29 days before `to`.' })
  @IsOptional()
  @IsText(DAY)
  from?: string;

  @ApiPropertyOptional({ example: '2026-11-20', description: 'Last local day, included; today.' })
  @IsOptional()
  @IsText(DAY)
  to?: string;
}

export class DayFiguresView {
  @ApiProperty({ example: '2026-11-20' })
  day: string;

  @ApiProperty({ example: 'SCORE' })
  kind: string;

  @ApiProperty(COUNT)
  opened: number;
}

export class AgeFiguresView {
  @ApiProperty({ enum: ageBuckets, example: '0-7' })
  days: AgeBucket;

  @ApiProperty(COUNT)
  cases: number;
}

export class DecisionFiguresView {
  @ApiProperty(COUNT)
  cases: number;

  @ApiProperty(HOURS)
  meanHours: number | null;

  @ApiProperty(HOURS)
  medianHours: number | null;

  @ApiProperty(HOURS)
  p90Hours: number | null;
}

export class RuleFiguresView {
  @ApiProperty({ example: 'BR-FLOW-12' })
  ruleId: string;

  @ApiProperty(COUNT)
  cases: number;

  @ApiProperty({ ...COUNT, description: 'Rejected, or communicated to COAF.' })
  truePositives: number;

  @ApiProperty({ ...COUNT, description: 'Closed as FALSE_POSITIVE.' })
  falsePositives: number;

  @ApiProperty({ ...COUNT, description: 'Approved and archived after analysis.' })
  others: number;

  @ApiProperty(RATE)
  truePositiveRate: number | null;

  @ApiProperty(RATE)
  falsePositiveRate: number | null;

  static of(figures: RuleFigures): RuleFiguresView {
    return {
      ...figures,
      truePositiveRate: shareOf(figures.truePositives, figures.cases),
      falsePositiveRate: shareOf(figures.falsePositives, figures.cases),
    };
  }
}

export class ListFiguresView {
  @ApiProperty({ example: 'un-consolidated' })
  list: string;

  @ApiProperty(COUNT)
  hits: number;

  @ApiProperty(COUNT)
  confirmed: number;

  @ApiProperty(COUNT)
  dismissed: number;

  @ApiProperty(COUNT)
  waiting: number;

  @ApiProperty({ ...RATE, description: 'Of those that were decided.' })
  truePositiveRate: number | null;

  @ApiProperty({ ...RATE, description: 'Of those that were decided.' })
  falsePositiveRate: number | null;

  static of(figures: ListFigures): ListFiguresView {
    const decided = figures.confirmed + figures.dismissed;
    return {
      ...figures,
      truePositiveRate: shareOf(figures.confirmed, decided),
      falsePositiveRate: shareOf(figures.dismissed, decided),
    };
  }
}

export class OverdueView {
  @ApiProperty(COUNT)
  cases: number;

  @ApiProperty(COUNT)
  communications: number;
}

export class ComplianceFiguresView {
  @ApiProperty({ example: '2026-10-22' })
  from: string;

  @ApiProperty({ example: '2026-11-20' })
  to: string;

  @ApiProperty({ type: [DayFiguresView], description: 'Days without any are left out.' })
  alertsPerDay: readonly DayFiguresView[];

  @ApiProperty({ type: [AgeFiguresView], description: 'Of cases that are open now.' })
  ageing: readonly AgeFiguresView[];

  @ApiProperty({ type: DecisionFiguresView, description: 'Of cases closed in the span.' })
  timeToDecision: DecisionFiguresView;

  @ApiProperty({ type: [RuleFiguresView], description: 'Of cases closed in the span.' })
  rules: readonly RuleFiguresView[];

  @ApiProperty({ type: [ListFiguresView], description: 'Of hits found in the span.' })
  lists: readonly ListFiguresView[];

  @ApiProperty({ type: OverdueView })
  overdue: OverdueView;

  static of({ rules, lists, ...figures }: ComplianceFigures): ComplianceFiguresView {
    return {
      ...figures,
      rules: rules.map((one) => RuleFiguresView.of(one)),
      lists: lists.map((one) => ListFiguresView.of(one)),
    };
  }
}
