import type { Direction } from '../../../../platform/kernel/reference/transaction-types.js';

/** The instruments, by the prefix of the transaction type; with the numbers of migration `0022-kyt`. */
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

/** Maximum number of rows read per key, the newest first. If a key has more, its values are lower bounds. */
export const VELOCITY_CAP = 2_000;

/** The scale of amounts as integers: no currency has more than four decimals, so sums are exact in a double. */
export const AMOUNT_SCALE = 10_000;

// timestamptz on the wire: microseconds since 2000-01-01T00:00:00Z.
const POSTGRES_EPOCH_MS = 946_684_800_000;
/** time (8) | seq (8) | the fixed part of velocity_entry (28). */
const ROW_BYTES = 44;
const KEY_BYTES = 8;
const COUNTRY_BYTES = 2;

const IN = 1;
const OUT = 2;
const DIRECTION = 3;
const CASH = 4;

/** One earlier transaction; keys as `packedKeyOf` makes them, the time in milliseconds since the epoch. */
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
  readonly type: string;
  readonly channel: string;
  /** In the order of `logKeys`. */
  readonly keys: readonly number[];
  readonly originCountry: string;
  readonly destinationCountry: string;
}

/** Keys that a row has in addition to its customer and counterparty, in the order of their bits. */
export const logKeys = ['device', 'ip', 'account', 'card'] as const;
export type LogKey = (typeof logKeys)[number];

/** Columns that only aggregates read; decoded on first use. */
interface Details {
  readonly types: readonly string[];
  readonly channels: readonly string[];
  readonly origins: readonly string[];
  readonly destinations: readonly string[];
  readonly keys: readonly Float64Array[];
}

/**
 * Earlier transactions of one key, the newest first, as columns. Times in microseconds since the Unix epoch, amounts
 * in ten-thousandths of their currency, keys as numbers (the first 53 bits of the blind index; 0 is none).
 */
export class VelocityLog {
  static readonly EMPTY = new VelocityLog(0, false);
  /** The country in rows that are older than the country columns. */
  static readonly UNKNOWN_COUNTRY = '??';

  readonly times: Float64Array;
  readonly seqs: Float64Array;
  readonly amounts: Float64Array;
  readonly peers: Float64Array;
  readonly customers: Float64Array;
  /** The currency, instrument, cash mark and direction of each row, packed as bits. */
  private readonly traits: Int32Array;
  /** The columns of the variable parts, decoded at the first use. */
  private details: Details | null = null;
  /** The packed rows, and for each row the offset of its variable part. */
  private packed: { readonly bytes: Buffer; readonly tails: Int32Array } | null = null;

  private constructor(
    readonly length: number,
    /** True if the statement stopped at its limit, so that the window has older rows. */
    readonly truncated: boolean,
  ) {
    this.times = new Float64Array(length);
    this.seqs = new Float64Array(length);
    this.amounts = new Float64Array(length);
    this.peers = new Float64Array(length);
    this.customers = new Float64Array(length);
    this.traits = new Int32Array(length);
  }

  /** Reads rows of time (8) | seq (8) | velocity_entry, big-endian, as the velocity statement packs them. */
  static decode(bytes: Buffer, count: number, truncated: boolean): VelocityLog {
    const log = new VelocityLog(count, truncated);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const tails = new Int32Array(count);
    let at = 0;
    for (let i = 0; i < count; i += 1) {
      log.times[i] = int64(view, at) + POSTGRES_EPOCH_MS * 1_000;
      log.seqs[i] = int64(view, at + 8);
      log.amounts[i] = int64(view, at + 16);
      log.traits[i] = view.getInt32(at + 24);
      log.peers[i] = keyNumber(view, at + 28);
      log.customers[i] = keyNumber(view, at + 36);
      at += ROW_BYTES;
      tails[i] = at;
      at += 1 + KEY_BYTES * (BITS[view.getUint8(at)] ?? 0) + 2 * COUNTRY_BYTES;
      at += 1 + view.getUint8(at);
      at += 1 + view.getUint8(at);
    }
    if (at !== bytes.length) throw new Error('a velocity log has half a row');
    log.packed = { bytes, tails };
    return log;
  }

