import { canonicalValue } from '../../../kernel/values/canonical/canonical-value.js';
import { kindOfListed, valueTypes, type ListedValue, type ListEntry, type ValueType } from './list-entry.js';
import { csvRecords, textOf, type Bytes, type Read } from './text-records.js';

/** Files of one import: the list itself and, for OFAC, its aliases. */
export interface ListFiles {
  readonly main: Bytes;
  readonly aliases?: Bytes;
}

/** Why the whole file is refused. Its lines are not read. */
export class NotThisFormat extends Error {
  constructor(readonly missing: readonly string[]) {
    super('The file does not look like the format that was named.');
    this.name = 'NotThisFormat';
  }
}

export const nothing = {
  names: [],
  values: [],
  maskedDocument: null,
  birthDates: [],
  countries: [],
  validFrom: null,
  validUntil: null,
  remarks: null,
} as const satisfies Partial<ListEntry>;

/** A record of a file with a header line, by folded column name. */
type Row = (column: string) => string;

export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\ufeff]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Rows below the header line. Lines above it (some registers put notes there) are passed over. */
export async function* rowsOf(
  bytes: Bytes,
  separators: readonly string[],
  required: readonly string[],
): AsyncGenerator<Read<Row>> {
  const { texts, head } = await begun(textOf(bytes));
  const separator = separators.reduce((best, each) =>
    head.split(each).length > head.split(best).length ? each : best,
  );
  let columns: Map<string, number> | null = null;
  let passed = 0;
  for await (const record of csvRecords(texts, separator)) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    if (!columns) {
      const names = record.value.map(folded);
      const missing = required.filter((name) => !names.some((own) => own === name));
      if (missing.length === 0) columns = new Map(names.map((name, i) => [name, i]));
      else if ((passed += 1) > 20) throw new NotThisFormat(missing);
      continue;
    }
    const { value, line } = record;
    if (value.length < columns.size && value.length < columns.size - 2) {
      yield { line, problem: 'TOO_FEW_COLUMNS' };
      continue;
    }
    const places = columns;
    yield { line, value: (name) => (value[places.get(name) ?? -1] ?? '').trim() };
  }
  if (!columns) throw new NotThisFormat(required);
}

/** Makes entries of records; `entryOf` says the entry, or in a word why there is none. */
export async function* entriesOf<T>(
  records: AsyncGenerator<Read<T>>,
  entryOf: (value: T) => ListEntry | string,
): AsyncGenerator<Read<ListEntry>> {
  for await (const record of records) {
    const { line } = record;
    const read = 'problem' in record ? record.problem : entryOf(record.value);
    yield typeof read === 'string' ? { line, problem: read } : { line, value: read };
  }
}

/** The beginning of a text, and the text from its beginning. */
async function begun(
  texts: AsyncGenerator<string>,
): Promise<{ texts: AsyncGenerator<string>; head: string }> {
  const first = await texts.next();
  const head = first.done === true ? '' : first.value;
  async function* whole(): AsyncGenerator<string> {
    if (head !== '') yield head;
    yield* texts;
  }
  return { texts: whole(), head: head.slice(0, 4096) };
}

/**
 * A value of a list in its canonical form; null for what is none of its type. A number of a passport stays as it was written,
 * for people to read.
 */
export function valueOf(type: string, raw: string): ListedValue | null {
  const value = raw.trim();
  if (value.length > 256 || !isValueType(type)) return null;
  const canonical = canonicalValue(kindOfListed[type], value);
  return canonical === null ? null : { type, value: type === 'IDENTIFIER' ? value : canonical };
}

const isValueType = (type: string): type is ValueType => (valueTypes as readonly string[]).includes(type);

/**
 * The number of a passport, a registration, a vessel. A CPF or CNPJ is a document. A text without a digit is a remark,
 * and fewer than three characters are borne by too many.
 */
export function identifierOf(text: string): ListedValue[] {
  const value = numberIn(text.slice(0, 256));
  const document = documentOf(value);
  if (document !== null) {
    return [
      { type: 'DOCUMENT', value: document },
      { type: 'IDENTIFIER', value },
    ];
  }
  const compared = canonicalValue('IDENTIFIER', value) ?? '';
  return /\d/.test(compared) && compared.length >= 3 ? [{ type: 'IDENTIFIER', value }] : [];
}

const DATED = /\b(?:issued|issue|expires?|expired|expiration|valid)\b.*$/i;

/** The number among the words that say what it is: `Libyan passport No. 513519, Tripoli` is 513519. */
function numberIn(text: string): string {
  const plain = text
    .replace(/\([^)]*\)/g, ' ')
    .replace(DATED, '')
    .trim();
  const [first = ''] = plain.split(',');
  const tokens = (/\d/.test(first) ? first : plain).trim().split(/\s+/);
  const isWord = (token: string): boolean => !/\d/.test(token) && /\p{L}{3}|[a-z]{2}|[.:]$/u.test(token);
  while (tokens.length > 1 && isWord(tokens.at(-1) ?? '')) tokens.pop();
  return tokens
    .slice(tokens.findLastIndex(isWord) + 1)
    .join(' ')
    .replace(/[.,]$/, '');
}

export function distinctValues(values: readonly ListedValue[]): ListedValue[] {
  const known = new Map(values.map((value) => [`${value.type} ${value.value}`, value]));
  return [...known.values()];
}

export const documentOf = (text: string): string | null => canonicalValue('DOCUMENT', text);

/** The six digits that a masked CPF shows: `***.456.789-**` and `***456789**` alike. */
export function visibleDigits(text: string): string | null {
  return /^\*{3}(\d{6})\*{2}$/.exec(text.replace(/[.\-\s]/g, ''))?.[1] ?? null;
}

export const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

export const many = (text: string): string[] => distinct(text.split(';'));

/** The same key a second time gets a number, so that no entry hides another. */
export function numbered(seen: Map<string, number>, key: string): string {
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return count === 1 ? key : `${key}#${count}`;
}

/** `31/12/2025`; anything else (`Não informada`) is no date. */
export function brazilianDate(text: string): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? `${match[3] ?? ''}-${match[2] ?? ''}-${match[1] ?? ''}` : null;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12 Mar 1970` as a date, `Mar 1970` and `1970` as the year. */
export function wordDate(text: string): string {
  const match = /^(?:(\d{1,2}) )?(?:([A-Z][a-z]{2}) )?(\d{4})$/.exec(text);
  if (!match) return '';
  const [, day, month, year] = match;
  const number = months.indexOf(month ?? '') + 1;
  return day === undefined || number === 0
    ? (year ?? '')
    : `${year ?? ''}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

// Nobody who writes "circa" means more than this, and a range of more years than this tells nothing.
const CIRCA_YEARS = 2;
const MAX_YEARS = 20;

/** The years that an approximate one may mean, the given one first. */
export const yearsAround = (year: number): string[] => [
  ...new Set([String(year), ...yearsBetween(year - CIRCA_YEARS, year + CIRCA_YEARS)]),
];

/** The years of a range, both included. */
export function yearsBetween(first: number, last: number): string[] {
  const count = last - first + 1;
  if (!(first > 1800 && count >= 1 && count <= MAX_YEARS)) return [];
  return Array.from({ length: count }, (_, i) => String(first + i));
}

/** The code of a country given by code or name; empty when it is none. */
export const countryOf = (text: string): string => canonicalValue('COUNTRY', text) ?? '';
