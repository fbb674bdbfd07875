import { roundToCents, type ExchangeRateTable } from '../../../fx/index.js';
import type { FactValue, WindowAggregate } from '../../../rules/index.js';
import { hasRowsBeyond, readableRows, type LogSlice } from '../facts/velocity-window.js';
import { AMOUNT_SCALE, currencyCode, currencyNumber, type VelocityLog } from '../facts/velocity-log.js';
import type { RowDetails } from './row-details.js';

/** The keys of the evaluated transaction as numbers, as in logs; 0 is none. */
export interface CurrentKeys {
  readonly customer: number;
  /** The customer's second key, under which earlier rows may be stored. */
  readonly customerToo: number;
  readonly document: number;
  readonly counterparty: number;
  readonly account: number;
  readonly device: number;
  readonly ip: number;
  readonly card: number;
}

export interface CurrentTransaction {
  /** A log that holds only the evaluated transaction. */
  readonly own: VelocityLog;
  readonly keys: CurrentKeys;
  /** Null if there is no usable exchange rate. */
  readonly amountBrl: number | null;
  /** Values of custom fields, by the number of the field. */
  readonly custom: ReadonlyMap<number, FactValue>;
  /** Outcomes are read as of this time: the earlier of occurrence and receipt. Milliseconds since the epoch. */
  readonly asOf: number;
}

const BRL = currencyNumber('BRL');

/** A row: its log, and its index in the log. The evaluated transaction is the only row of a separate log. */
export interface WindowRow {
  log: VelocityLog;
  i: number;
  isCurrent: boolean;
}

/** A window in microseconds since the epoch: (since, until]. */
export interface WindowBounds {
  readonly since: number;
  readonly until: number;
  readonly includesCurrent: boolean;
}

/** The earlier rows of one key, as aggregates read them. */
export class WindowRows {
  private readonly readEnd: number;
  private readonly isTruncated: boolean;
  private usedOnePersonRate = false;
  private readonly decided = new Map<string, Uint8Array>();

  constructor(
    private readonly slice: LogSlice,
    readonly current: CurrentTransaction,
    private readonly rates: ExchangeRateTable,
    readonly details: RowDetails,
  ) {
    const { last, isTruncated } = readableRows(slice);
    this.readEnd = last;
    this.isTruncated = isTruncated;
  }

  /** True if an amount was converted at a rate that one person alone approved. */
  get restsOnOnePerson(): boolean {
    return this.usedOnePersonRate;
  }

  /** Microseconds since the epoch. */
  get now(): number {
    return this.current.own.times[0] ?? NaN;
  }

  /**
   * Calls `look` with each row of a window until `look` returns true: the evaluated transaction, then from the newest
   * row to the oldest. The row is one reused object, because windows have thousands.
   */
  visit(
    { since, until, includesCurrent }: WindowBounds,
    key: WindowAggregate['by']['key'],
    look: (row: WindowRow) => boolean,
  ): void {
    const { slice, readEnd, current } = this;
    const { log } = slice;
    if (includesCurrent && until >= this.now && look({ log: current.own, i: 0, isCurrent: true })) return;
    const row: WindowRow = { log, i: 0, isCurrent: false };
    const { document, counterparty } = current.keys;
    for (let i = slice.first; i < readEnd; i += 1) {
      const time = log.times[i] ?? 0;
      if (time <= since) return;
      if (time > until) continue;
      // Windows by document and by pair read the customer's log and skip its other rows.
      if (key === 'document' && log.customers[i] !== document) continue;
      if (key === 'pair' && log.peers[i] !== counterparty) continue;
      row.i = i;
      if (look(row)) return;
    }
  }

  /**
   * Returns what a filter has decided about the rows so far, for all aggregates with the same filter: one more than its
   * result, 0 where it was not asked. The place of a row is `placeOf`.
   */
  decisionsOf(filterIdentity: string): Uint8Array {
    let decisions = this.decided.get(filterIdentity);
    if (!decisions) {
      decisions = new Uint8Array(Math.max(0, this.readEnd - this.slice.first) + 1);
      this.decided.set(filterIdentity, decisions);
    }
    return decisions;
  }

  placeOf({ i, isCurrent }: WindowRow): number {
    return isCurrent ? 0 : i - this.slice.first + 1;
  }

  /** True if rows of a window after `since` (microseconds) are not read. */
  cutsBefore(since: number): boolean {
    return this.isTruncated && hasRowsBeyond(this.slice.log, this.readEnd, since);
  }

  /** Returns the amount in reais; NaN without a usable rate. */
  brlOf({ log, i, isCurrent }: WindowRow): number {
    if (isCurrent) return this.current.amountBrl ?? NaN;
    const amount = (log.amounts[i] ?? 0) / AMOUNT_SCALE;
    const currency = log.currencyNumber(i);
    if (currency === BRL) return amount;
    const lookup = this.rates.find(currencyCode(currency), (log.times[i] ?? 0) / 1_000);
    if (lookup.kind !== 'FOUND') return NaN;
    if (lookup.rate.singleControl) this.usedOnePersonRate = true;
    return roundToCents(amount * lookup.rate.rate);
  }

  /** Returns undefined if the row has no value of this field. */
  customFieldValue({ log, i, isCurrent }: WindowRow, field: number): FactValue | undefined {
    if (isCurrent) return this.current.custom.get(field);
    return this.details.custom.get(log.seqs[i] ?? 0)?.get(field);
  }

  isOwnCustomer(customer: number): boolean {
    const { customer: own, customerToo } = this.current.keys;
    return customer !== 0 && (customer === own || customer === customerToo);
  }
}
