import type { FactValue } from '../../rules/index.js';
import { logRowOf } from '../domain/aggregates/current-transaction.js';
import { NO_DETAILS } from '../domain/aggregates/row-details.js';
import type { LogName } from '../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import {
  CUSTOMER_DAYS,
  DEVICE_HOURS,
  NO_EVENTS,
  type CounterpartyKnown,
  type VelocityReading,
} from '../domain/facts/velocity-facts.js';
import { packedKeyOf, VELOCITY_CAP, VelocityLog, type LogRow } from '../domain/facts/velocity-log.js';
import type { LogSlice } from '../domain/facts/velocity-window.js';
import type { WindowQuestion } from '../facts/windows/velocity-reader.js';

const HOUR_MS = 3_600_000;

/** Rows of one key, sorted by (time, seq), the order of windows. */
type Rows = LogRow[];

/** Rows, keyed by log (its name, or the number of its custom field) and then by key within the log. */
type Logs = Map<LogName | number, Map<number, Rows>>;

/** The history of a simulation, in memory: the earlier transactions of the file. */
export class SimulatedHistory {
  private readonly logs: Logs = new Map();
  private readonly customFieldValuesBySeq = new Map<number, ReadonlyMap<number, FactValue>>();
  /** By the key of an external id, the key of the document that was sent with it. */
  private readonly byId = new Map<number, number>();

  /** Returns one reading per transaction, in order; each transaction is history for the following ones. */
  read(batch: readonly WindowQuestion<DecryptedTransaction>[]): Promise<VelocityReading[]> {
    return Promise.resolve(
      batch.map((question) => {
        const { transaction, otherKey } = question;
        const row = logRowOf(transaction);
        const packedOtherKey = packedKeyOf(otherKey);
        const reading = this.readingOf(
          question,
          row,
          packedOtherKey === 0 ? this.byId.get(row.customer) : packedOtherKey,
        );
        this.addToLogs(question, row);
        if (packedOtherKey !== 0) this.byId.set(packedOtherKey, row.customer);
        return reading;
      }),
    );
  }

  private readingOf(question: WindowQuestion<DecryptedTransaction>, row: LogRow, other = 0): VelocityReading {
    const { transaction, needs, customFieldKeys } = question;
    const logOf = (name: LogName | number, key: Buffer | null, hours: number): LogSlice | null =>
      key === null ? null : sliceOf(this.rowsOf(name, packedKeyOf(key)), row, hours);
    const hoursOf = (name: LogName, least = 0): number =>
      Math.max(least, (needs.reach.get(name) ?? 0) / HOUR_MS);
    const ownRows = mergeRows(this.rowsOf('customer', row.customer), this.rowsOf('customer', other));
    const log = sliceOf(ownRows, row, hoursOf('customer', CUSTOMER_DAYS * 24));
    const until = placeOf(ownRows, row);
    const beyond = ownRows.slice(0, until - log.log.length);
    return {
      // A simulation evaluates each event once, in the order of its file.
      cameLate: false,
      customer:
        transaction.customerKey === null
          ? null
          : {
              ...log,
              olderAt: beyond.at(-1)?.time ?? null,
              firstAt: until > 0 ? (ownRows[0]?.time ?? null) : null,
            },
      device: logOf('device', transaction.deviceKey, hoursOf('device', DEVICE_HOURS)),
      ip: logOf('ip', transaction.ipKey, hoursOf('ip', 24)),
      beneficiarySeen: row.peer === 0 ? null : knownIf(beyond.some(({ peer }) => peer === row.peer)),
      aggregates: {
        counterparty: logOf('counterparty', transaction.counterpartyKey, hoursOf('counterparty')),
        account: logOf('account', transaction.accountKey, hoursOf('account')),
        card: logOf('card', transaction.cardKey, hoursOf('card')),
        // A file has transactions alone.
        events: NO_EVENTS,
        custom: new Map(
          [...needs.customFieldReach].map(([field, ms]) => [
            field,
            logOf(field, customFieldKeys.get(field) ?? null, ms / HOUR_MS),
          ]),
        ),
      },
      // Rows of a file have no outcomes, because nothing was decided about them.
      details: {
        outcomes: NO_DETAILS.outcomes,
        custom: this.customFieldValuesBySeq,
        unfilled: NO_DETAILS.unfilled,
      },
    };
  }

  private addToLogs(
    { transaction, customFieldKeys, customFieldValues }: WindowQuestion<DecryptedTransaction>,
    row: LogRow,
  ): void {
    const { customerKey, deviceKey, ipKey, counterpartyKey, accountKey, cardKey } = transaction;
    const keys: (readonly [LogName | number, Buffer | null])[] = [
      ['customer', customerKey],
      ['device', deviceKey],
      ['ip', ipKey],
      ['counterparty', counterpartyKey],
      ['account', accountKey],
      ['card', cardKey],
      ...customFieldKeys,
    ];
    for (const [name, key] of keys) {
      if (key === null) continue;
      const logRows = this.rowsOf(name, packedKeyOf(key));
      // The place is nearly always the end, because files are mostly in order.
      logRows.splice(placeOf(logRows, row), 0, row);
    }
    if (customFieldValues.size > 0) this.customFieldValuesBySeq.set(row.seq, customFieldValues);
  }

  private rowsOf(name: LogName | number, key: number): Rows {
    let logs = this.logs.get(name);
    if (!logs) this.logs.set(name, (logs = new Map<number, Rows>()));
    let rows = logs.get(key);
    if (!rows) logs.set(key, (rows = []));
    return rows;
  }
}

const knownIf = (isSeen: boolean): CounterpartyKnown => (isSeen ? 'YES' : 'NO');

/** Merges the rows under both keys of a customer, in the order of windows. */
const mergeRows = (one: Rows, other: Rows): Rows =>
  other.length === 0 ? one : [...one, ...other].sort((a, b) => a.time - b.time || a.seq - b.seq);

/** Returns the number of rows that precede a row in the order of windows. */
function placeOf(rows: Rows, { time, seq }: LogRow): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    const isBefore = row !== undefined && (row.time < time || (row.time === time && row.seq < seq));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sliceOf(rows: Rows, current: LogRow, hours: number): LogSlice {
  const end = placeOf(rows, current);
  const since = current.time - hours * HOUR_MS;
  let start = end;
  while (start > 0 && end - start < VELOCITY_CAP && (rows[start - 1]?.time ?? since) > since) start -= 1;
  const truncated = start > 0 && (rows[start - 1]?.time ?? since) > since;
  return { log: VelocityLog.of(rows.slice(start, end).reverse(), truncated), first: 0, end: end - start };
}
