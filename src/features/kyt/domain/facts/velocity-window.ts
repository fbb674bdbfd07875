import { roundToCents, type ExchangeRateTable } from '../../../fx/index.js';
import type { Direction } from '../../../../platform/kernel/reference/transaction-types.js';
import {
  AMOUNT_SCALE,
  currencyCode,
  currencyNumber,
  instruments,
  VELOCITY_CAP,
  type VelocityLog,
} from './velocity-log.js';

/** The rows of one key, and which of them windows of the transaction reach. Transactions of one key share a log. */
export interface LogSlice {
  readonly log: VelocityLog;
  /** The index of the newest row before the transaction. */
  readonly first: number;
  /** The index after the last row that windows reach. */
  readonly end: number;
}

/** Returns the index after the last row that windows read, and whether the cap cut off rows that they reach. */
export function readableRows({ log, first, end }: LogSlice): {
  readonly last: number;
  readonly isTruncated: boolean;
} {
  const last = Math.min(end, first + VELOCITY_CAP);
  return { last, isTruncated: last < end || (end === log.length && log.truncated) };
}

/**
 * True if the cap may cut off rows after `since` (microseconds). The first row that is not read decides; if the log
 * ends before that row, the last row that is read decides, because older rows may follow.
 */
export function hasRowsBeyond(log: VelocityLog, last: number, since: number): boolean {
  const row = log.times[last] ?? log.times[last - 1];
  return row === undefined || row > since;
}

/** The transaction that is evaluated, as windows see it. */
export interface CurrentRow {
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly direction: Direction | null;
  /** Null if there is no usable exchange rate. */
  readonly amountBrl: number | null;
  readonly cash: boolean;
  /** The numeric key of the customer in the velocity log, like the two below; 0 is no key. */
  readonly customer: number;
  /** The customer's second key, under which earlier rows may be stored. */
  readonly customerToo: number;
  readonly counterparty: number;
}

/**
 * True if the transaction arrived late: a row that occurred later was received earlier. `laterSeqs` has such rows that
 * are newer than the log. Rows of the same batch (`together`) do not count, because the windows of a batch include each
 * other. Windows of rows before the index `effective` do not reach the transaction.
 */
export function isLateArrival(
  { log, first }: Pick<LogSlice, 'log' | 'first'>,
  laterSeqs: readonly number[],
  seq: number,
  together: ReadonlySet<number>,
  effective = 0,
): boolean {
  const isUnseen = (other: number): boolean => other < seq && !together.has(other);
  if (laterSeqs.some(isUnseen)) return true;
  return effective < first && log.seqs.subarray(effective, first).some(isUnseen);
}

/** The sums over a window. Amounts in reais. */
export interface WindowSum {
  readonly count: number;
  readonly sum: number;
  /** Newest first, at most 200. */
  readonly amounts: readonly number[];
  /** All amounts, newest first. */
  readonly all: readonly number[];
  /** Distinct counterparties; rows without one are not counted. */
  readonly peers: number;
  /** True if rows may be missing, because the window reaches beyond the cap. */
  readonly isCut: boolean;
  /** True if rows are missing (`isCut`), or left out because they have no exchange rate. */
  readonly isLowerBound: boolean;
}

/** Selects the rows of a window that count. */
export interface WindowFilter {
  readonly peer?: number;
  /** Only rows of the customer. */
  readonly own?: boolean;
  readonly instrument?: number;
  readonly cash?: boolean;
}

const MAX_LISTED = 200;
const BRL = currencyNumber('BRL');
const NO_FILTER: WindowFilter = {};

/**
 * The windows of one transaction over one log: `(T - span, T]` by (occurredAt, seq), spans in milliseconds. The log
 * holds only rows before the transaction; a window that includes the transaction adds it.
 */
export class VelocityWindow {
  private readonly readEnd: number;
  /** True if the cap cut off rows of the log. */
  readonly isTruncated: boolean;
  private readonly nowMicros: number;
  private usedOnePersonRate = false;

