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
  isBirthDate,
  readBirth,
  splitNumbers,
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
    const knownGroup = groups.get(key);
    if (knownGroup) {
      knownGroup.rows.push({ line, row });
      knownGroup.dropped.push(...dropped);
    } else groups.set(key, { rows: [{ line, row }], dropped: [...dropped] });
  }
  for (const { rows, dropped } of groups.values()) {
    const { line = 0 } = rows[0] ?? {};
    const entryOrProblem = entryOf(rows, (column, problem, at = line) =>
      dropped.push({ line: at, column, problem }),
    );
    if (typeof entryOrProblem === 'string') {
      for (const one of rows) yield { line: one.line, problem: entryOrProblem };
      continue;
    }
    yield { line, value: entryOrProblem, dropped };
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
  const year = row('birthdate year');
  if (/^true$/i.test(row('birthdate circa'))) return readBirth(`circa ${day || year}`);
  // Where the year has a column of its own, a date that says no day leaves it the word.
  const [read = ''] = readBirth(day);
  return isBirthDate(read) || year === '' ? readBirth(day || year) : readBirth(year);
}

const UK_NAMES = ['name 1', 'name 2', 'name 3', 'name 4', 'name 5', 'name 6'];

/** The columns in which the lists of the United Kingdom differ. */
interface UkColumns {
  readonly key: string;
  readonly kind: string;
  readonly born: string;
  readonly nationality: string;
  readonly nationalId: string;
  readonly regime: string;
  /** Further columns without which a file is not of the format. */
  readonly required: readonly string[];
}

/** Reads the consolidated list of OFSI (United Kingdom), which ended on 28 January 2026. */
export const ofsiEntries = (bytes: Bytes): AsyncGenerator<ParsedRecord> =>
  ukEntries(bytes, {
    ...{ key: 'group id', kind: 'group type', born: 'dob', nationality: 'nationality' },
    ...{ nationalId: 'national identification number', regime: 'regime', required: [] },
  });

/** Reads the UK Sanctions List, the single list of the United Kingdom since then. */
export const ukSanctionsEntries = (bytes: Bytes): AsyncGenerator<ParsedRecord> =>
  ukEntries(bytes, {
    ...{ key: 'unique id', kind: 'designation type', born: 'd o b', nationality: 'nationality ies' },
    ...{ nationalId: 'national identifier number', regime: 'regime name', required: ['d o b'] },
  });

/** Reads a list of the United Kingdom; its family names are in `Name 6`, the last column of the name. */
function ukEntries(bytes: Bytes, columns: UkColumns): AsyncGenerator<ParsedRecord> {
  const rows = readRows(bytes, ['name 6', 'name 1', columns.kind, columns.key, ...columns.required]);
  return groupedEntries(rows, columns.key, (lines, note) => {
    const [key = ''] = valuesIn(lines, columns.key);
    const names = distinct(
      lines.flatMap(({ row }) => [
        UK_NAMES.map((column) => row(column))
          .filter((part) => part !== '')
          .join(' '),
        row('name non latin script'),
      ]),
    );
    if (names.length === 0) return 'NAME_MISSING';
    const [type = ''] = valuesIn(lines, columns.kind);
    const numbers = [
      ...['passport number', columns.nationalId, 'imo number', 'business registration number s'],
    ];
    return {
      ...emptyFields,
      key,
      kind: /^individual$/i.test(type) ? 'PERSON' : /^ship$/i.test(type) ? 'OTHER' : 'ORGANISATION',
      names,
      values: distinctValues(
        numbers
          .flatMap((column) => ukValuesIn(lines, column).flatMap(splitNumbers))
          .flatMap(parseIdentifiers),
      ),
      birthDates: parseBirthDates(ukValuesIn(lines, columns.born).flatMap(readBirth), columns.born, note),
      countries: parseCountries(ukValuesIn(lines, columns.nationality), columns.nationality, note),
      remarks: valuesIn(lines, columns.regime).join(', ') || null,
    };
  });
}

/** Several values of a cell have numbers before them, or a sign between them. */
const ukValuesIn = (lines: Group, column: string): string[] =>
  valuesIn(lines, column).flatMap((text) => text.split(/[;|]|\(\d+\)/).map((part) => part.trim()));

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
