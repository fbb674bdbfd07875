import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../audit/index.js';
import { Clock, invalid } from '../../platform/kernel/index.js';
import { dayAfter, daysLater, LocalDays, type CalendarDay } from '../../platform/kernel/values/local-day.js';
import { DossierExports } from './files/dossier-exports.js';
import {
  formatFiguresCsv,
  type ComplianceFigures,
  listRates,
  ruleRates,
} from './domain/compliance-figures.js';
import { ComplianceQueries } from './store/compliance.queries.js';

const DEFAULT_DAYS = 30;
// Maximum days of a report, a leap year and a day: from a day to the same day one year later.
const MAX_DAYS = 367;
const DAY_MS = 86_400_000;

/** The first and the last day in Brazil (`2026-11-20`), both included. Default: the last 30 days. */
export interface RequestedSpan {
  readonly from?: string;
  readonly to?: string;
}

/** Computes figures about alerts, decisions and rules. */
@Injectable()
export class ComplianceReportService {
  private readonly days = new LocalDays();

  constructor(
    private readonly queries: ComplianceQueries,
    private readonly exports: DossierExports,
    private readonly clock: Clock,
  ) {}

  async readFigures(organisationId: string, asked: RequestedSpan): Promise<ComplianceFigures> {
    const now = this.clock.now();
    const to = asked.to === undefined ? this.days.dayOf(now) : parseDay(asked.to, 'to');
    const from = asked.from === undefined ? daysLater(to, 1 - DEFAULT_DAYS) : parseDay(asked.from, 'from');
    const span = {
      from: new Date(this.days.startOf(from)),
      to: new Date(this.days.startOf(dayAfter(to))),
      now: new Date(now),
    };
    const length = (span.to.getTime() - span.from.getTime()) / DAY_MS;
    if (length <= 0) throw invalid('to', 'DATE_INVALID', 'Must not be before `from`.');
    if (length > MAX_DAYS) throw invalid('from', 'DATE_INVALID', `The span has at most ${MAX_DAYS} days.`);
    return {
      from: textOf(from),
      to: textOf(to),
      alertsPerDay: await this.queries.countCasesOpenedPerDay(organisationId, span),
      ageing: await this.queries.readAgeFigures(organisationId, span),
      timeToDecision: await this.queries.readTimeToDecision(organisationId, span),
      rules: (await this.queries.readRuleFigures(organisationId, span)).map(ruleRates),
      lists: (await this.queries.readListFigures(organisationId, span)).map(listRates),
      overdue: await this.queries.countOverdue(organisationId, span),
    };
  }

  /** Returns the figures as a CSV file; the export is audited. */
  async exportCsv(ctx: ActorContext, asked: RequestedSpan): Promise<string> {
    const figures = await this.readFigures(ctx.organisationId, asked);
    await this.exports.record(ctx, { about: 'metrics', id: null, format: 'csv', revealed: false });
    return formatFiguresCsv(figures);
  }
}

const textOf = ({ year, month, day }: CalendarDay): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

function parseDay(text: string, path: string): CalendarDay {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const dayParts = { year, month, day };
  // `daysLater` turns 31 February into a day of March; here it is invalid.
  if (textOf(daysLater(dayParts, 0)) !== text) {
    throw invalid(path, 'DATE_INVALID', 'Must be a day of the calendar.');
  }
  return dayParts;
}