  /** Makes a log of decoded rows, the newest first. */
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
    log.details = {
      types: rows.map(({ type }) => type),
      channels: rows.map(({ channel }) => channel),
      origins: rows.map(({ originCountry }) => originCountry),
      destinations: rows.map(({ destinationCountry }) => destinationCountry),
      keys: logKeys.map((_, key) => Float64Array.from(rows, ({ keys }) => keys[key] ?? 0)),
    };
    return log;
  }

  directionAt(i: number): Direction | null {
    const bits = this.traitsAt(i) & DIRECTION;
    return bits === IN ? 'IN' : bits === OUT ? 'OUT' : null;
  }

  isIn(i: number): boolean {
    return (this.traitsAt(i) & DIRECTION) === IN;
  }

  isOut(i: number): boolean {
    return (this.traitsAt(i) & DIRECTION) === OUT;
  }

  isCash(i: number): boolean {
    return (this.traitsAt(i) & CASH) !== 0;
  }

  instrumentAt(i: number): number {
    return (this.traitsAt(i) >> 3) & 31;
  }

  /** Returns the three letters of the currency as one number; equal currencies have equal numbers. */
  currencyNumber(i: number): number {
    return this.traitsAt(i) >>> 8;
  }

  typeOf(i: number): string {
    return this.readDetails().types[i] ?? '';
  }

  channelOf(i: number): string {
    return this.readDetails().channels[i] ?? '';
  }

  /** Returns the country of a side; empty if none was sent. */
  countryOf(side: 'origin' | 'destination', i: number): string {
    const { origins, destinations } = this.readDetails();
    return (side === 'origin' ? origins : destinations)[i] ?? '';
  }

  /** Returns the key of a row as a number; 0 if the row has none. */
  keyOf(key: LogKey, i: number): number {
    return this.readDetails().keys[logKeys.indexOf(key)]?.[i] ?? 0;
  }

  /** Returns the index of the newest row before that moment by (occurredAt, seq), the order of windows. */
  indexOfNewestBefore(timeMicros: number, seq: number): number {
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

  private readDetails(): Details {
    this.details ??= this.packed ? decodeDetails(this.packed.bytes, this.packed.tails) : NO_DETAILS;
    return this.details;
  }

  private traitsAt(i: number): number {
    return this.traits[i] ?? 0;
  }
}

const NO_DETAILS: Details = {
  types: [],
  channels: [],
  origins: [],
  destinations: [],
  keys: logKeys.map(() => new Float64Array(0)),
};

/** The number of set bits of a number below 16. */
const BITS = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/** Reads at each offset: bits of keys | keys | two countries | type | channel (migration `0022-kyt`). */
function decodeDetails(bytes: Buffer, tails: Int32Array): Details {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const details = {
    types: [] as string[],
    channels: [] as string[],
    origins: [] as string[],
    destinations: [] as string[],
    keys: logKeys.map(() => new Float64Array(tails.length)),
  };
  tails.forEach((tail, i) => {
    let at = tail + 1;
    details.keys.forEach((column, bit) => {
      if ((view.getUint8(tail) & (1 << bit)) === 0) return;
      column[i] = keyNumber(view, at);
      at += KEY_BYTES;
    });
    for (const countries of [details.origins, details.destinations]) {
      countries.push(bytes.toString('latin1', at, at + COUNTRY_BYTES).trimEnd());
      at += COUNTRY_BYTES;
    }
    for (const texts of [details.types, details.channels]) {
      const end = at + 1 + view.getUint8(at);
      texts.push(bytes.toString('latin1', at + 1, end));
      at = end;
    }
  });
  return details;
}

/** Packs the three letters of a currency into the number that logs use. */
export const currencyNumber = (code: string): number =>
  (code.charCodeAt(0) << 16) | (code.charCodeAt(1) << 8) | code.charCodeAt(2);

export const currencyCode = (number: number): string =>
  String.fromCharCode((number >> 16) & 255, (number >> 8) & 255, number & 255);

/** Returns the number that logs use for a blind index; 0 for none. */
export const packedKeyOf = (key: Buffer | null): number =>
  key === null ? 0 : keyNumber(new DataView(key.buffer, key.byteOffset, key.length), 0);

const TWO_32 = 2 ** 32;

/** Reads a 64-bit integer, exact up to 2^53: sequence numbers, times in microseconds and amounts up to 900 billion. */
const int64 = (view: DataView, at: number): number => view.getInt32(at) * TWO_32 + view.getUint32(at + 4);

// Reads the first 53 of 64 bits of a key, which a double can hold. Among 2,000 rows two different keys collide once in
// 10^9 windows.
const keyNumber = (view: DataView, at: number): number =>
  (view.getUint32(at) >>> 11) * TWO_32 + view.getUint32(at + 4);
