import { InvalidArgumentError } from 'commander';
import type { InputName } from '../../features/rules/index.js';
import { table } from '../../platform/kernel/table.js';
import { isCalendarDate } from '../../platform/kernel/values/instant.js';
import type { CalendarDay } from '../../platform/kernel/values/local-day.js';

/** Parses the short name of a new organisation; throws if it is malformed. */
export function parseShortName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('must be small letters, digits and hyphens, beginning with a letter');
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('must be a whole number from 1 on');
  }
  return value;
}

export function parseRate(text: string): number {
  const value = Number(text);
  if (!(value > 0) || value > 1e6) throw new InvalidArgumentError('must be a number above 0');
  return value;
}

export function parseDay(text: string): CalendarDay {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('must be a day as in 2026-01-05');
  const [year = 0, month = 0, number = 0] = text.split('-').map(Number);
  return { year, month, day: number };
}

export function parseSeconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 2_592_000) {
    throw new InvalidArgumentError('must be a whole number of seconds from 0 to 2592000');
  }
  return value;
}

const INPUTS: Readonly<Record<string, InputName>> = table({
  dict: 'DICT',
  device: 'DEVICE',
  profile: 'PROFILE',
  'counterparty-document': 'COUNTERPARTY_DOCUMENT',
});

/** Parses inputs separated by commas, such as `dict,device`; returns each once. */
export function parseInputs(text: string): InputName[] {
  const named = text === 'none' ? [] : text.split(',').map((one) => INPUTS[one.trim().toLowerCase()]);
  if (named.includes(undefined)) {
    throw new InvalidArgumentError(
      `must be none, or of ${Object.keys(INPUTS).join(', ')}, separated by commas`,
    );
  }
  return Object.values(INPUTS).filter((one) => named.includes(one));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