  constructor(
    private readonly slice: LogSlice,
    private readonly current: CurrentRow,
    private readonly rates: ExchangeRateTable,
  ) {
    const { last, isTruncated } = readableRows(slice);
    this.readEnd = last;
    this.isTruncated = isTruncated;
    this.nowMicros = current.occurredAt * 1_000;
  }

  /** True if a sum so far includes an amount that was converted at a rate that one person alone approved. */
  get restsOnOnePerson(): boolean {
    return this.usedOnePersonRate;
  }

  /** The time of the last row before the transaction, in milliseconds since the epoch; null if there is none. */
  get newestAt(): number | null {
    const { log, first } = this.slice;
    return first < this.readEnd ? (log.times[first] ?? 0) / 1_000 : null;
  }

  /** Sums a window that includes the transaction; with direction null it counts both directions. */
  sumWindow(spanMs: number, direction: Direction | null, filter: WindowFilter = NO_FILTER): WindowSum {
    const { amountBrl } = this.current;
    const included = this.includesCurrent(direction, filter);
    const sum = new RunningSum();
    if (included) sum.add(amountBrl, this.current.counterparty);
    return this.sumRows(sum, spanMs, 0, direction, filter);
  }

  /** Sums rows in (T - span, T - untilMs], without the transaction. */
  sumEarlier(spanMs: number, untilMs: number, direction: Direction | null): WindowSum {
    return this.sumRows(new RunningSum(), spanMs, untilMs, direction, NO_FILTER);
  }

  /** Counts distinct customers of the window, including the transaction's. */
  countCustomers(spanMs: number): { customers: number; isCut: boolean } {
    const { log, first } = this.slice;
    const customerKeys = new Set<number>();
    if (this.current.customer !== 0) customerKeys.add(this.current.customer);
    const since = this.nowMicros - spanMs * 1_000;
    for (let i = first; i < this.readEnd && (log.times[i] ?? 0) > since; i += 1) {
      const customer = log.customers[i] ?? 0;
      if (customer !== 0 && !this.isOwn(customer)) customerKeys.add(customer);
    }
    return { customers: customerKeys.size, isCut: this.cutsBefore(since) };
  }

  hasCounterparty(peer: number): boolean {
    const { log, first } = this.slice;
    for (let i = first; i < this.readEnd; i += 1) if (log.peers[i] === peer) return true;
    return false;
  }

  /**
   * Returns the longest pause in milliseconds before a transaction of the window or the current one; 0 if there is no
   * earlier transaction. `olderAt` is the time of the last row before the log.
   */
  longestGap(spanMs: number, olderAt: number | null): number {
    const { log, first } = this.slice;
    const since = this.nowMicros - spanMs * 1_000;
    let later = this.nowMicros;
    let longest = 0;
    for (let i = first; i < this.readEnd && later > since; i += 1) {
      const time = log.times[i] ?? 0;
      longest = Math.max(longest, later - time);
      later = time;
    }
    if (later > since && !this.isTruncated && olderAt !== null) {
      longest = Math.max(longest, later - olderAt * 1_000);
    }
    return longest / 1_000;
  }

  private isOwn(customer: number): boolean {
    const { customer: own, customerToo } = this.current;
    return customer !== 0 && (customer === own || customer === customerToo);
  }

  private includesCurrent(direction: Direction | null, filter: WindowFilter): boolean {
    const { current } = this;
    if (direction !== null && current.direction !== direction) return false;
    if (filter.peer !== undefined && current.counterparty !== filter.peer) return false;
    if (filter.cash !== undefined && current.cash !== filter.cash) return false;
    return filter.instrument === undefined || instrumentOf(current.type) === filter.instrument;
  }

