import { isBankDay } from '../../../platform/kernel/reference/bank-calendar.js';
import { LocalDays } from '../../../platform/kernel/values/local-day.js';

// Offsets such as +03:00 are not names: they would ignore daylight saving time.
const NAME = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/;

/** True for the name of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' });

const QUARTER_MS = 900_000;
/** Maximum number of cached quarters of an hour, about four months. */
const MAX_QUARTERS = 12_000;

type Part = 'hour' | 'weekday' | 'day';

const partOf: Readonly<Record<Part, (timeZone: string) => (time: number) => number>> = {
  hour: (timeZone) => {
    const format = formatOf(timeZone);
    return (time) => Number(format.format(time));
  },
  weekday: (timeZone) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' });
    return (time) => WEEKDAYS.indexOf(format.format(time)) + 1;
  },
  day: (timeZone) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric' });
    return (time) => Number(format.format(time));
  },
};

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/**
 * Returns a function for the local hour (0 to 23), day of the week (1 is Monday) or day of the month of a moment in a
 * time zone. Intl takes a microsecond or more, so the result is cached for each quarter of an hour. Since 1972, offsets
 * have changed at quarters of an hour only.
 */
export function localPartIn(part: Part, timeZone: string): (time: number) => number {
  const ask = partOf[part](timeZone);
  const cachedParts = new Map<number, number>();
  let lastQuarter = NaN;
  let last = NaN;
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (quarter === lastQuarter) return last;
    let value = cachedParts.get(quarter);
    if (value === undefined) {
      // Dates end at 8.64e15 ms; later times have no time of day.
      value = Math.abs(time) <= 8.64e15 ? ask(time) : NaN;
      if (cachedParts.size >= MAX_QUARTERS) cachedParts.clear();
      cachedParts.set(quarter, value);
    }
    lastQuarter = quarter;
    last = value;
    return value;
  };
}

const bankDays = new LocalDays();
const DATES_END = 8.64e15;

/** Returns 1 if banks in Brazil are open on the local day of a moment, else 0; 2 (unknown) for an invalid time. */
export const bankDayOf = (time: number): 0 | 1 | 2 => {
  if (!(Math.abs(time) <= DATES_END)) return 2;
  return isBankDay(bankDays.dayOf(time)) ? 1 : 0;
};
