import { DomainError, sha256, type ErrorDetail } from '../../../platform/kernel/index.js';
import { minorUnitOf } from '../../../platform/kernel/reference/currencies.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { isCalendarDate } from '../../../platform/kernel/values/instant.js';

/** A rate of an import: reais per unit of the currency, on a day. */
export interface ImportedRate {
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Exact decimal. */
  readonly rate: string;
}

/** The rates of one import, and who published them. */
export interface RateList {
  readonly source: string;
  readonly rates: readonly ImportedRate[];
}

export const hashOfRates = ({ source, rates }: RateList): Buffer => sha256(canonicalJson({ source, rates }));

/** Formats a rate for the approval request of an import: `2026-11-19 EUR 6.2345`. */
export const formatRate = ({ date, currency, rate }: ImportedRate): string => `${date} ${currency} ${rate}`;

export function parseRate(text: string): ImportedRate {
  const [date = '', currency = '', rate = ''] = text.split(' ');
  return { currency, date, rate };
}

const RATE = /^\d{1,9}(\.\d{1,10})?$/;
// The file that BCB publishes for closing quotations: day, code, type, currency, buying and selling rate, parities.
const PTAX = /^(\d{2})(\d{2})(\d{4});\d+;[AB];([A-Z]{3});([\d.,]+);([\d.,]+);[\d.,]+;[\d.,]+$/;
const PLAIN = /^(\d{4}-\d\d-\d\d)[;,]([A-Z]{3})[;,](\d+(?:\.\d+)?)$/;
const MAX_PROBLEMS = 20;

/**
 * Reads a file of rates, one a line: closing quotations of the Banco Central (decimal comma; the selling rate is
 * taken), `DDMMYYYY;code;type;currency;buy;sell;parity;parity`, or `YYYY-MM-DD;CUR;5.1234`. A header and empty lines
 * are skipped. Any other line refuses the file: an incomplete import would go unnoticed.
 */
export function parseRateFile(text: string): ImportedRate[] {
  const rates: ImportedRate[] = [];
  const problems: ErrorDetail[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  lines.forEach((line, i) => {
    const trimmed = line.trim();
    if (trimmed === '' || (i === 0 && /^[a-z]+[;,]/i.test(trimmed))) return;
    const rate = parsePtax(trimmed) ?? parsePlain(trimmed);
    if (!rate) problems.push({ path: `line ${i + 1}`, code: 'FORMAT_INVALID', message: 'Is no rate.' });
    // BCB still quotes a few currencies that ISO 4217 has withdrawn; these are skipped.
    else if (minorUnitOf(rate.currency) !== undefined && rate.currency !== 'BRL') rates.push(rate);
  });
  if (problems.length > 0) {
    throw new DomainError('VALIDATION_FAILED', { details: problems.slice(0, MAX_PROBLEMS) });
  }
  return validateRates(rates);
}

/** Throws VALIDATION_FAILED for invalid rates, and for two rates of the same day and currency. */
export function validateRates(rates: readonly ImportedRate[]): ImportedRate[] {
  const seenRates = new Set<string>();
  const problems = rates.flatMap((rate, i): ErrorDetail[] => {
    const name = `${rate.date} ${rate.currency}`;
    const problem = seenRates.has(name) ? 'Stands in this import twice.' : problemOf(rate);
    seenRates.add(name);
    return problem === null ? [] : [{ path: `rates[${i}]`, code: 'FORMAT_INVALID', message: problem }];
  });
  if (rates.length === 0) problems.push({ path: 'rates', code: 'REQUIRED', message: 'Holds no rate.' });
  if (problems.length > 0) {
    throw new DomainError('VALIDATION_FAILED', { details: problems.slice(0, MAX_PROBLEMS) });
  }
  return [...rates];
}

function problemOf({ currency, date, rate }: ImportedRate): string | null {
  if (currency === 'BRL' || minorUnitOf(currency) === undefined) return 'Is no foreign currency.';
  if (!isCalendarDate(date)) return 'Is no date.';
  return RATE.test(rate) && Number(rate) > 0 ? null : 'Is no positive decimal of at most 10 places.';
}

function parsePtax(line: string): ImportedRate | null {
  const [, day = '', month = '', year = '', currency = '', , sell = ''] = PTAX.exec(line) ?? [];
  if (currency === '') return null;
  return { currency, date: `${year}-${month}-${day}`, rate: sell.replaceAll('.', '').replace(',', '.') };
}

function parsePlain(line: string): ImportedRate | null {
  const [, date = '', currency = '', rate = ''] = PLAIN.exec(line) ?? [];
  return currency === '' ? null : { currency, date, rate };
}