  private sumRows(
    into: RunningSum,
    spanMs: number,
    untilMs: number,
    direction: Direction | null,
    { peer, own, instrument, cash }: WindowFilter,
  ): WindowSum {
    const { log, first } = this.slice;
    const since = this.nowMicros - spanMs * 1_000;
    const until = untilMs === 0 ? Infinity : this.nowMicros - untilMs * 1_000;
    for (let i = first; i < this.readEnd; i += 1) {
      const time = log.times[i] ?? 0;
      if (time <= since) break;
      if (time > until) continue;
      if (direction !== null && !(direction === 'IN' ? log.isIn(i) : log.isOut(i))) continue;
      if (peer !== undefined && log.peers[i] !== peer) continue;
      if (own === true && !this.isOwn(log.customers[i] ?? 0)) continue;
      if (instrument !== undefined && log.instrumentAt(i) !== instrument) continue;
      if (cash !== undefined && log.isCash(i) !== cash) continue;
      into.add(this.brlOf(i), log.peers[i] ?? 0);
    }
    return into.result(this.cutsBefore(since));
  }

  private cutsBefore(since: number): boolean {
    return this.isTruncated && hasRowsBeyond(this.slice.log, this.readEnd, since);
  }

  private brlOf(i: number): number | null {
    const { log } = this.slice;
    const amount = (log.amounts[i] ?? 0) / AMOUNT_SCALE;
    const currency = log.currencyNumber(i);
    if (currency === BRL) return amount;
    const lookup = this.rates.find(currencyCode(currency), (log.times[i] ?? 0) / 1_000);
    if (lookup.kind !== 'FOUND') return null;
    if (lookup.rate.singleControl) this.usedOnePersonRate = true;
    return roundToCents(amount * lookup.rate.rate);
  }
}

/** Adds up rows, newest first. */
class RunningSum {
  private count = 0;
  // Whole ten-thousandths of a real: exact up to 900 billion reais, in any order.
  private scaled = 0;
  private hasUnpriced = false;
  private readonly amounts: number[] = [];
  private readonly peers: number[] = [];

  add(amountBrl: number | null, peer: number): void {
    this.count += 1;
    if (peer !== 0) this.peers.push(peer);
    if (amountBrl === null) {
      this.hasUnpriced = true;
      return;
    }
    this.scaled += Math.round(amountBrl * AMOUNT_SCALE);
    this.amounts.push(amountBrl);
  }

  result(isCut: boolean): WindowSum {
    const { peers } = this;
    return {
      count: this.count,
      sum: this.scaled / AMOUNT_SCALE,
      amounts: this.amounts.length > MAX_LISTED ? this.amounts.slice(0, MAX_LISTED) : this.amounts,
      all: this.amounts,
      // Computed only when read: few windows need the number, which costs more than all sums of a window with thousands
      // of rows.
      get peers() {
        return new Set(peers).size;
      },
      isCut,
      isLowerBound: isCut || this.hasUnpriced,
    };
  }
}

/** Returns the instrument of a type as a number, as in `velocity_entry` (migration `0022-kyt`). */
export function instrumentOf(type: string): number {
  if (type.startsWith('PIX_')) return instruments.PIX;
  if (type === 'TED_TRANSFER') return instruments.TED;
  if (type === 'INTERNAL_TRANSFER') return instruments.BOOK;
  if (type === 'BOLETO_PAYMENT') return instruments.BOLETO;
  if (type === 'CARD_PURCHASE') return instruments.CARD_PURCHASE;
  if (type.startsWith('CARD_')) return instruments.CARD;
  if (type.startsWith('CASH_')) return instruments.CASH;
  if (type.startsWith('ACCOUNT_')) return instruments.ACCOUNT;
  if (type.startsWith('LOAN_')) return instruments.LOAN;
  if (type.startsWith('FX_')) return instruments.FX;
  if (type.startsWith('CRYPTO_')) return instruments.CRYPTO;
  if (type.startsWith('BET_')) return instruments.BET;
  return instruments.OTHER;
}
