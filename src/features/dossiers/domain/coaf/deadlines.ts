import { dayAfter, LocalDays, type CalendarDay } from '../../../../platform/kernel/values/local-day.js';
import { isBankDay } from '../../../../platform/kernel/reference/bank-calendar.js';

const brazil = new LocalDays();

export const localDay = (at: Date): CalendarDay => brazil.dayOf(at.getTime());

const STATEMENT_BANK_DAYS = 10;

/**
 * Returns the deadline for stating that a year had no communication: the end of the tenth bank day of the next year
 * (Circular BCB 3.978/2020, art. 54; the number of days still has to be verified).
 */
export function statementDueAt(year: number): Date {
  let day: CalendarDay = { year: year + 1, month: 1, day: 1 };
  for (let remaining = STATEMENT_BANK_DAYS - (isBankDay(day) ? 1 : 0); remaining > 0;) {
    day = dayAfter(day);
    if (isBankDay(day)) remaining -= 1;
  }
  return new Date(brazil.startOf(dayAfter(day)) - 1);
}

/** Returns when a year and the next year begin in Brazil. */
export const yearBounds = (year: number): { readonly from: Date; readonly to: Date } => ({
  from: new Date(brazil.startOf({ year, month: 1, day: 1 })),
  to: new Date(brazil.startOf({ year: year + 1, month: 1, day: 1 })),
});
