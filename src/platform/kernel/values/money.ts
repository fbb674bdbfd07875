import { minorUnitOf } from '../reference/currencies.js';

export type AmountProblem =
  'AMOUNT_INVALID' | 'AMOUNT_NOT_POSITIVE' | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_PRECISE';
export type AmountParse =
  | { readonly ok: true; readonly decimal: string }
  | { readonly ok: false; readonly code: AmountProblem | 'CURRENCY_UNKNOWN' };

/** The largest amount of a transaction. Up to it, an amount with two decimals survives the conversion to a double and back. */
export const MAX_AMOUNT = 999_999_999_999.99;
const MAX_INTEGER_PART = '999999999999';
const MAX_FRACTION = '99';
// Maximum number of decimals in ISO 4217. `String(number)` uses exponents below 1e-6, which has more decimals anyway.
const MAX_MINOR_UNIT = 4;
const DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Reads a positive amount as an exact decimal without trailing zeros: `120.5`, `1000`. A number is read as its shortest
 * decimal form, as the sender wrote it. No arithmetic is done with it.
 */
export function parseAmount(value: number | string, currency: string): AmountParse {
  const minorUnit = minorUnitOf(currency);
  if (minorUnit === undefined) return { ok: false, code: 'CURRENCY_UNKNOWN' };
  if (typeof value === 'string') return parseDecimal(value, minorUnit);
  const code = amountProblem(value, minorUnit);
  return code === null ? { ok: true, decimal: String(value) } : { ok: false, code };
}

/** Returns the problem of an amount, or null. Without a minor unit, four decimals are allowed. */
export function amountProblem(value: number, minorUnit: number = MAX_MINOR_UNIT): AmountProblem | null {
  if (!Number.isFinite(value)) return 'AMOUNT_INVALID';
  if (value <= 0) return 'AMOUNT_NOT_POSITIVE';
  if (value > MAX_AMOUNT) return 'AMOUNT_TOO_LARGE';
  return Number.isInteger(value) || decimalsOf(value) <= minorUnit ? null : 'AMOUNT_TOO_PRECISE';
}

function decimalsOf(value: number): number {
  const text = String(value);
  return text.includes('e') ? Infinity : text.length - 1 - text.indexOf('.');
}

function parseDecimal(text: string, minorUnit: number): AmountParse {
  const match = DECIMAL.exec(text);
  if (!match) return { ok: false, code: text.startsWith('-') ? 'AMOUNT_NOT_POSITIVE' : 'AMOUNT_INVALID' };
  const integer = (match[1] ?? '').replace(/^0+(?=\d)/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (integer === '0' && fraction === '') return { ok: false, code: 'AMOUNT_NOT_POSITIVE' };
  // Digit strings of the same length can be compared as texts; so can fractions without trailing zeros.
  const isTooLarge =
    integer.length > MAX_INTEGER_PART.length || (integer === MAX_INTEGER_PART && fraction > MAX_FRACTION);
  if (isTooLarge) return { ok: false, code: 'AMOUNT_TOO_LARGE' };
  if (fraction.length > minorUnit) return { ok: false, code: 'AMOUNT_TOO_PRECISE' };
  return { ok: true, decimal: fraction === '' ? integer : `${integer}.${fraction}` };
}
