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

// Numbers with fewer characters are shared by too many papers of too many countries.
const MIN_IDENTIFIER_LENGTH = 5;
// From this length on, a number is found without the letters of its register too.
const ALONE_FROM = 7;

/**
 * Returns the number of a passport, registration or vessel, with the letters of its register; a CPF or CNPJ also as
 * DOCUMENT. Empty for a text without a digit, which is a remark, and for a number under five characters.
 */
export function parseIdentifiers(text: string): ListedValue[] {
  const { register, number } = numberIn(text.slice(0, 256));
  const document = documentOf(number);
  if (document !== null) {
    return [
      { type: 'DOCUMENT', value: document },
      { type: 'IDENTIFIER', value: number },
    ];
  }
  const values = register === '' ? [number] : [`${register} ${number}`];
  if (register !== '' && lengthOfIdentifier(number) >= ALONE_FROM) values.push(number);
  return values
    .filter((value) => /\d/.test(value) && lengthOfIdentifier(value) >= MIN_IDENTIFIER_LENGTH)
    .map((value) => ({ type: 'IDENTIFIER', value }));
}

const lengthOfIdentifier = (value: string): number => canonicalValue('IDENTIFIER', value)?.length ?? 0;

const DATED = /\b(?:issued|issue|expires?|expired|expiration|valid)\b.*$/i;
// A check digit or a letter in brackets inside a number: `D489833(9)`, `12/BAHANA(N)010023`.
const INNER_BRACKETS = /(?<=[\p{L}\d])\(([\p{L}\d]{1,3})\)|\(([\p{L}\d]{1,5})\)(?=\d)/gu;
// A comma ends the number, unless it separates its thousands: `BE 454,419,759`.
const END_OF_NUMBER = /,(?!(?<=(?:^|[^\d,])\d{1,3}(?:,\d{3})*,)\d{3}(?!\d))/;
// Letters of a register, which belong to the number behind them: `HRB 26136`.
const REGISTER = /^[A-Z]{2,4}$/;

/** Splits a cell with several numbers at its commas. */
export const splitNumbers = (text: string): string[] => text.split(END_OF_NUMBER);

interface IdentifierParts {
  /** Letters before the number, apart from it; often empty. */
  readonly register: string;
  readonly number: string;
}

/** Finds the number among the words around it: `Libyan passport No. 513519, Tripoli` gives 513519. */
function numberIn(text: string): IdentifierParts {
  const bareNumber = text
    .replace(INNER_BRACKETS, '$1$2')
    .replace(/\([^)]*\)/g, ' ')
    .replace(DATED, '')
    .trim();
  const [first = ''] = splitNumbers(bareNumber);
  const tokens = (/\d/.test(first) ? first : bareNumber).trim().split(/\s+/);
  const isWord = (token: string): boolean => !/\d/.test(token) && /\p{L}{3}|[a-z]{2}|[.:]$/u.test(token);
  while (tokens.length > 1 && isWord(tokens.at(-1) ?? '')) tokens.pop();
  const found = tokens.slice(tokens.findLastIndex(isWord) + 1);
  const before = tokens.at(-found.length - 1) ?? '';
  const isApart = found.length > 1 && REGISTER.test(found[0] ?? '');
  const register = isApart ? (found.shift() ?? '') : REGISTER.test(before) ? before : '';
  return { register, number: found.join(' ').replace(/[.,]$/, '') };
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

const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((month, i) => [month, i + 1] as const),
);
// Two digits of a year above this are of the last century: nobody was listed as a small child.
const LAST_OF_THIS_CENTURY = 15;
const CIRCA =
  /^(?:circa|c(?:irca|a)?\.?|approx(?:imately|\.)?|about|around)\s*(?=\d)|\((?:circa|approx\.?|approximately)\)$/i;
const NAMED_MONTH = /^(?:(\d{1,2})[ -])?([a-z]{3})[a-z]*\.?[ ,-]*(\d{4}|\d{2})$/i;
const DAY_FIRST = /^(?:(\d{1,2}|dd)[/.-])?(\d{1,2}|mm)[/.-](\d{4}|\d{2})$/i;
const YEAR_FIRST = /^(\d{4})-(\d{1,2}|mm)(?:-(\d{1,2}|dd))?(?:T.*)?$/i;

/**
 * Reads a date of birth as publishers write it: `1970-01-31`, `31/01/1970`, `23 Apr 1968`, `23-Apr-68`, `circa 1970`,
 * `1970 to 1972`, and of `00/00/1970`, `dd/mm/1970` and `Apr 1970` the year. Returns the date or the years that may be
 * meant; the text itself where it is none of these.
 */
export function readBirth(text: string): string[] {
  const plain = text.trim();
  const bare = plain.replace(CIRCA, '').trim();
  const years = [...bare.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(([year]) => Number(year));
  const [first = 0, last = first] = years;
  if (years.length > 1) return yearsBetween(first, last);
  const date = readDay(bare);
  if (date === null) return [plain];
  return bare === plain ? [date] : yearsAround(Number(date.slice(0, 4)));
}

/** Returns a day or a year; null if the text is neither. A day or month that is not known leaves the year. */
function readDay(text: string): string | null {
  if (/^\d{4}$/.test(text)) return text;
  const named = NAMED_MONTH.exec(text);
  if (named) {
    const [, day = '', month = '', year = ''] = named;
    return dayOf(year, MONTH_NUMBERS.get(month.toLowerCase()) ?? -1, Number(day));
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return dayOf(dayFirst[3] ?? '', numberOrNone(dayFirst[2]), numberOrNone(dayFirst[1]));
  const [, year = '', month, day] = YEAR_FIRST.exec(text) ?? [];
  return year === '' ? null : dayOf(year, numberOrNone(month), numberOrNone(day));
}

const numberOrNone = (text: string | undefined): number => (/^\d+$/.test(text ?? '') ? Number(text) : 0);

function dayOf(year: string, month: number, day: number): string | null {
  const century = Number(year) > LAST_OF_THIS_CENTURY ? '19' : '20';
  const whole = year.length === 4 ? year : century + year;
  if (month === 0 || day === 0) return month > 12 || month < 0 || day > 31 ? null : whole;
  const date = `${whole}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
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
