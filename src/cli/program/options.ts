import { InvalidArgumentError } from 'commander';

/** How an organisation that is to be made may be called. */
export function shortName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('must be small letters, digits and hyphens, beginning with a letter');
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('must be a whole number from 1 on');
  }
  return value;
}

export function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 2_592_000) {
    throw new InvalidArgumentError('must be a whole number of seconds from 0 to 2592000');
  }
  return value;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
