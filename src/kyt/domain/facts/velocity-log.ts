import type { Direction } from '../submission/transaction-types.js';

/** How a transaction moves money, by its type's prefix; the numbers are those of migration `0019-kyt-sameness`. */
export const instruments = {
  OTHER: 0,
  PIX: 1,
  TED: 2,
  BOOK: 3,
  BOLETO: 4,
  CARD_PURCHASE: 5,
  CARD: 6,
  CASH: 7,
  ACCOUNT: 8,
  LOAN: 9,
  FX: 10,
  CRYPTO: 11,
  BET: 12,
} as const;

/** Newest rows of a key that are read. "More than N" is exact up to here; past it a value says "at least". */
export const VELOCITY_CAP = 2_000;

/** Amounts are whole numbers of this: no currency has more than four decimals, so sums are exact in a double. */
export const AMOUNT_SCALE = 10_000;

// timestamptz on the wire: microseconds since 2000-01-01T00:00:00Z.
const POSTGRES_EPOCH_MS = 946_684_800_000;
const ROW_BYTES = 44;

const IN = 1;
const OUT = 2;
const DIRECTION = 3;
const CASH = 4;

/** One earlier transaction; keys as `keyOf` makes them, the time in milliseconds since the epoch. */
export interface LogRow {
  readonly time: number;
  readonly seq: number;
  readonly amount: number;
  readonly currency: string;
  readonly instrument: number;
  readonly cash: boolean;
  readonly direction: Direction | null;
  readonly peer: number;
  readonly customer: number;
}

/**
 * Earlier transactions of one key, the newest first, as columns. Times in microseconds since the Unix epoch, amounts
 * in ten-thousandths of their currency, keys as numbers (the first 53 bits of the blind index; 0 is none).
 */
export class VelocityLog {
  static readonly EMPTY = new VelocityLog(0, false);

  readonly times: Float64Array;
  readonly seqs: Float64Array;
  readonly amounts: Float64Array;
  readonly peers: Float64Array;
  readonly customers: Float64Array;
  private readonly traits: Int32Array;

  private constructor(
    readonly length: number,
    /** The statement stopped at its limit: there are older rows in the window. */
    readonly truncated: boolean,
  ) {
    this.times = new Float64Array(length);
    this.seqs = new Float64Array(length);
    this.amounts = new Float64Array(length);
    this.peers = new Float64Array(length);
    this.customers = new Float64Array(length);
    this.traits = new Int32Array(length);
  }

  /** Reads rows of time (8) | seq (8) | velocity_entry (28), big-endian, as the velocity statement packs them. */
  static decode(bytes: Buffer, truncated: boolean): VelocityLog {
    if (bytes.length % ROW_BYTES !== 0) throw new Error('a velocity log has half a row');
    const log = new VelocityLog(bytes.length / ROW_BYTES, truncated);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let i = 0, at = 0; i < log.length; i += 1, at += ROW_BYTES) {
      log.times[i] = int64(view, at) + POSTGRES_EPOCH_MS * 1_000;
      log.seqs[i] = int64(view, at + 8);
      log.amounts[i] = int64(view, at + 16);
      log.traits[i] = view.getInt32(at + 24);
      log.peers[i] = keyNumber(view, at + 28);
      log.customers[i] = keyNumber(view, at + 36);
    }
    return log;
  }

  /** Makes a log of rows that are there already, the newest first. */
  static of(rows: readonly LogRow[], truncated: boolean): VelocityLog {
    const log = new VelocityLog(rows.length, truncated);
    rows.forEach((row, i) => {
      log.times[i] = row.time * 1_000;
      log.seqs[i] = row.seq;
      log.amounts[i] = Math.round(row.amount * AMOUNT_SCALE);
      const direction = row.direction === 'IN' ? IN : row.direction === 'OUT' ? OUT : 0;
      log.traits[i] =
        (currencyNumber(row.currency) << 8) | (row.instrument << 3) | (row.cash ? CASH : 0) | direction;
      log.peers[i] = row.peer;
      log.customers[i] = row.customer;
    });
    return log;
  }

  direction(i: number): Direction | null {
    const bits = this.trait(i) & DIRECTION;
    return bits === IN ? 'IN' : bits === OUT ? 'OUT' : null;
  }

  isIn(i: number): boolean {
    return (this.trait(i) & DIRECTION) === IN;
  }

  isOut(i: number): boolean {
    return (this.trait(i) & DIRECTION) === OUT;
  }

  isCash(i: number): boolean {
    return (this.trait(i) & CASH) !== 0;
  }

  instrument(i: number): number {
    return (this.trait(i) >> 3) & 31;
  }

  /** Three ASCII letters as one number; equal currencies have equal numbers. */
  currencyNumber(i: number): number {
    return this.trait(i) >>> 8;
  }

  /** The first row before that moment in the order of windows, (occurredAt, seq). */
  firstBefore(timeMicros: number, seq: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const time = this.times[middle] ?? 0;
      const before = time < timeMicros || (time === timeMicros && (this.seqs[middle] ?? 0) < seq);
      if (before) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private trait(i: number): number {
    return this.traits[i] ?? 0;
  }
}

/** The letters of a currency as the log has them. */
export const currencyNumber = (code: string): number =>
  (code.charCodeAt(0) << 16) | (code.charCodeAt(1) << 8) | code.charCodeAt(2);

export const currencyCode = (number: number): string =>
  String.fromCharCode((number >> 16) & 255, (number >> 8) & 255, number & 255);

/** The number by which the log knows a blind index; 0 for none. */
export const keyOf = (key: Buffer | null): number =>
  key === null ? 0 : keyNumber(new DataView(key.buffer, key.byteOffset, key.length), 0);

const TWO_32 = 2 ** 32;

/** Exact up to 2^53; sequence numbers, times in microseconds and amounts up to 900 billion stay below. */
const int64 = (view: DataView, at: number): number => view.getInt32(at) * TWO_32 + view.getUint32(at + 4);

// 53 of 64 bits are what a double holds; among 2,000 rows two different keys meet once in 10^9 windows.
const keyNumber = (view: DataView, at: number): number =>
  (view.getUint32(at) >>> 11) * TWO_32 + view.getUint32(at + 4);
