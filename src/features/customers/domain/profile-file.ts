import { csvRecordAt, csvRow } from '../../../platform/kernel/index.js';
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
 * Reads the rows of a CSV file with commas or semicolons, UTF-8 or Windows-1252, as a spreadsheet writes it. An empty
 * cell is an absent value, not zero. Days and amounts may be written as in Brazil; an amount with two readings
 * (`4.800`) is a fault of its row.
 */
export function profileRowsIn(bytes: Uint8Array): readonly FileLine[] | FileProblem {
  const text = textIn(bytes).replace(/^\ufeff/, '');
  const separator = (text.split('\n', 1)[0] ?? '').includes(';') ? ';' : ',';
  const header = csvRecordAt(text, 0, separator, true);
  const columns = header?.fields.map((field) => field.trim()) ?? [];
  const stranger = columns.findIndex((name) => !isColumn(name));
  if (!header || stranger >= 0 || new Set(columns).size < columns.length) {
    const place =
      stranger >= 0 ? `Column ${stranger + 1} is none of the template.` : 'A column stands twice.';
    return { code: 'COLUMNS_UNKNOWN', message: header ? place : 'There is no line of column names.' };
  }
  const rows: FileLine[] = [];
  let line = header.lines + 1;
  for (let from = header.end; from < text.length;) {
    const record = csvRecordAt(text, from, separator, true);
    if (!record) {
      rows.push({ line, path: '', code: 'UNCLOSED_QUOTE', message: 'A quotation mark is not closed.' });
      break;
    }
    const { fields } = record;
    if (fields.length > columns.length) {
      rows.push({ line, path: '', code: 'TOO_MANY_CELLS', message: 'There are more cells than columns.' });
    } else if (fields.some((field) => field.trim() !== '')) {
      rows.push({ line, value: rowOf(columns.filter(isColumn), fields) });
    }
    line += record.lines;
    from = record.end;
  }
  return rows;
}

const isColumn = (name: string): name is Column => (PROFILE_COLUMNS as readonly string[]).includes(name);

const rowOf = (columns: readonly Column[], fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    columns.flatMap((column, i) => {
      const cell = (fields[i] ?? '').trim();
      return cell === '' ? [] : [[column, valueOf(column, cell)]];
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
  ['sim', true],
  ['yes', true],
  ['false', false],
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

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
