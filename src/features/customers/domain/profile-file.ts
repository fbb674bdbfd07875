import { FormatMismatchError, foldColumnName, openTable } from '../../../platform/kernel/csv/csv-table.js';
import { csvRow } from '../../../platform/kernel/index.js';
import type { RowProblem } from './profile-row.js';

/** The columns of a file, in the order of the template. Each is a field of a row. */
export const PROFILE_COLUMNS = [
  'externalCustomerId',
  'document',
  'name',
  'birthDate',
  'monthlyIncome',
  'monthlyRevenue',
  'occupation',
  'pep',
  'riskLevel',
  'relationshipSince',
  'segment',
  'asOf',
] as const;
type Column = (typeof PROFILE_COLUMNS)[number];

/** A CSV file with the header only, with semicolons as spreadsheets in Brazil expect. */
export const profileTemplate = (): string => csvRow([...PROFILE_COLUMNS], ';');

/** The reason why a file cannot be read as profiles. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
}

type FileLine = { readonly line: number; readonly value: unknown } | RowProblem;

/**
 * Reads the rows of a CSV file as a spreadsheet writes it. An empty cell is an absent value, not zero. Days and amounts
 * may be written as in Brazil; an amount with two readings (`4.800`) is a fault of its row.
 */
export async function readProfileRows(file: Uint8Array): Promise<readonly FileLine[] | FileProblem> {
  const table = await openTable([file], KEYS).catch(noTable);
  if (!table) return columnsUnknown('No line has the column externalCustomerId or document.');
  const columns = table.columns.map((name) => COLUMNS.get(name));
  const stranger = table.columns.findIndex((name) => name !== '' && !COLUMNS.has(name));
  if (stranger >= 0) return columnsUnknown(`Column ${stranger + 1} is none of the template.`);
  const namedColumns = columns.filter((column) => column !== undefined);
  if (new Set(namedColumns).size < namedColumns.length) return columnsUnknown('A column stands twice.');
  const rows: FileLine[] = [];
  for await (const record of table.records) {
    const { line } = record;
    if ('problem' in record) {
      const message = 'A quotation mark is not closed.';
      rows.push({ line, path: '', code: record.problem, message });
    } else if (record.value.some((cell, i) => cell.trim() !== '' && !columns[i])) {
      rows.push({ line, path: '', code: 'TOO_MANY_CELLS', message: 'A cell stands under no column.' });
    } else if (record.value.some((cell) => cell.trim() !== '')) {
      rows.push({ line, value: rowOf(columns, record.value) });
    }
  }
  return rows;
}

const COLUMNS: ReadonlyMap<string, Column> = new Map(
  PROFILE_COLUMNS.map((column) => [foldColumnName(column), column]),
);
const KEYS = [['externalCustomerId', 'document'].map(foldColumnName)];

const columnsUnknown = (message: string): FileProblem => ({ code: 'COLUMNS_UNKNOWN', message });

function noTable(error: unknown): null {
  if (error instanceof FormatMismatchError) return null;
  throw error;
}

const rowOf = (
  columns: readonly (Column | undefined)[],
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    columns.flatMap((column, i) => {
      const cell = (fields[i] ?? '').trim();
      return column === undefined || cell === '' ? [] : [[column, valueOf(column, cell)]];
    }),
  );

/** Returns the value of a cell; an unreadable cell stays a text, which `validateRow` refuses. */
function valueOf(column: Column, cell: string): unknown {
  switch (column) {
    case 'monthlyIncome':
    case 'monthlyRevenue':
      return amountIn(cell) ?? cell;
    case 'pep':
      return FLAGS.get(cell.toLowerCase()) ?? cell;
    case 'birthDate':
    case 'relationshipSince':
    case 'asOf':
      return cell.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$2-$1');
    case 'riskLevel':
      return cell.toUpperCase();
    case 'externalCustomerId':
    case 'document':
    case 'name':
    case 'occupation':
    case 'segment':
      return cell;
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['verdadeiro', true],
  ['sim', true],
  ['yes', true],
  ['false', false],
  ['falso', false],
  ['não', false],
  ['nao', false],
  ['no', false],
]);

function amountIn(cell: string): number | null {
  if (/^\d+(\.\d{1,2})?$/.test(cell)) return Number(cell);
  if (/^\d+,\d{1,2}$/.test(cell) || /^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(cell)) {
    return Number(cell.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}
