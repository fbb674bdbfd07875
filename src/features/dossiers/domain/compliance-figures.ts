import type { ComplianceFiguresView, ListFiguresView, RuleFiguresView } from '../api/compliance.dto.js';
import { csvRow } from '../../../platform/kernel/values/csv.js';

type Rate = 'truePositiveRate' | 'falsePositiveRate';
export type RuleFigures = Omit<RuleFiguresView, Rate>;
export type ListFigures = Omit<ListFiguresView, Rate>;

/** A share with four decimals; null of nothing. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

export const ruleRates = (figures: RuleFigures): RuleFiguresView => ({
  ...figures,
  truePositiveRate: shareOf(figures.truePositives, figures.cases),
  falsePositiveRate: shareOf(figures.falsePositives, figures.cases),
});

/** Rates among those that were decided. */
export function listRates(figures: ListFigures): ListFiguresView {
  const decided = figures.confirmed + figures.dismissed;
  return {
    ...figures,
    truePositiveRate: shareOf(figures.confirmed, decided),
    falsePositiveRate: shareOf(figures.dismissed, decided),
  };
}

/** All figures as lines of `figure, key, measure, value`. */
export function figuresCsv(figures: ComplianceFiguresView): string {
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
