import { csvRow } from '../../kernel/csv.js';

/** What became of the cases in which a rule had a part. */
export interface RuleFigures {
  readonly ruleId: string;
  /** Closed cases about an evaluation that gave this rule as a reason. */
  readonly cases: number;
  /** Rejected, or communicated to COAF: there was something in it. */
  readonly truePositives: number;
  /** Closed as FALSE_POSITIVE. */
  readonly falsePositives: number;
  /** Approved and archived after analysis: neither. */
  readonly others: number;
}

/** What became of the hits on a list. */
export interface ListFigures {
  readonly list: string;
  readonly hits: number;
  readonly confirmed: number;
  readonly dismissed: number;
  /** Nobody has decided them yet. */
  readonly waiting: number;
}

export interface DayFigures {
  /** Local day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly kind: string;
  readonly opened: number;
}

export interface AgeFigures {
  /** Whole days since the case was opened: `0-7`, `8-30`, `31-45`, `46+`. */
  readonly days: AgeBucket;
  readonly cases: number;
}

export const ageBuckets = ['0-7', '8-30', '31-45', '46+'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

export interface DecisionFigures {
  /** Cases that were closed. */
  readonly cases: number;
  readonly meanHours: number | null;
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
}

/** What a head of compliance asks for. */
export interface ComplianceFigures {
  /** Local days, both included. */
  readonly from: string;
  readonly to: string;
  readonly alertsPerDay: readonly DayFigures[];
  /** Of cases that are open now. */
  readonly ageing: readonly AgeFigures[];
  /** Of cases closed in the span. */
  readonly timeToDecision: DecisionFigures;
  /** Of cases closed in the span. */
  readonly rules: readonly RuleFigures[];
  /** Of hits found in the span. */
  readonly lists: readonly ListFigures[];
  /** Now. */
  readonly overdue: { readonly cases: number; readonly communications: number };
}

/** A share with four decimals; null of nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** All figures as lines of `figure, key, measure, value`. */
export function figuresCsv(figures: ComplianceFigures): string {
  const { timeToDecision, overdue } = figures;
  const lines: (readonly (string | number | null)[])[] = [
    ['figure', 'key', 'measure', 'value'],
    ['span', '', 'from', figures.from],
    ['span', '', 'to', figures.to],
    ...figures.alertsPerDay.map(({ day, kind, opened }) => ['alertsPerDay', day, kind, opened]),
    ...figures.ageing.map(({ days, cases }) => ['ageing', days, 'cases', cases]),
    ['timeToDecision', '', 'cases', timeToDecision.cases],
    ['timeToDecision', '', 'meanHours', timeToDecision.meanHours],
    ['timeToDecision', '', 'medianHours', timeToDecision.medianHours],
    ['timeToDecision', '', 'p90Hours', timeToDecision.p90Hours],
    ...figures.rules.flatMap(({ ruleId, cases, truePositives, falsePositives, others }) => [
      ['rules', ruleId, 'cases', cases],
      ['rules', ruleId, 'truePositives', truePositives],
      ['rules', ruleId, 'falsePositives', falsePositives],
      ['rules', ruleId, 'others', others],
      ['rules', ruleId, 'truePositiveRate', shareOf(truePositives, cases)],
      ['rules', ruleId, 'falsePositiveRate', shareOf(falsePositives, cases)],
    ]),
    ...figures.lists.flatMap(({ list, hits, confirmed, dismissed, waiting }) => [
      ['lists', list, 'hits', hits],
      ['lists', list, 'confirmed', confirmed],
      ['lists', list, 'dismissed', dismissed],
      ['lists', list, 'waiting', waiting],
      ['lists', list, 'truePositiveRate', shareOf(confirmed, confirmed + dismissed)],
      ['lists', list, 'falsePositiveRate', shareOf(dismissed, confirmed + dismissed)],
    ]),
    ['overdue', '', 'cases', overdue.cases],
    ['overdue', '', 'communications', overdue.communications],
  ];
  return lines.map((cells) => csvRow(cells.map((cell) => (cell === null ? '' : String(cell))))).join('');
}
