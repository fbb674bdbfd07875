import type { ListEntry } from './list-entry.js';
import type { DroppedField, ReadRecord } from '../../../../platform/kernel/csv/csv-table.js';
import { decodeText, type Bytes } from '../../../../platform/kernel/csv/decode-text.js';
import { readJsonRecords } from './text-records.js';
import {
  parseBirthDates,
  parseCountries,
  distinct,
  distinctValues,
  toEntries,
  parseIdentifiers,
  emptyFields,
  readRows,
  yearsAround,
  yearsBetween,
  type ParsedRecord,
  type ReportDroppedField,
  type CsvRow,
} from './list-values.js';

/** A line of a file in which several lines describe one entry. */
interface GroupedRow {
  readonly line: number;
  readonly row: CsvRow;
}

type Group = readonly GroupedRow[];

/**
 * Groups the lines of a file by key into entries: further names, dates and numbers have lines of their own. Every line
 * of an entry but the first counts as merged.
 */
async function* groupedEntries(
  records: AsyncGenerator<ReadRecord<CsvRow>>,
  keyColumn: string,
  entryOf: (group: Group, note: ReportDroppedField) => ListEntry | string,
): AsyncGenerator<ParsedRecord> {
  const groups = new Map<string, { rows: GroupedRow[]; dropped: DroppedField[] }>();
  for await (const record of records) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row, dropped = [] } = record;
    const key = row(keyColumn);
    if (key === '') {
      yield { line, problem: 'ENTRY_UNREADABLE', column: keyColumn };
      continue;
    }
    const known = groups.get(key);
    if (known) {
      known.rows.push({ line, row });
      known.dropped.push(...dropped);
    } else groups.set(key, { rows: [{ line, row }], dropped: [...dropped] });
  }
  for (const { rows, dropped } of groups.values()) {
    const { line = 0 } = rows[0] ?? {};
    const read = entryOf(rows, (column, problem, at = line) => dropped.push({ line: at, column, problem }));
    if (typeof read === 'string') {
      for (const one of rows) yield { line: one.line, problem: read };
      continue;
    }
    yield { line, value: read, dropped };
    if (rows.length > 1) yield { merged: rows.length - 1 };
  }
}

const valuesIn = (group: Group, column: string): string[] => distinct(group.map(({ row }) => row(column)));

/** Reads the consolidated financial sanctions of the European Union, as its CSV file (1.0 and 1.1) writes them. */
export function euEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  const rows = readRows(bytes, ['entity logicalid', 'namealias wholename']);
  return groupedEntries(rows, 'entity logicalid', (lines, note) => {
    const [key = ''] = valuesIn(lines, 'entity logicalid');
    const names = valuesIn(lines, 'namealias wholename');
    if (names.length === 0) return 'NAME_MISSING';
    const type = valuesIn(lines, 'entity subjecttype classificationcode').concat(
      valuesIn(lines, 'entity subjecttype'),
    );
    return {
      ...emptyFields,
      key,
      kind: type.some((word) => /^(?:p|person)$/i.test(word)) ? 'PERSON' : 'ORGANISATION',
      names,
      values: distinctValues(valuesIn(lines, 'identification number').flatMap(parseIdentifiers)),
      birthDates: distinct(
        lines.flatMap(({ line, row }) =>
          parseBirthDates(euBirth(row), 'birthdate birthdate', (column, problem) => {
            note(column, problem, line);
          }),
        ),
      ),
      countries: parseCountries(
        valuesIn(lines, 'citizenship countryiso2code'),
        'citizenship countryiso2code',
        note,
      ),
      remarks: valuesIn(lines, 'entity regulation programme').join(', ') || null,
    };
  });
}

function euBirth(row: CsvRow): string[] {
  const from = Number(row('birthdate yearrangefrom'));
  const to = Number(row('birthdate yearrangeto'));
  if (from > 0 && to > 0) return yearsBetween(from, to);
  const day = row('birthdate birthdate');
  const year = row('birthdate year') || day.slice(0, 4);
  if (/^true$/i.test(row('birthdate circa'))) return yearsAround(Number(year));
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return [day];
  return [year || day];
}

const UK_NAMES = ['name 1', 'name 2', 'name 3', 'name 4', 'name 5', 'name 6'];

/**
 * Reads the consolidated list of OFSI (United Kingdom); its family names are in `Name 6`, the last column of the name.
 */
export function ukEntries(bytes: Bytes): AsyncGenerator<ParsedRecord> {
  const rows = readRows(bytes, ['name 6', 'group type', 'group id']);
  return groupedEntries(rows, 'group id', (lines, note) => {
    const [key = ''] = valuesIn(lines, 'group id');
    const names = distinct(
      lines.flatMap(({ row }) => [
        UK_NAMES.map((column) => row(column))
          .filter((part) => part !== '')
          .join(' '),
        row('name non latin script'),
      ]),
    );
    if (names.length === 0) return 'NAME_MISSING';
    const [type = ''] = valuesIn(lines, 'group type');
    const numbers = [
      'passport number',
      'national identification number',
      'imo number',
      'business registration number s',
    ];
    return {
      ...emptyFields,
      key,
      kind: /^individual$/i.test(type) ? 'PERSON' : /^ship$/i.test(type) ? 'OTHER' : 'ORGANISATION',
      names,
      values: distinctValues(
        numbers.flatMap((column) =>
          valuesIn(lines, column)
            .flatMap((text) => text.split(/[;,]|\(\d+\)/))
            .flatMap(parseIdentifiers),
        ),
      ),
      birthDates: parseBirthDates(valuesIn(lines, 'dob').map(ukBirth), 'dob', note),
      countries: parseCountries(
        valuesIn(lines, 'nationality').flatMap((text) => text.split(/\(\d+\)|;/)),
        'nationality',
        note,
      ),
      remarks: valuesIn(lines, 'regime').join(', ') || null,
    };
  });
}

/** Reads `31/01/1970`, or `00/00/1970` if only the year is known. */
function ukBirth(text: string): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (!match) return text;
  const [, day = '', month = '', year = ''] = match;
  return day === '00' || month === '00' ? year : `${year}-${month}-${day}`;
}

/** Reads notices of Interpol, as its public interface returns them: a JSON array, or one notice per line. */
export const interpolEntries = (bytes: Bytes): AsyncGenerator<ParsedRecord> =>
  toEntries(readJsonRecords(decodeText(bytes)), (value, note) => {
    const notice = value as Readonly<Record<string, unknown>>;
    const text = (name: string): string => (typeof notice[name] === 'string' ? notice[name].trim() : '');
    const name = [text('forename'), text('name')].filter((part) => part !== '').join(' ');
    const key = text('entity_id');
    if (key === '' || name === '') return 'ENTRY_UNREADABLE';
    const born = text('date_of_birth').replaceAll('/', '-');
    const nationalities = Array.isArray(notice['nationalities'])
      ? (notice['nationalities'] as unknown[])
      : [];
    return {
      ...emptyFields,
      key,
      kind: 'PERSON',
      names: [name],
      birthDates: parseBirthDates([born], 'date_of_birth', note),
      countries: parseCountries(
        nationalities.map((code) => (typeof code === 'string' ? code : '?')),
        'nationalities',
        note,
      ),
      remarks: null,
    };
  });
