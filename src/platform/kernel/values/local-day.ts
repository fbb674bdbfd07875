/** The time zone of Brazilian business days, and of the local hours that regulations name. */
export const BRAZIL_TIME_ZONE = 'America/Sao_Paulo';

/** A calendar day; `month` is 1 to 12. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_OFFSETS = 4_096;
const QUARTER_MS = 900_000;
const MAX_DAYS_KEPT = 12_000;

/** Calendar days of one time zone. A call of Intl costs microseconds, so offsets are cached per hour. */
export class LocalDays {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  constructor(readonly timeZone: string = BRAZIL_TIME_ZONE) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** Returns the local day of a moment (milliseconds since the epoch). */
  dayOf(time: number): CalendarDay {
    const local = new Date(time + this.offsetAt(time));
    return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  }

  /** Returns when a local day begins, in milliseconds since the epoch. */
  startOf({ year, month, day }: CalendarDay): number {
    const midnight = Date.UTC(year, month - 1, day);
    // The offset is looked up twice: the first guess may lie before or after a clock change.
    const guess = midnight - this.offsetAt(midnight);
    const start = midnight - this.offsetAt(guess);
    // If clocks went forward at midnight, the day began at 01:00, which is the guess.
    return start + this.offsetAt(start) < midnight ? guess : start;
  }

  startOfDay(time: number): number {
    return this.startOf(this.dayOf(time));
  }

  private offsetAt(time: number): number {
    const hour = Math.floor(time / HOUR_MS);
    let offset = this.offsets.get(hour);
    if (offset === undefined) {
      offset = this.measureOffset(hour * HOUR_MS);
      if (this.offsets.size >= MAX_OFFSETS) this.offsets.clear();
      this.offsets.set(hour, offset);
    }
    return offset;
  }

  private measureOffset(time: number): number {
    const parts = new Map(this.format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - time;
  }
}

export function dayBefore({ year, month, day }: CalendarDay): CalendarDay {
  const before = new Date(Date.UTC(year, month - 1, day) - DAY_MS);
  return { year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, day: before.getUTCDate() };
}

/** Returns the day of the week; 0 is Sunday. */
export const weekdayOf = ({ year, month, day }: CalendarDay): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay();

/** Returns the day that lies `days` later; earlier if negative. */
export function daysLater({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const later = new Date(Date.UTC(year, month - 1, day) + days * DAY_MS);
  return { year: later.getUTCFullYear(), month: later.getUTCMonth() + 1, day: later.getUTCDate() };
}

export const dayAfter = (day: CalendarDay): CalendarDay => daysLater(day, 1);

/**
 * Returns a function that formats the local day of a moment (`2026-11-20`). A call of Intl costs microseconds, so
 * results are cached per quarter of an hour; since 1972, offsets change only at those bounds.
 */
export function localDayIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const days = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    let day = days.get(quarter);
    if (day === undefined) {
      if (days.size >= MAX_DAYS_KEPT) days.clear();
      days.set(quarter, (day = format.format(at)));
    }
    return day;
  };
}
