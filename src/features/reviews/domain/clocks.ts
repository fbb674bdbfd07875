import {
  dayAfter,
  daysLater,
  LocalDays,
  type CalendarDay,
} from '../../../platform/kernel/values/local-day.js';
import { isBankDay } from '../../../platform/kernel/reference/bank-calendar.js';

/** Selection: 45 calendar days from the operation (Circular BCB 3.978/2020, art. 39, parágrafo único). */
export const SELECTION_DAYS = 45;
/** Analysis: 45 calendar days from the selection (art. 43, § 1º). */
export const ANALYSIS_DAYS = 45;
/** Time until an operator has to check a possible sanctions hit; not a legal deadline. */
export const SANCTIONS_RESPONSE_MS = 3_600_000;
/** Records are kept for 10 years, counted from 1 January of the following year (art. 67). */
export const RETENTION_YEARS = 10;

const brazil = new LocalDays();

/** The last millisecond of the day (Brazilian time) that is `days` after the day of `time`. */
function endOfDayAfter(time: number, days: number): Date {
  const last = daysLater(brazil.dayOf(time), days);
  return new Date(brazil.startOf(dayAfter(last)) - 1);
}

/** The deadline to select an operation for analysis. */
export const selectionDeadline = (occurredAt: Date): Date =>
  endOfDayAfter(occurredAt.getTime(), SELECTION_DAYS);

/** The deadline of the analysis, which begins when the case is opened. */
export const analysisDeadline = (openedAt: Date): Date => endOfDayAfter(openedAt.getTime(), ANALYSIS_DAYS);

/** The deadline for the first check of a possible sanctions hit. */
export const responseDeadline = (openedAt: Date): Date =>
  new Date(openedAt.getTime() + SANCTIONS_RESPONSE_MS);

/**
 * The deadline to file a communication with COAF: the end of the next banking day after the decision (art. 48, § 2º). A
 * decision on a Friday is due on Monday, or later when Monday is a holiday.
 */
export function reportDeadline(decidedAt: Date): Date {
  let day = dayAfter(brazil.dayOf(decidedAt.getTime()));
  while (!isBankDay(day)) day = dayAfter(day);
  return new Date(brazil.startOf(dayAfter(day)) - 1);
}

/** The first day on which a record may be deleted: `YYYY-MM-DD`. */
export function retainUntil(from: Date): string {
  const { year }: CalendarDay = brazil.dayOf(from.getTime());
  return `${year + 1 + RETENTION_YEARS}-01-01`;
}

export interface CaseClocks {
  readonly selectionDeadline: Date;
  readonly analysisDeadline: Date;
  readonly responseDeadline: Date | null;
  /** The earliest of the deadlines. */
  readonly dueAt: Date;
}

/** The deadlines of a new case; `sanctions` is true if a possible sanctions hit is among its reasons. */
export function caseClocksOf(occurredAt: Date, openedAt: Date, sanctions: boolean): CaseClocks {
  const analysis = analysisDeadline(openedAt);
  const response = sanctions ? responseDeadline(openedAt) : null;
  return {
    selectionDeadline: selectionDeadline(occurredAt),
    analysisDeadline: analysis,
    responseDeadline: response,
    dueAt: response ?? analysis,
  };
}
