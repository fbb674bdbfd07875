import type { ListedValue, ListEntry } from './list-entry.js';
import { foldColumnName } from '../../../../platform/kernel/csv/csv-table.js';
import { decodeText, type Bytes } from '../../../../platform/kernel/csv/decode-text.js';
import { readJsonRecords } from './text-records.js';
import {
  parseBirthDates,
  parseCountries,
  distinct,
  documentOf,
  toEntries,
  isBirthDate,
  isMissingCell,
  parseNameKind,
  readRows,
  parseListedValue,
  visibleDigits,
  type ParsedRecord,
  type ReportDroppedField,
} from './list-values.js';

const FIELDS = [
  ...['key', 'kind', 'name', 'aliases', 'document', 'birthDate', 'countries', 'validFrom', 'validUntil'],
  'remarks',
] as const;
const COLUMNS = new Set(['type', 'value', ...FIELDS.map((field) => foldColumnName(field))]);
const MAX_COLUMN = 64;
const MEMBERS = new Set<string>(['values', ...FIELDS]);

/** Reads a house list as CSV: a header line with any of the columns that `docs/screening.md` names. */
export const houseCsvEntries = (bytes: Bytes): AsyncGenerator<ParsedRecord> =>
  toEntries(readRows(bytes, ['key'], COLUMNS), (row, note) =>
    houseEntry(
      {
        key: row('key'),
        kind: row('kind'),
        names: [row('name'), ...row('aliases').split('|')],
        values: row('value') === '' ? [] : [{ type: row('type') || 'DOCUMENT', value: row('value') }],
        document: row('document'),
        birthDates: row('birthdate').split('|'),
        countries: row('countries').split('|'),
        validFrom: row('validfrom'),
        validUntil: row('validuntil'),
        remarks: row('remarks'),
      },
      note,
    ),
  );

export const houseJsonEntries = (bytes: Bytes): AsyncGenerator<ParsedRecord> =>
  toEntries(readJsonRecords(decodeText(bytes)), (value, note) => {
    const object = value as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(object)) {
      if (!MEMBERS.has(name) && member !== null) {
        note(foldColumnName(name).slice(0, MAX_COLUMN), 'COLUMN_NOT_READ');
      }
    }
    const textIn = (member: unknown, name: string): string => {
      if (typeof member === 'string') return member.trim();
      if (typeof member === 'number') return String(member);
      if (member !== undefined && member !== null) note(name, 'NOT_A_TEXT');
      return '';
    };
    const text = (name: string): string => textIn(object[name], name);
    const texts = (name: string): string[] => {
      const found = object[name];
      return Array.isArray(found) ? found.map((item) => textIn(item, name)) : text(name).split('|');
    };
    const values = object['values'] ?? [];
    if (!Array.isArray(values) || !values.every(isValue)) return 'VALUE_INVALID';
    return houseEntry(
      {
        key: text('key'),
        kind: text('kind'),
        names: [text('name'), ...texts('aliases')],
        values,
        document: text('document'),
        birthDates: texts('birthDate'),
        countries: texts('countries'),
        validFrom: text('validFrom'),
        validUntil: text('validUntil'),
        remarks: text('remarks'),
      },
      note,
    );
  });

const isValue = (value: unknown): value is { type: string; value: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)['type'] === 'string' &&
  typeof (value as Record<string, unknown>)['value'] === 'string';

interface CustomFieldRow {
  readonly key: string;
  readonly kind: string;
  readonly names: readonly string[];
  readonly values: readonly { readonly type: string; readonly value: string }[];
  readonly document: string;
  readonly birthDates: readonly string[];
  readonly countries: readonly string[];
  readonly validFrom: string;
  readonly validUntil: string;
  readonly remarks: string;
}

function houseEntry(row: CustomFieldRow, note: ReportDroppedField): ListEntry | string {
  const names = distinct(row.names);
  const values: ListedValue[] = [];
  for (const { type, value } of row.values) {
    const listedValue = parseListedValue(type.toUpperCase(), value);
    if (listedValue === null) return 'VALUE_INVALID';
    values.push(listedValue);
  }
  let masked: string | null = null;
  if (!isMissingCell(row.document)) {
    const document = documentOf(row.document);
    masked = document === null ? visibleDigits(row.document) : null;
    if (document !== null) values.push({ type: 'DOCUMENT', value: document });
    else if (masked === null) return 'DOCUMENT_INVALID';
  }
  const limits = [row.validFrom, row.validUntil].filter((date) => !isMissingCell(date));
  const dates = [...row.birthDates, ...limits].filter((date) => !isMissingCell(date.trim()));
  if (dates.some((date) => !isBirthDate(date.trim()))) return 'DATE_INVALID';
  if (names.length === 0 && values.length === 0) return 'NEITHER_NAME_NOR_VALUE';
  if (row.key === '') return 'KEY_MISSING';
  return {
    key: row.key,
    kind: parseNameKind(row.kind, 'kind', note),
    names,
    values,
    maskedDocument: masked,
    birthDates: parseBirthDates(row.birthDates, 'birthDate', note),
    countries: parseCountries(row.countries, 'countries', note),
    validFrom: isMissingCell(row.validFrom) ? null : row.validFrom,
    validUntil: isMissingCell(row.validUntil) ? null : row.validUntil,
    remarks: row.remarks || null,
  };
}
