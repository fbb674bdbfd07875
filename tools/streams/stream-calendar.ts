import { isBankDay } from '../../src/platform/kernel/reference/bank-calendar.js';
import {
  dayAfter,
  LocalDays,
  weekdayOf,
  type CalendarDay,
} from '../../src/platform/kernel/values/local-day.js';
import type { RandomGenerator } from './dice.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const days = new LocalDays();

/** A day of a stream, with the calendar facts that payments depend on. */
export interface StreamDay {
  /** Counted from 0. */
  readonly number: number;
  readonly day: CalendarDay;
  /** When the day begins, in milliseconds since the epoch. */
  readonly starts: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly isBankDay: boolean;
  /** True on the fifth bank day, when salaries are paid. */
  readonly isPayday: boolean;
}

/** How active people are in each hour of the day, from midnight. */
const HOURS = [2, 1, 0.5, 0.3, 0.3, 0.8, 2, 5, 7, 8, 9, 10, 12, 10, 8, 8, 8, 9, 11, 10, 8, 6, 5, 3];
const WEEKDAYS = [0.75, 0.95, 0.95, 1, 1.05, 1.2, 1.15];

export function streamDays(begins: CalendarDay, count: number): StreamDay[] {
  const found: StreamDay[] = [];
  let bankDays = bankDaysBefore(begins);
  let day = begins;
  for (let number = 0; number < count; number += 1) {
    if (day.day === 1) bankDays = 0;
    const open = isBankDay(day);
    if (open) bankDays += 1;
    found.push({
      number,
      day,
      starts: days.startOf(day),
      weekday: weekdayOf(day),
      isBankDay: open,
      isPayday: open && bankDays === 5,
    });
    day = dayAfter(day);
  }
  return found;
}

function bankDaysBefore({ year, month, day }: CalendarDay): number {
  const earlier = Array.from({ length: day - 1 }, (_, i) => ({ year, month, day: i + 1 }));
  return earlier.filter(isBankDay).length;
}

export const weekdayFactor = ({ weekday }: StreamDay): number => WEEKDAYS[weekday] ?? 1;

/** Draws a time of the day, mostly in waking hours. */
export const drawTime = (dice: RandomGenerator, { starts }: StreamDay): number =>
  starts + dice.weighted(HOURS) * HOUR_MS + dice.between(0, HOUR_MS - 1);

/** Draws a time from hour `from` up to, but excluding, hour `to`. */
export const drawTimeBetween = (
  dice: RandomGenerator,
  { starts }: StreamDay,
  from: number,
  to: number,
): number => starts + dice.between(from * HOUR_MS, to * HOUR_MS - 1);
