import type pg from 'pg';
import { required } from '../../kernel/index.js';
import { shiftParameters } from '../statements/sql.js';

type Row = Readonly<Record<string, unknown>>;

/** The part of the driver's result that TypeORM and `execute` use. */
interface ReadResult {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

interface ReadQuery {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface WaitingRead {
  readonly query: ReadQuery;
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends a query on a connection: its rows are objects or, with `rowMode`, arrays. */
export type SendQuery = (query: ReadQuery & { readonly rowMode?: 'array' }) => Promise<pg.QueryResult>;

// PostgreSQL allows 1,664 columns in a result; the widest tables have about 45.
const MAX_READS = 24;

/** Name of the column with the number of a row among the rows of its read, from 1. */
const ROW_NUMBER = '#';

/** Stands in for a connection: the reads that wait at the same time are sent as one statement. */
export class ReadBatch {
  private waitingReads: WaitingRead[] = [];

  constructor(private readonly sendQuery: SendQuery) {}

  /** Takes its arguments in the forms that TypeORM and `execute` use. */
  query(query: string | ReadQuery, values: readonly unknown[] = []): Promise<ReadResult> {
    return new Promise((resolve, reject) => {
      const readQuery = typeof query === 'string' ? { text: query, values } : query;
      this.waitingReads.push({ query: readQuery, resolve, reject });
      if (this.waitingReads.length === 1) this.sendSoon();
    });
  }

  /** Sends after the callbacks of all settled promises have run, because they may lead to further reads. */
  private sendSoon(): void {
    void Promise.resolve().then(() => {
      process.nextTick(() => {
        const reads = this.waitingReads;
        this.waitingReads = [];
        for (let i = 0; i < reads.length; i += MAX_READS) void this.send(reads.slice(i, i + MAX_READS));
      });
    });
  }

  private async send(reads: readonly WaitingRead[]): Promise<void> {
    try {
      const results = await this.resultsOf(reads.map(({ query }) => query));
      for (const [i, { resolve }] of reads.entries()) resolve(required(results[i], 'the result of a read'));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  private async resultsOf(queries: readonly ReadQuery[]): Promise<ReadResult[]> {
    const [first] = queries;
    if (first && queries.length === 1) return [await this.sendQuery(first)];
    const { fields, rows } = await this.sendQuery({ ...combineReads(queries), rowMode: 'array' });
    return separateRows(fields, rows);
  }
}

/**
 * Combines reads into one statement. Row n of its result has row n of every read, side by side, so that each column
 * keeps its type; the columns of a read are null after its last row.
 */
function combineReads(queries: readonly ReadQuery[]): ReadQuery {
  let offset = 0;
  const parts = queries.map(({ text, values }, i) => {
    const shifted = shiftParameters(text, offset);
    offset += values.length;
    return `(SELECT (row_number() OVER ())::int AS "${ROW_NUMBER}", q.* FROM (${shifted}\n) AS q) AS r${i}`;
  });
  const [first = '', ...others] = parts;
  const joined = others.map((part) => `\nFULL JOIN ${part} USING ("${ROW_NUMBER}")`).join('');
  return {
    text: `SELECT ${queries.map((_, i) => `r${i}.*`).join(', ')} FROM ${first}${joined}`,
    values: queries.flatMap(({ values }) => values),
  };
}

/** Separates the rows of a combined statement into the results of its reads. */
function separateRows(fields: readonly pg.FieldDef[], rows: readonly (readonly unknown[])[]): ReadResult[] {
  const starts = fields.flatMap(({ name }, i) => (name === ROW_NUMBER ? [i] : []));
  return starts.map((start, i) => {
    const names = fields.slice(start + 1, starts[i + 1]).map(({ name }) => name);
    const rowValues: Row[] = [];
    for (const row of rows) {
      const number = row[start];
      if (typeof number !== 'number') continue;
      rowValues[number - 1] = Object.fromEntries(names.map((name, j) => [name, row[start + 1 + j]]));
    }
    return { rows: rowValues, rowCount: rowValues.length };
  });
}
