import pg from 'pg';
import type { Statement } from './statements.js';
import type { Reader } from '../work/unit-of-work.js';

/**
 * Rows as PostgreSQL's binary COPY writes them, without header and trailer. Each row: the number of columns (2 bytes),
 * and for each column its length (4 bytes; -1 for null) and its value, numbers big-endian.
 */
export interface CopiedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  /** Offset of the last row. */
  readonly last: number;
}

interface Driver {
  query(config: {
    text: string;
    queryMode: 'extended';
    onCopyData: (chunk: Buffer) => void;
  }): Promise<pg.QueryResult>;
}

// "PGCOPY\n\377\r\n\0", flags, length of an extension (none).
const HEADER_BYTES = 19;
// The trailer is -1 in place of a number of columns.
const TRAILER_BYTES = 2;
const INITIAL_BYTES = 1_048_576;

/**
 * Reads the rows of a SELECT by COPY, at a fraction of the cost of a query: neither side converts a value to text.
 * COPY takes no parameters, so the values become literals in its text.
 */
export async function copyOut(
  reader: Reader,
  { text }: Statement<unknown>,
  values: readonly (string | number)[],
): Promise<CopiedRows> {
  const runner = reader.queryRunner;
  if (!runner) throw new Error('copyOut needs a connected query runner');
  const driver = (await runner.connect()) as Driver;
  const copied = new GrowingBuffer();
  const { rowCount } = await driver.query({
    text: `COPY (${text.replace(/\$(\d+)/g, (_, n: string) => toLiteral(values[Number(n) - 1]))}) TO STDOUT (FORMAT binary)`,
    queryMode: 'extended',
    onCopyData: (chunk) => {
      copied.add(chunk);
    },
  });
  return { bytes: copied.between(HEADER_BYTES, TRAILER_BYTES), count: rowCount ?? 0, last: copied.lastRow };
}

const toLiteral = (value: string | number | undefined): string => {
  if (value === undefined) throw new Error('a statement has more parameters than values');
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(value);
};

/** Joins copies of chunks, because the driver reuses their memory. Each row is a chunk, and so is the trailer. */
class GrowingBuffer {
  private bytes = Buffer.from(new ArrayBuffer(INITIAL_BYTES));
  private length = 0;
  private starts: readonly [before: number, latest: number] = [0, 0];

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.bytes.length) {
      const larger = Buffer.from(new ArrayBuffer(Math.max(length, 2 * this.bytes.length)));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    chunk.copy(this.bytes, this.length);
    this.starts = [this.starts[1], this.length];
    this.length = length;
  }

  /** Offset of the row before the trailer, counted without the header. */
  get lastRow(): number {
    // The header is in the chunk of the first row.
    return Math.max(0, this.starts[0] - HEADER_BYTES);
  }

  between(start: number, fromEnd: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(start, this.length - fromEnd);
  }
}
