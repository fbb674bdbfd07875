// Allows 14 decimals of a second: more than any clock has, and a bound for the scan.
export const MAX_INSTANT_LENGTH = 40;

const DATE_LENGTH = '2026-02-28'.length;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const [PLUS, HYPHEN, DOT, ZERO, NINE, COLON] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x3a];
const [T, LOWER_T, Z, LOWER_Z] = [0x54, 0x74, 0x5a, 0x7a];

/**
 * Reads an RFC 3339 date-time: a date, a time with seconds, and an offset or `Z`. Returns null for any other text, even
 * for a day that does not exist. Decimals past the millisecond are cut, never rounded into the next second. A leap
 * second (`23:59:60` UTC at the end of June or December) becomes the last millisecond before it, so that it stays on its day.
 */
export function parseInstant(text: string): Date | null {
  const time = epochMillisOf(text);
  return Number.isNaN(time) ? null : new Date(time);
}

export const instantText = (at: Date | null): string | null => at?.toISOString() ?? null;

/** True if the text is a date that exists, such as `2026-02-28`. */
export const isCalendarDate = (text: string): boolean =>
  text.length === DATE_LENGTH && !Number.isNaN(epochMillisOf(`${text}T00:00:00Z`));

/** Reads an RFC 3339 date-time as milliseconds since the epoch; NaN for any other text. See `parseInstant`. */
export function epochMillisOf(text: string): number {
  const { length } = text;
  if (length < 20 || length > MAX_INSTANT_LENGTH) return NaN;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const separator = text.charCodeAt(10);
  const isShaped =
    text.charCodeAt(4) === HYPHEN &&
    text.charCodeAt(7) === HYPHEN &&
    (separator === T || separator === LOWER_T) &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON;
  // These comparisons are false for NaN, which `twoDigits` returns for a character that is not a digit.
  const isInRange =
    year >= 0 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 60;
  if (!isShaped || !isInRange || day > daysIn(year, month)) return NaN;

  let at = 19;
  let millis = 0;
  if (text.charCodeAt(at) === DOT) {
    const start = at + 1;
    at = start;
    for (let scale = 100; isDigit(text.charCodeAt(at)); at += 1, scale /= 10) {
      if (scale >= 1) millis += scale * (text.charCodeAt(at) - ZERO);
    }
    if (at === start) return NaN;
  }
  const offset = offsetMillis(text, at);
  const minuteStart = dayNumber(year, month, day) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS - offset;
  if (second < 60) return minuteStart + second * 1_000 + millis;
  return isLeapSecondMinute(minuteStart) ? minuteStart + MINUTE_MS - 1 : NaN;
}

/** Returns the offset that the text ends with, from position `at`; NaN if it is malformed. */
function offsetMillis(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (sign === Z || sign === LOWER_Z) return text.length === at + 1 ? 0 : NaN;
  if ((sign !== PLUS && sign !== HYPHEN) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON) {
    return NaN;
  }
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59)) return NaN;
  const offset = hours * HOUR_MS + minutes * MINUTE_MS;
  return sign === PLUS ? offset : -offset;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const secondDigit = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(secondDigit) ? (tens - ZERO) * 10 + (secondDigit - ZERO) : NaN;
}

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the days since 1970-01-01. Not Date.UTC: that reads the years 0 to 99 as 1900 to 1999. */
function dayNumber(year: number, month: number, day: number): number {
  // Years begin in March here, so that the leap day is the last. 719,468 days lie between 0000-03-01 and 1970-01-01.
  const y = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

function isLeapSecondMinute(minuteStart: number): boolean {
  const next = new Date(minuteStart + MINUTE_MS);
  const isMidnight = (minuteStart + MINUTE_MS) % DAY_MS === 0;
  return isMidnight && next.getUTCDate() === 1 && (next.getUTCMonth() === 0 || next.getUTCMonth() === 6);
}
