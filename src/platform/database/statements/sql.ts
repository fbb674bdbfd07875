import type { EntityManager } from 'typeorm';
import type { Statement } from './statements.js';

interface Driver {
  query(config: { name?: string; text: string; values: readonly unknown[] }): Promise<{
    rows: unknown[];
    rowCount: number | null;
  }>;
}

/** Runs a statement on the caller's connection, in its transaction if there is one, and returns the rows. */
export async function execute<Row>(
  tx: Pick<EntityManager, 'queryRunner'>,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = tx.queryRunner;
  if (!runner) throw new Error('execute needs a transaction or a connected query runner');
  const driver = (await runner.connect()) as Driver;
  const { name, text } = statement;
  const result = await driver.query(name === undefined ? { text, values } : { name, text, values });
  return result.rows as Row[];
}

/** Increases the numbers of the parameters: `$1` becomes `$4` with an offset of 3. No literal may contain one. */
export const shiftParameters = (text: string, offset: number): string =>
  text.replace(/\$(\d+)/g, (_, n: string) => `$${offset + Number(n)}`);

/**
 * Array parameters for `unnest`. The driver's own encoder inspects every element; these functions know the type, which
 * matters with hundreds of rows and two dozen columns per statement. Texts and bytes use PostgreSQL's binary array
 * format: neither side quotes them or converts them to hexadecimal.
 */
export const sqlArray = {
  /** Values that need no quoting: numbers, codes; and UUIDs and timestamps in ISO form where there are few. */
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
  /** UUIDs as texts. @throws RangeError for another text */
  uuids: (values: readonly (string | null)[]): Buffer =>
    binaryArray(UUID, values, uuidLength, (value, into, at, before) => {
      // Most columns repeat one organisation, and copying bytes is faster than parsing.
      if (value === before) into.copyWithin(at, at - UUID_BYTES - LENGTH_BYTES, at - LENGTH_BYTES);
      else writeUuid(value, into, at);
    }),
  /** To the millisecond, the precision of a Date. @throws RangeError for an invalid Date */
  instants: (values: readonly (Date | null)[]): Buffer =>
    binaryArray(TIMESTAMPTZ, values, instantLength, writeInstant),
} as const;

// Object identifiers of the element types in pg_type; fixed since the first releases.
const BYTEA = 17;
const TEXT = 25;
const TIMESTAMPTZ = 1184;
const UUID = 2950;
// PostgreSQL counts its microseconds from the beginning of 2000.
const EPOCH_2000 = Date.UTC(2000, 0, 1);
const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const DASH = 0x2d;
// Dimensions, null flag, element type, length, lower bound: 32 bits each.
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

const uuidLength = (): number => UUID_BYTES;
const instantLength = (): number => 8;
const byteLength = (value: Buffer): number => value.length;
const utf8Length = (value: string): number => Buffer.byteLength(value);

function binaryArray<T>(
  elementType: number,
  values: readonly (T | null)[],
  sizeOf: (value: T) => number,
  write: (value: T, into: Buffer, at: number, before: T | null | undefined) => void,
): Buffer {
  const sizes = values.map((value) => (value === null ? NULL_LENGTH : sizeOf(value)));
  const total = sizes.reduce((sum, size) => sum + LENGTH_BYTES + Math.max(size, 0), HEADER_BYTES);
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
    at += LENGTH_BYTES;
    if (value === null || value === undefined) continue;
    write(value, out, at, values[i - 1]);
    at += size;
  }
  return out;
}

/** The value of each hexadecimal digit by its character code; of all others -1. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? -1;

function writeUuid(text: string, into: Buffer, at: number): void {
  let from = 0;
  let wrong = text.length === UUID_LENGTH ? 0 : -1;
  for (let i = 0; i < UUID_BYTES; i += 1) {
    if (i === 4 || i === 6 || i === 8 || i === 10) {
      if (text.charCodeAt(from) !== DASH) wrong = -1;
      from += 1;
    }
    const high = digitAt(text, from);
    const low = digitAt(text, from + 1);
    wrong |= high | low;
    into[at + i] = (high << 4) | low;
    from += 2;
  }
  if (wrong < 0) throw new RangeError('Not a UUID');
}

function writeInstant(value: Date, into: Buffer, at: number): void {
  const milliseconds = value.getTime() - EPOCH_2000;
  const microseconds = milliseconds * 1_000;
  if (!Number.isSafeInteger(microseconds)) {
    into.writeBigInt64BE(BigInt(milliseconds) * 1_000n, at);
    return;
  }
  const high = Math.floor(microseconds / 2 ** 32);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(microseconds - high * 2 ** 32, at + 4);
}
