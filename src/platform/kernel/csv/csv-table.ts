import { csvRecordAt } from './csv.js';
import { decodeText, type Bytes } from './decode-text.js';

export interface DroppedField {
  readonly line: number;
  readonly column: string;
  readonly problem: string;
}

/** A record that could not be read, with the column if a single one is the cause. */
export interface BrokenLine {
  readonly line: number;
  readonly problem: string;
  readonly column?: string;
}

/** A record of a file, or the reason why a line has none. Lines count from 1. */
export type ReadRecord<T> =
  { readonly line: number; readonly value: T; readonly dropped?: readonly DroppedField[] } | BrokenLine;

// Maximum length of a record: an unclosed quotation mark would make one record of the rest of the file.
export const MAX_RECORD_LENGTH = 256 * 1024;

/**
 * Yields the records of a CSV file (RFC 4180, any separator): quoted fields may hold separators, doubled quotes and
 * line breaks. A record with an unclosed quote is reported, and reading continues on its second line.
 */
export async function* readCsvRecords(
  texts: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<ReadRecord<string[]>> {
  let rest = '';
  let line = 1;
  let isLastPart = false;
  const source = texts[Symbol.asyncIterator]();
  while (!isLastPart) {
    const next = await source.next();
    if (next.done === true) isLastPart = true;
    else rest += next.value;
    let from = 0;
    while (from < rest.length) {
      const record = csvRecordAt(rest, from, separator, isLastPart);
      // A closing quotation mark in the middle of a field: this record wrongly contains the next lines.
      if (record === null || (record.isTorn && record.lines > 1)) {
        if (record === null && !isLastPart && rest.length - from <= MAX_RECORD_LENGTH) break;
        const end = endOfLine(rest, from);
        yield { line, problem: 'UNCLOSED_QUOTE' };
        line += 1;
        from = end;
        continue;
      }
      if (record.fields.length > 1 || record.fields[0]?.trim() !== '') yield { line, value: record.fields };
      line += record.lines;
      from = record.end;
    }
    rest = rest.slice(from);
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}

/** A line of column names that lacks some: what was looked for in vain, and what stands there. */
interface NearestHeader {
  readonly line: number;
  readonly missing: readonly string[];
  /** The columns of the line, if it is one of column names. */
  readonly found: readonly string[];
}

/** Thrown when a file lacks the columns of its format; no line of it is imported. */
export class FormatMismatchError extends Error {
  readonly line: number;
  readonly found: readonly string[];

  constructor(
    readonly missing: readonly string[],
    { line, found }: Pick<NearestHeader, 'line' | 'found'> = { line: 1, found: [] },
  ) {
    super('The file does not look like the format that was named.');
    this.name = 'NotThisFormat';
    this.line = line;
    this.found = found;
  }
}

export const foldColumnName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\ufeff]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const HEAD = 64 * 1024;
const SEPARATORS = [';', ',', '\t'];
const MAX_ABOVE = 20;

/** The columns that make a line the header; of a list in it, one is enough. */
export type RequiredColumns = readonly (string | readonly string[])[];

export interface CsvTable {
  /** The names of the columns, folded: of another case, with accents or not, they are the same. */
  readonly columns: readonly string[];
  /** The line of the header. */
  readonly line: number;
  /** The records below the header. */
  readonly records: AsyncGenerator<ReadRecord<string[]>>;
}

/**
 * Opens a file at its header line, and skips the lines above it, where some programs put notes. `known`: further columns
 * by which an incomplete header is recognised, to say what it lacks.
 */
export async function openTable(
  bytes: Bytes,
  required: RequiredColumns,
  known: ReadonlySet<string> = new Set(),
): Promise<CsvTable> {
  const { texts, head } = await readHead(decodeText(bytes));
  const records = readCsvRecords(texts, separatorIn(head, required, known));
  for (;;) {
    const next = await records.next();
    if (next.done === true) throw new FormatMismatchError(required.flat());
    const record = next.value;
    if ('problem' in record || lackedIn(record.value, required).length > 0) continue;
    return { columns: record.value.map(foldColumnName), line: record.line, records };
  }
}

const lackedIn = (fields: readonly string[], required: RequiredColumns): string[] => {
  const names = fields.map(foldColumnName);
  return required.filter((one) => ![one].flat().some((name) => names.includes(name))).flat();
};

/** Finds the separator that splits one of the first lines into all columns that a format needs. */
function separatorIn(head: string, required: RequiredColumns, known: ReadonlySet<string>): string {
  let nearest: NearestHeader = { line: 1, missing: required.flat(), found: [] };
  for (const separator of SEPARATORS) {
    let from = 0;
    let line = 1;
    for (let above = 0; above <= MAX_ABOVE && from < head.length; above += 1) {
      const record = csvRecordAt(head, from, separator, true);
      if (!record) break;
      const missingColumns = lackedIn(record.fields, required);
      if (missingColumns.length === 0) return separator;
      const namedColumns = namesIn(record.fields, required, known);
      const isNearer =
        missingColumns.length < nearest.missing.length || namedColumns.length > nearest.found.length;
      if (isNearer && missingColumns.length <= nearest.missing.length) {
        nearest = { line, missing: missingColumns, found: namedColumns };
      }
      line += record.lines;
      from = record.end;
    }
  }
  throw new FormatMismatchError(nearest.missing, nearest);
}

const MAX_NAME = 64;
const MAX_FOUND = 100;

/** Returns the columns of a line that is one of column names; none of a line that may be of values, which nobody quotes. */
function namesIn(
  fields: readonly string[],
  required: RequiredColumns,
  known: ReadonlySet<string>,
): readonly string[] {
  const names = fields.map(foldColumnName).filter((name) => name !== '' && !/\d{4}/.test(name));
  const isHeader =
    required.flat().some((name) => names.includes(name)) ||
    names.filter((name) => known.has(name)).length > 1;
  return isHeader ? names.slice(0, MAX_FOUND).map((name) => name.slice(0, MAX_NAME)) : [];
}

/** Reads the first `HEAD` characters ahead; `texts` still yields the whole text. */
async function readHead(
  texts: AsyncGenerator<string>,
): Promise<{ texts: AsyncGenerator<string>; head: string }> {
  let head = '';
  while (head.length < HEAD) {
    const next = await texts.next();
    if (next.done === true) break;
    head += next.value;
  }
  async function* whole(): AsyncGenerator<string> {
    if (head !== '') yield head;
    yield* texts;
  }
  return { texts: whole(), head };
}
