import type { ListedValue, ListEntry } from './list-entry.js';
import type { NameKind } from '../names/normalise.js';
import { jsonRecords, textOf, type Bytes, type Read } from './text-records.js';
import { entriesOf, rowsOf, visibleDigits, documentOf, distinct, countryOf, valueOf } from './list-values.js';

/** A list of the house: a header line with any of the columns that `docs/screening.md` names. */
export const houseCsvEntries = (bytes: Bytes): AsyncGenerator<Read<ListEntry>> =>
  entriesOf(rowsOf(bytes, [';', ',', '\t'], ['key']), (row) =>
    houseEntry({
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
    }),
  );

export const houseJsonEntries = (bytes: Bytes): AsyncGenerator<Read<ListEntry>> =>
  entriesOf(jsonRecords(textOf(bytes)), (value) => {
    const object = value as Readonly<Record<string, unknown>>;
    const text = (name: string): string => (typeof object[name] === 'string' ? object[name] : '');
    const texts = (name: string): string[] => {
      const found = object[name];
      return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : text(name).split('|');
    };
    const values = Array.isArray(object['values']) ? (object['values'] as unknown[]) : [];
    return houseEntry({
      key: text('key'),
      kind: text('kind'),
      names: [text('name'), ...texts('aliases')],
      values: values.filter(isValue),
      document: text('document'),
      birthDates: texts('birthDate'),
      countries: texts('countries'),
      validFrom: text('validFrom'),
      validUntil: text('validUntil'),
      remarks: text('remarks'),
    });
  });

const isValue = (value: unknown): value is { type: string; value: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)['type'] === 'string' &&
  typeof (value as Record<string, unknown>)['value'] === 'string';

interface HouseRow {
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

const houseKinds: Readonly<Record<string, NameKind>> = {
  PERSON: 'PERSON',
  ORGANISATION: 'ORGANISATION',
  ORGANIZATION: 'ORGANISATION',
  OTHER: 'OTHER',
};

function houseEntry(row: HouseRow): ListEntry | string {
  const names = distinct(row.names);
  const values: ListedValue[] = [];
  for (const { type, value } of row.values) {
    const read = valueOf(type.toUpperCase(), value);
    if (read === null) return 'VALUE_INVALID';
    values.push(read);
  }
  let masked: string | null = null;
  if (row.document !== '') {
    const document = documentOf(row.document);
    masked = document === null ? visibleDigits(row.document) : null;
    if (document !== null) values.push({ type: 'DOCUMENT', value: document });
    else if (masked === null) return 'DOCUMENT_INVALID';
  }
  const dates = [...row.birthDates, row.validFrom, row.validUntil].filter((date) => date !== '');
  if (dates.some((date) => !/^\d{4}(-\d{2}-\d{2})?$/.test(date))) return 'DATE_INVALID';
  if (names.length === 0 && values.length === 0) return 'NEITHER_NAME_NOR_VALUE';
  if (row.key === '') return 'KEY_MISSING';
  return {
    key: row.key,
    kind: houseKinds[row.kind.toUpperCase()] ?? 'UNKNOWN',
    names,
    values,
    maskedDocument: masked,
    birthDates: distinct(row.birthDates),
    countries: distinct(row.countries.map((country) => countryOf(country))),
    validFrom: row.validFrom || null,
    validUntil: row.validUntil || null,
    remarks: row.remarks || null,
  };
}
