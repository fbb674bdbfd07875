/** How numbers, amounts and times are written, in the language and the time zone of the person. */
import { now as serviceTime } from '../api/clock.js';
import { ZONE } from './days.js';
import { currentLanguage, localeOf, type Language } from './language.js';

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function once<T extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: (locale: string) => T,
  language: Language = currentLanguage(),
): T {
  const locale = localeOf(language);
  const name = `${locale} ${key}`;
  let one = made.get(name) as T | undefined;
  if (one === undefined) made.set(name, (one = make(locale)));
  return one;
}

export const number = (value: number): string =>
  once('number', (locale) => new Intl.NumberFormat(locale)).format(value);

/** All digits of a decimal. */
export const exact = (decimal: string): string =>
  once('exact', (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })).format(
    decimal as unknown as number,
  );

/** All digits of an amount, at least two after the mark, so that it can be read in one way alone. */
export const amount = (decimal: string): string =>
  once(
    'amount',
    (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 20 }),
  ).format(decimal as unknown as number);

export const percent = (share: number): string =>
  once(
    'percent',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
  ).format(share);

/** An amount as the service gives it: a number or exact decimal text. */
export function money(amount: number | string, currency: string, language?: Language): string {
  const format = (): Intl.NumberFormat =>
    once(
      `money ${currency}`,
      (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
      language,
    );
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

/** A day, which has no time zone, or the day of a moment where the organisation is. */
export const date = (iso: string, language?: Language): string => {
  const timeZone = iso.length === 10 ? 'UTC' : ZONE;
  return once(
    `date ${timeZone}`,
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }),
    language,
  ).format(new Date(iso));
};

/** A CNPJ as people write it. */
export const cnpj = (digits: string): string =>
  digits.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5');

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
export function relative(iso: string, now = serviceTime()): string {
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
