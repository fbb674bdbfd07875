import { dayBefore, weekdayOf, type LocalDays, type CalendarDay } from '../values/local-day.js';

/**
 * Business days of Brazilian banks: Monday to Friday, except national holidays (Lei 662/1949, Lei 6.802/1980, Lei
 * 10.607/2002, Lei 14.759/2023) and the days on which banks stay closed: Carnival Monday and Tuesday, Good Friday,
 * Corpus Christi (Resolução CMN 4.880/2020). Local holidays count as business days.
 */
const FIXED_HOLIDAYS: readonly (readonly [month: number, day: number, since?: number])[] = [
  [1, 1], // Confraternização Universal
  [4, 21], // Tiradentes
  [5, 1], // Dia do Trabalho
  [9, 7], // Independência
  [10, 12], // Nossa Senhora Aparecida
  [11, 2], // Finados
  [11, 15], // Proclamação da República
  [11, 20, 2024], // Consciência Negra: national since 2024
  [12, 25], // Natal
];

/** Days from Easter Sunday: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const EASTER_OFFSETS = [-48, -47, -2, 60] as const;

const DAY_MS = 86_400_000;
const MAX_YEARS_KEPT = 64;
const holidaysByYear = new Map<number, ReadonlySet<number>>();

/** True on a bank holiday, even if it is a weekend day. */
export function isBankHoliday(day: CalendarDay): boolean {
  return holidaysOf(day.year).has(dayNumberOf(day));
}

export function isBankDay(day: CalendarDay): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(day);
}

/**
 * Returns when (milliseconds since the epoch) a window of `count` business days begins that ends with the day of
 * `time`. If that day is a weekend or a holiday, it does not count, but the window still includes it. Friday and Monday
 * are two business days.
 */
export function businessDaysBack(time: number, count: number, days: LocalDays): number {
  let day = days.dayOf(time);
  let remaining = count - (isBankDay(day) ? 1 : 0);
  while (remaining > 0) {
    day = dayBefore(day);
    if (isBankDay(day)) remaining -= 1;
  }
  return days.startOf(day);
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterOf(year: number): CalendarDay {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return { year, month, day };
}

const dayNumberOf = ({ year, month, day }: CalendarDay): number => Date.UTC(year, month - 1, day) / DAY_MS;

function holidaysOf(year: number): ReadonlySet<number> {
  let holidays = holidaysByYear.get(year);
  if (!holidays) {
    const easter = dayNumberOf(easterOf(year));
    holidays = new Set([
      ...FIXED_HOLIDAYS.filter(([, , since = 0]) => year >= since).map(([month, day]) =>
        dayNumberOf({ year, month, day }),
      ),
      ...EASTER_OFFSETS.map((offset) => easter + offset),
    ]);
    if (holidaysByYear.size >= MAX_YEARS_KEPT) holidaysByYear.clear();
    holidaysByYear.set(year, holidays);
  }
  return holidays;
}
