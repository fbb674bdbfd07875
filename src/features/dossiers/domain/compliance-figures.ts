import type { AgeBucket } from './age-buckets.js';
import { csvRow } from '../../../platform/kernel/csv/csv.js';

export interface DayFigures {
  readonly day: string;
  readonly kind: string;
  readonly opened: number;
}

export interface AgeFigures {
  readonly days: AgeBucket;
  readonly cases: number;
}

export interface DecisionFigures {
  readonly cases: number;
  readonly meanHours: number | null;
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
}

export interface RuleFigures {
  readonly ruleId: string;
  readonly cases: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly others: number;
}

export interface ListFigures {
  readonly list: string;
  readonly hits: number;
  readonly confirmed: number;
  readonly dismissed: number;
  readonly waiting: number;
}

export interface OverdueCounts {
  readonly cases: number;
  readonly communications: number;
}

export interface ComplianceFigures {
  readonly from: string;
  readonly to: string;
  readonly alertsPerDay: readonly DayFigures[];
  readonly ageing: readonly AgeFigures[];
  readonly timeToDecision: DecisionFigures;
  readonly rules: readonly RatedRule[];
  readonly lists: readonly RatedList[];
  readonly overdue: OverdueCounts;
}

/** Fractions with four decimals; null if there are no cases. */
interface Rates {
  readonly truePositiveRate: number | null;
  readonly falsePositiveRate: number | null;
}

export interface RatedRule extends RuleFigures, Rates {}
export interface RatedList extends ListFigures, Rates {}

/** Returns `part / whole` with four decimals; null if `whole` is zero. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

export const ruleRates = (figures: RuleFigures): RatedRule => ({
  ...figures,
  truePositiveRate: shareOf(figures.truePositives, figures.cases),
  falsePositiveRate: shareOf(figures.falsePositives, figures.cases),
});

/** Adds the rates among decided hits. */
export function listRates(figures: ListFigures): RatedList {
  const decided = figures.confirmed + figures.dismissed;
  return {
    ...figures,
    truePositiveRate: shareOf(figures.confirmed, decided),
    falsePositiveRate: shareOf(figures.dismissed, decided),
  };
}

/** Writes all figures as CSV: `figure, key, measure, value`. */
export function formatFiguresCsv(figures: ComplianceFigures): string {
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
    ...figures.rules.flatMap(({ ruleId, ...measures }) =>
      Object.entries(measures).map(([measure, value]) => ['rules', ruleId, measure, value]),
    ),
    ...figures.lists.flatMap(({ list, ...measures }) =>
      Object.entries(measures).map(([measure, value]) => ['lists', list, measure, value]),
    ),
    ['overdue', '', 'cases', overdue.cases],
    ['overdue', '', 'communications', overdue.communications],
  ];
  return lines.map((cells) => csvRow(cells.map((cell) => (cell === null ? '' : String(cell))))).join('');
}
