import { isCalendarDate } from '../../../../platform/kernel/values/instant.js';
import { canonicalValue } from '../../../../platform/kernel/values/canonical/canonical-value.js';
import type { NameKind } from '../names/normalise.js';
import { kindOfListed, valueTypes, type ListedValue, type ListEntry, type ValueType } from './list-entry.js';
import {
  foldColumnName,
  openTable,
  type BrokenLine,
  type DroppedField,
  type ReadRecord,
} from '../../../../platform/kernel/csv/csv-table.js';
import type { Bytes } from '../../../../platform/kernel/csv/decode-text.js';
import { isPlaceholder } from '../../../../platform/kernel/values/canonical/plain-text.js';

/** The files of one import: the list itself and, for OFAC, its aliases. */
export interface ListFiles {
  readonly main: Bytes;
  readonly aliases?: Bytes;
}

export const emptyFields = {
  names: [],
  values: [],
  maskedDocument: null,
  birthDates: [],
  countries: [],
  validFrom: null,
  validUntil: null,
  remarks: null,
} as const satisfies Partial<ListEntry>;

/** Returns the cell of a record in the column with this folded name. */
export type CsvRow = (column: string) => string;

/** Reports a field that could not be read, on the line of the record unless `line` names another. */
export type ReportDroppedField = (column: string, problem: string, line?: number) => void;

/** An entry, the number of lines merged with an entry, or a line that could not be read. */
export type ParsedRecord =
  | { readonly line: number; readonly value: ListEntry; readonly dropped: readonly DroppedField[] }
  | { readonly merged: number }
  | BrokenLine;

/**
 * Reads the rows below the header line and skips the lines above it, where some registers put notes. `known` names the
 * columns of a house format: other columns are reported once.
 */
export async function* readRows(
  bytes: Bytes,
  required: readonly string[],
  known?: ReadonlySet<string>,
): AsyncGenerator<ReadRecord<CsvRow>> {
  const { columns: names, line: header, records } = await openTable(bytes, required, known);
  // If two columns have one name, the first counts.
  const places = new Map(names.map((name, i): [string, number] => [name, i]).reverse());
  const width = names.length;
  let unread = names.flatMap((name, i): DroppedField[] =>
    places.get(name) === i && (known?.has(name) ?? true)
      ? []
      : [{ line: header, column: name || String(i + 1), problem: 'COLUMN_NOT_READ' }],
  );
  for await (const record of records) {
    const { line } = record;
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { value } = record;
    if (value.length < width && value.length < width - 2) {
      yield { line, problem: 'TOO_FEW_COLUMNS' };
      continue;
    }
    const dropped = unread;
    unread = [];
    if (value.length > width && value.slice(width).some((cell) => cell.trim() !== '')) {
      dropped.push({ line, column: String(width + 1), problem: 'TOO_MANY_COLUMNS' });
    }
    yield { line, value: (name) => (value[places.get(name) ?? -1] ?? '').trim(), dropped };
  }
}

/** Turns records into entries. `entryOf` returns the entry, or a code for why there is none. */
export async function* toEntries<T>(
  records: AsyncIterable<ReadRecord<T>>,
  entryOf: (value: T, note: ReportDroppedField) => ListEntry | string,
): AsyncGenerator<ParsedRecord> {
  for await (const record of records) {
    const { line } = record;
    if ('problem' in record) {
      yield record;
      continue;
    }
    const dropped = [...(record.dropped ?? [])];
    const entryOrProblem = entryOf(record.value, (column, problem, at = line) =>
      dropped.push({ line: at, column, problem }),
    );
    yield typeof entryOrProblem === 'string'
      ? { line, problem: entryOrProblem }
      : { line, value: entryOrProblem, dropped };
  }
}

/**
 * Returns a listed value in its canonical form; null if the text is not of the type. An IDENTIFIER stays as
 * written, for people to read.
 */
export function parseListedValue(type: string, raw: string): ListedValue | null {
  const value = raw.trim();
  if (value.length > 256 || !isValueType(type)) return null;
  const canonical = canonicalValue(kindOfListed[type], value);
  return canonical === null ? null : { type, value: type === 'IDENTIFIER' ? value : canonical };
}

const isValueType = (type: string): type is ValueType => (valueTypes as readonly string[]).includes(type);

/**
 * Returns the number of a passport, registration or vessel; a CPF or CNPJ also as DOCUMENT. Empty for a text
 * without a digit, which is a remark, and for a number under three characters, which too many share.
 */
export function parseIdentifiers(text: string): ListedValue[] {
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

/** Finds the number among the words around it: `Libyan passport No. 513519, Tripoli` gives 513519. */
function numberIn(text: string): string {
  const bareNumber = text
    .replace(/\([^)]*\)/g, ' ')
    .replace(DATED, '')
    .trim();
  const [first = ''] = bareNumber.split(',');
  const tokens = (/\d/.test(first) ? first : bareNumber).trim().split(/\s+/);
  const isWord = (token: string): boolean => !/\d/.test(token) && /\p{L}{3}|[a-z]{2}|[.:]$/u.test(token);
  while (tokens.length > 1 && isWord(tokens.at(-1) ?? '')) tokens.pop();
  return tokens
    .slice(tokens.findLastIndex(isWord) + 1)
    .join(' ')
    .replace(/[.,]$/, '');
}

