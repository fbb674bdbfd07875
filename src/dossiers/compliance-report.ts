import { Injectable } from '@nestjs/common';
import type { Acting } from '../audit/index.js';
import { Clock, DomainError } from '../kernel/index.js';
import { dayAfter, daysLater, LocalDays, type CalendarDay } from '../kernel/local-day.js';
import { DossierExports } from './dossier-exports.js';
import { figuresCsv, type ComplianceFigures } from './domain/compliance-figures.js';
import { ComplianceQueries } from './store/compliance.queries.js';

/** Local days, both included; the last thirty when left out. */
export interface AskedSpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const DEFAULT_DAYS = 30;
// A year and a day, so that two years can be compared day by day.
const MOST_DAYS = 367;
const DAY_MS = 86_400_000;

/** The figures by which alerts, decisions and rules are managed. */
@Injectable()
export class ComplianceReport {
  private readonly days = new LocalDays();

  constructor(
    private readonly queries: ComplianceQueries,
    private readonly exports: DossierExports,
    private readonly clock: Clock,
  ) {}

  async figures(organisationId: string, asked: AskedSpan): Promise<ComplianceFigures> {
    const now = this.clock.now();
    const to = asked.to === undefined ? this.days.dayOf(now) : dayOf(asked.to, 'to');
    const from = asked.from === undefined ? daysLater(to, 1 - DEFAULT_DAYS) : dayOf(asked.from, 'from');
    const span = {
      from: new Date(this.days.startOf(from)),
      to: new Date(this.days.startOf(dayAfter(to))),
      now: new Date(now),
    };
    const length = (span.to.getTime() - span.from.getTime()) / DAY_MS;
    if (length <= 0) throw invalid('to', 'Must not be before `from`.');
    if (length > MOST_DAYS) throw invalid('from', `The span has at most ${MOST_DAYS} days.`);
    return {
      from: textOf(from),
      to: textOf(to),
      alertsPerDay: await this.queries.alertsPerDay(organisationId, span),
      ageing: await this.queries.ageing(organisationId, span),
      timeToDecision: await this.queries.timeToDecision(organisationId, span),
      rules: await this.queries.rules(organisationId, span),
      lists: await this.queries.lists(organisationId, span),
      overdue: await this.queries.overdue(organisationId, span),
    };
  }

  /** The same as a CSV file; taking it along is in the trail. */
  async csv(acting: Acting, asked: AskedSpan): Promise<string> {
    const figures = await this.figures(acting.organisationId, asked);
    await this.exports.record(acting, { about: 'metrics', id: null, format: 'csv', revealed: false });
    return figuresCsv(figures);
  }
}

const textOf = ({ year, month, day }: CalendarDay): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

function dayOf(text: string, path: string): CalendarDay {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const asked = { year, month, day };
  // 31 February is a day of March to the calendar; here it is none.
  if (textOf(daysLater(asked, 0)) !== text) throw invalid(path, 'Must be a day of the calendar.');
  return asked;
}

const invalid = (path: string, message: string): DomainError =>
  new DomainError('VALIDATION_FAILED', { details: [{ path, code: 'DATE_INVALID', message }] });
