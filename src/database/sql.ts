import type { EntityManager } from 'typeorm';

/**
 * A statement for the hot paths, run on the driver itself: the entity machinery costs more there than the database.
 * One with a `name` is prepared: parsed and planned once per connection and half minute (ScopedClient), which is up to
 * half of what it costs. Its plan does not know the values, so it must be good for any.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

interface Driver {
  query(config: { name?: string; text: string; values: readonly unknown[] }): Promise<{
    rows: unknown[];
    rowCount: number | null;
  }>;
}

/** Runs a statement in the caller's transaction and returns its rows. The caller names their type. */
export async function execute<Row>(
  tx: Pick<EntityManager, 'queryRunner'>,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('execute needs a transaction or a connected query runner');
  const driver = (await runner.connect()) as Driver;
  const { name, text } = statement;
  const result = await driver.query(name === undefined ? { text, values } : { name, text, values });
  return result.rows as Row[];
}

/**
 * Array parameters for `unnest`. The driver's own encoder inspects every element; these know the type, which matters
 * at hundreds of rows and two dozen columns per statement. Texts and bytes go in PostgreSQL's binary array format:
 * nothing is quoted or doubled to hexadecimal, here or there.
 */
export const sqlArray = {
  /** Values that need no quoting: numbers, UUIDs, codes, timestamps in ISO form. */
  plain: (values: readonly (string | number | boolean | null)[]): string => {
    let out = '{';
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i];
      out += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : String(value));
    }
    return `${out}}`;
  },
  bytes: (values: readonly (Buffer | null)[]): Buffer =>
    binaryArray(BYTEA, values, byteLength, (value, into, at) => {
      value.copy(into, at);
    }),
  text: (values: readonly (string | null)[]): Buffer =>
    binaryArray(TEXT, values, utf8Length, (value, into, at) => {
      into.write(value, at);
    }),
} as const;

// Object identifiers of the element types in pg_type; fixed since the first releases.
const BYTEA = 17;
const TEXT = 25;
// Dimensions, null flag, element type, length, lower bound: 32 bits each.
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

const byteLength = (value: Buffer): number => value.length;
const utf8Length = (value: string): number => Buffer.byteLength(value);

function binaryArray<T>(
  elementType: number,
  values: readonly (T | null)[],
  sizeOf: (value: T) => number,
  write: (value: T, into: Buffer, at: number) => void,
): Buffer {
  const sizes = values.map((value) => (value === null ? NULL_LENGTH : sizeOf(value)));
  const total = sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), HEADER_BYTES);
  const out = Buffer.allocUnsafe(total);
  out.writeInt32BE(1, 0);
  out.writeInt32BE(sizes.includes(NULL_LENGTH) ? 1 : 0, 4);
  out.writeInt32BE(elementType, 8);
  out.writeInt32BE(values.length, 12);
  out.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    const size = sizes[i] ?? NULL_LENGTH;
    out.writeInt32BE(size, at);
    at += 4;
    if (value === null || value === undefined) continue;
    write(value, out, at);
    at += size;
  }
  return out;
}
