import type { ListEntry } from './list-entry.js';
import { jsonRecords, textOf, type Bytes, type Read } from './text-records.js';
import {
  countryOf,
  distinct,
  distinctValues,
  entriesOf,
  identifierOf,
  nothing,
  rowsOf,
  yearsAround,
  yearsBetween,
} from './list-values.js';

type Row = (column: string) => string;

/** Several lines of a file that are about one entry. */
interface Group {
  readonly line: number;
  readonly rows: Row[];
}

/** Collects the lines of a file by entry: other names, dates and numbers have lines of their own. */
async function* grouped(
  records: AsyncGenerator<Read<Row>>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Read<readonly Row[]>> {
  const groups = new Map<string, Group>();
  for await (const record of records) {
    if ('problem' in record) {
      yield record;
      continue;
    }
    const { line, value: row } = record;
    const key = keyOf(row);
    if (key === '') {
      yield { line, problem: 'ENTRY_UNREADABLE' };
      continue;
    }
    const known = groups.get(key);
    if (known) known.rows.push(row);
    else groups.set(key, { line, rows: [row] });
  }
  for (const { line, rows } of groups.values()) yield { line, value: rows };
}

const of = (rows: readonly Row[], column: string): string[] => distinct(rows.map((row) => row(column)));

/** The consolidated financial sanctions of the European Union, as its CSV file (1.0 and 1.1) writes them. */
export function euEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const rows = rowsOf(bytes, [';', ','], ['entity logicalid', 'namealias wholename']);
  return entriesOf(
    grouped(rows, (row) => row('entity logicalid')),
    (lines) => {
      const [key = ''] = of(lines, 'entity logicalid');
      const names = of(lines, 'namealias wholename');
      if (names.length === 0) return 'NAME_MISSING';
      const type = of(lines, 'entity subjecttype classificationcode').concat(of(lines, 'entity subjecttype'));
      return {
        ...nothing,
        key,
        kind: type.some((word) => /^(?:p|person)$/i.test(word)) ? 'PERSON' : 'ORGANISATION',
        names,
        values: distinctValues(of(lines, 'identification number').flatMap(identifierOf)),
        birthDates: distinct(lines.flatMap(euBirth)),
        countries: distinct(of(lines, 'citizenship countryiso2code').map(countryOf)),
        remarks: of(lines, 'entity regulation programme').join(', ') || null,
      };
    },
  );
}

function euBirth(row: Row): string[] {
  const from = Number(row('birthdate yearrangefrom'));
  const to = Number(row('birthdate yearrangeto'));
  if (from > 0 && to > 0) return yearsBetween(from, to);
  const day = row('birthdate birthdate');
  const year = row('birthdate year') || day.slice(0, 4);
  if (/^true$/i.test(row('birthdate circa'))) return yearsAround(Number(year));
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return [day];
  return /^\d{4}$/.test(year) ? [year] : [];
}

const UK_NAMES = ['name 1', 'name 2', 'name 3', 'name 4', 'name 5', 'name 6'];

/** The consolidated list of OFSI (United Kingdom); its family names are in `Name 6`, the last column of the name. */
export function ukEntries(bytes: Bytes): AsyncGenerator<Read<ListEntry>> {
  const rows = rowsOf(bytes, [','], ['name 6', 'group type', 'group id']);
  return entriesOf(
    grouped(rows, (row) => row('group id')),
    (lines) => {
      const [key = ''] = of(lines, 'group id');
      const names = distinct(
        lines.flatMap((row) => [
          UK_NAMES.map((column) => row(column))
            .filter((part) => part !== '')
            .join(' '),
          row('name non latin script'),
        ]),
      );
      if (names.length === 0) return 'NAME_MISSING';
      const [type = ''] = of(lines, 'group type');
      const numbers = [
        'passport number',
        'national identification number',
        'imo number',
        'business registration number s',
      ];
      return {
        ...nothing,
        key,
        kind: /^individual$/i.test(type) ? 'PERSON' : /^ship$/i.test(type) ? 'OTHER' : 'ORGANISATION',
        names,
        values: distinctValues(
          numbers.flatMap((column) =>
            of(lines, column)
              .flatMap((text) => text.split(/[;,]/))
              .flatMap(identifierOf),
          ),
        ),
        birthDates: distinct(
          of(lines, 'dob')
            .map(ukBirth)
            .filter((date) => date !== ''),
        ),
        countries: distinct(
          of(lines, 'nationality').flatMap((text) => text.split(/\(\d+\)|;/).map((one) => countryOf(one))),
        ),
        remarks: of(lines, 'regime').join(', ') || null,
      };
    },
  );
}

/** `31/01/1970`; `00/00/1970` where only the year is known. */
function ukBirth(text: string): string {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (!match) return /^\d{4}$/.test(text) ? text : '';
  const [, day = '', month = '', year = ''] = match;
  return day === '00' || month === '00' ? year : `${year}-${month}-${day}`;
}

/** Notices of Interpol, as its public interface gives them: an array of them, or one per line. */
export const interpolEntries = (bytes: Bytes): AsyncGenerator<Read<ListEntry>> =>
  entriesOf(jsonRecords(textOf(bytes)), (value) => {
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
      ...nothing,
      key,
      kind: 'PERSON',
      names: [name],
      birthDates: /^\d{4}(-\d{2}-\d{2})?$/.test(born) ? [born] : [],
      countries: distinct(
        nationalities.filter((code) => typeof code === 'string').map((code) => countryOf(code)),
      ),
      remarks: null,
    };
  });