export function distinctValues(values: readonly ListedValue[]): ListedValue[] {
  const valueByName = new Map(values.map((value) => [`${value.type} ${value.value}`, value]));
  return [...valueByName.values()];
}

export const documentOf = (text: string): string | null => canonicalValue('DOCUMENT', text);

/** Returns the six digits that a masked CPF shows: `***.456.789-**` and `***456789**` alike. */
export function visibleDigits(text: string): string | null {
  return /^\*{3}(\d{6})\*{2}$/.exec(text.replace(/[.\-\s]/g, ''))?.[1] ?? null;
}

export const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
];

export const splitValues = (text: string): string[] => distinct(text.split(';'));

/** Reads `31/12/2025` or `2025-12-31`. Null for a placeholder (`Não informada`); null and reported for other texts. */
export function parseBrazilianDate(row: CsvRow, column: string, note: ReportDroppedField): string | null {
  const text = row(column);
  if (isMissingCell(text)) return null;
  if (isCalendarDate(text)) return text;
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  const day = match ? `${match[3] ?? ''}-${match[2] ?? ''}-${match[1] ?? ''}` : '';
  if (isCalendarDate(day)) return day;
  note(column, 'DATE_UNREADABLE');
  return null;
}

/** True for an empty cell and for a placeholder. */
export const isMissingCell = (text: string): boolean => text === '' || isPlaceholder(text);

/** True for `1970-01-31` and `1970`, the dates of birth that entries have. */
export const isBirthDate = (text: string): boolean => /^\d{4}$/.test(text) || isCalendarDate(text);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Reads `12 Mar 1970` as a date, and `Mar 1970` and `1970` as the year. */
export function parseWordDate(text: string): string {
  const match = /^(?:(\d{1,2}) )?(?:([A-Z][a-z]{2}) )?(\d{4})$/.exec(text);
  if (!match) return '';
  const [, day, month, year] = match;
  const number = months.indexOf(month ?? '') + 1;
  return day === undefined || number === 0
    ? (year ?? '')
    : `${year ?? ''}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

// "Circa" means at most two years either way. A range of more than 20 years is too wide to compare.
const CIRCA_YEARS = 2;
const MAX_YEARS = 20;

/** Returns the years that "circa" may mean, `year` first. */
export const yearsAround = (year: number): string[] => [
  ...new Set([String(year), ...yearsBetween(year - CIRCA_YEARS, year + CIRCA_YEARS)]),
];

/** Returns the years of a range, both ends included. If the range is too wide, returns a text that is not a date. */
export function yearsBetween(first: number, last: number): string[] {
  const count = last - first + 1;
  if (!(first > 1800 && count >= 1 && count <= MAX_YEARS)) return [`${first} to ${last}`];
  return Array.from({ length: count }, (_, i) => String(first + i));
}

/** Returns the codes of countries given by code or name, and reports unknown countries. */
export function parseCountries(texts: readonly string[], column: string, note: ReportDroppedField): string[] {
  const codes = texts.map((text) => {
    const code = canonicalValue('COUNTRY', text);
    if (code === null && !isMissingCell(text.trim())) note(column, 'COUNTRY_UNKNOWN');
    return code ?? '';
  });
  return distinct(codes);
}

/** Returns the dates of birth among texts, and reports the other texts. */
export function parseBirthDates(
  texts: readonly string[],
  column: string,
  note: ReportDroppedField,
): string[] {
  return distinct(texts).filter((text) => {
    if (isBirthDate(text)) return true;
    if (!isMissingCell(text)) note(column, 'DATE_UNREADABLE');
    return false;
  });
}

const KIND_WORDS: Readonly<Record<Exclude<NameKind, 'UNKNOWN'>, string>> = {
  PERSON:
    'person, individual, natural person, physical person, pessoa, pessoa fisica, pessoa natural, fisica, natural, pf, f, persona, persona fisica, persona natural, individuo',
  ORGANISATION:
    'organisation, organization, organizacao, organizacion, company, entity, enterprise, legal, legal entity, legal person, pessoa juridica, juridica, pj, j, empresa, entidade, persona juridica, entidad',
  OTHER: 'other, outro, otro, vessel, ship, aircraft, navio, embarcacao, aeronave, buque, embarcacion',
};
const kinds: ReadonlyMap<string, NameKind> = new Map(
  (['PERSON', 'ORGANISATION', 'OTHER'] as const).flatMap((kind) =>
    KIND_WORDS[kind].split(', ').map((word): [string, NameKind] => [word, kind]),
  ),
);

/** Reads the kind of name from a word in English, Portuguese or Spanish. */
export function parseNameKind(text: string, column: string, note: ReportDroppedField): NameKind {
  const kind = kinds.get(foldColumnName(text));
  if (kind === undefined && !isMissingCell(text)) note(column, 'KIND_UNKNOWN');
  return kind ?? 'UNKNOWN';
}
