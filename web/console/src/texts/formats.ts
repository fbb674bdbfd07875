/** How numbers, amounts and times are written, in the language and the time zone of the person. */
import { currentLanguage, localeOf } from './language.js';

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function once<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: (locale: string) => T,
): T {
  const locale = localeOf(currentLanguage());
  const name = `${locale} ${key}`;
  let one = made.get(name) as T | undefined;
  if (one === undefined) made.set(name, (one = make(locale)));
  return one;
}

export const number = (value: number): string =>
  once('number', (locale) => new Intl.NumberFormat(locale)).format(value);

export const percent = (share: number): string =>
  once(
    'percent',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
  ).format(share);

/** An amount as the service gives it: a number or exact decimal text. */
export function money(amount: number | string, currency: string): string {
  const format = (): Intl.NumberFormat =>
    once(`money ${currency}`, (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency }));
  // A currency that the browser does not know must not hide the amount.
  try {
    return format().format(amount as number);
  } catch {
    return `${currency} ${amount}`;
  }
}

export const dateTime = (iso: string): string =>
  once(
    'date time',
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }),
  ).format(new Date(iso));

export const date = (iso: string): string =>
  once(
    'date',
    // A day has no time zone.
    (locale) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...(iso.length === 10 && { timeZone: 'UTC' }) }),
  ).format(new Date(iso));

export const time = (iso: string): string =>
  once('time', (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })).format(new Date(iso));

/** A full hour: "14:00". */
export const clock = (iso: string): string =>
  once('clock', (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' })).format(new Date(iso));

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** "in 2 hours", "3 days ago". */
export function relative(iso: string, now = Date.now()): string {
  const distance = new Date(iso).getTime() - now;
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? UNITS[3];
  return once(
    'relative',
    (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  ).format(Math.trunc(distance / size), unit);
}

/** A length of time in its largest unit: "3 h", "−40 min". */
export function span(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => Math.abs(ms) >= one) ?? UNITS[3];
  return once(
    `span ${unit}`,
    (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }),
  ).format(Math.trunc(ms / size));
}

/** Returns what others wrote, for a longer text: a name that is written from right to left turns nothing beside it around. */
export const apart = (text: string): string => `\u2068${text}\u2069`;
