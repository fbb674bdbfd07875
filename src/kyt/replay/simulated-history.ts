import { LocalDays } from '../../kernel/values/local-day.js';
import type { OpenTransaction } from '../domain/claimed.js';
import {
  CUSTOMER_DAYS,
  DEVICE_HOURS,
  type Seen,
  type VelocityReading,
} from '../domain/facts/velocity-facts.js';
import { keyOf, VELOCITY_CAP, VelocityLog, type LogRow } from '../domain/facts/velocity-log.js';
import { movesCash } from '../domain/submission/transaction-types.js';
import { instrumentOf, type LogSlice } from '../domain/facts/velocity-window.js';

const HOUR_MS = 3_600_000;

/** Rows of one key in the order of windows, (time, seq). */
type Rows = LogRow[];

/** The history that windows look at, of nothing but the transactions that it was asked about, in memory. */
export class SimulatedHistory {
  private readonly customers = new Map<number, Rows>();
  private readonly devices = new Map<number, Rows>();
  private readonly ips = new Map<number, Rows>();
  /** The customer by document whom an id of the institution came with. */
  private readonly byId = new Map<number, number>();
  private readonly days = new LocalDays();

  /** One reading per transaction, in order; each is history for those after it. */
  read(batch: readonly OpenTransaction[], otherKeys: readonly (Buffer | null)[]): Promise<VelocityReading[]> {
    return Promise.resolve(
      batch.map((transaction, i) => {
        const row = rowOf(transaction);
        const named = keyOf(otherKeys[i] ?? null);
        const reading = this.readingOf(transaction, row, named === 0 ? this.byId.get(row.customer) : named);
        this.keep(transaction, row);
        if (named !== 0) this.byId.set(named, row.customer);
        return reading;
      }),
    );
  }

  private readingOf(transaction: OpenTransaction, row: LogRow, other = 0): VelocityReading {
    const { customerKey, deviceKey, ipKey } = transaction;
    const own = together(this.customers.get(row.customer) ?? [], this.customers.get(other) ?? []);
    const device = this.devices.get(keyOf(deviceKey)) ?? [];
    const log = sliceOf(own, row, CUSTOMER_DAYS * 24);
    const until = placeOf(own, row);
    const beyond = own.slice(0, until - log.log.length);
    const startOfDay = this.days.startOfDay(row.time);
    return {
      // A simulation judges each event once, in the order of its file.
      cameLate: false,
      customer:
        customerKey === null
          ? null
          : {
              ...log,
              olderAt: beyond.at(-1)?.time ?? null,
              firstAt: until > 0 ? (own[0]?.time ?? null) : null,
            },
      device: deviceKey === null ? null : sliceOf(device, row, DEVICE_HOURS),
      ip: ipKey === null ? null : sliceOf(this.ips.get(keyOf(ipKey)) ?? [], row, 24),
      beneficiarySeen: row.peer === 0 ? null : seen(beyond.some(({ peer }) => peer === row.peer)),
      deviceSeen:
        deviceKey === null
          ? null
          : seen(
              device.some(
                ({ customer, time }) =>
                  customer !== 0 && (customer === row.customer || customer === other) && time < startOfDay,
              ),
            ),
    };
  }

  private keep({ customerKey, deviceKey, ipKey }: OpenTransaction, row: LogRow): void {
    for (const [key, rows] of [
      [customerKey, this.customers],
      [deviceKey, this.devices],
      [ipKey, this.ips],
    ] as const) {
      if (key === null) continue;
      const own = rows.get(keyOf(key));
      if (!own) rows.set(keyOf(key), [row]);
      // Nearly always at the end: files are mostly in order.
      else own.splice(placeOf(own, row), 0, row);
    }
  }
}

const seen = (isSeen: boolean): Seen => (isSeen ? 'YES' : 'NO');

const rowOf = ({ submission, customerKey, counterpartyKey, seq }: OpenTransaction): LogRow => ({
  time: submission.occurredAt.getTime(),
  seq: Number(seq),
  amount: Number(submission.amount),
  currency: submission.currency,
  instrument: instrumentOf(submission.type),
  cash: movesCash(submission.type),
  direction: submission.direction.value,
  peer: keyOf(counterpartyKey),
  customer: keyOf(customerKey),
});

/** The rows of a customer under both keys, in their order. */
const together = (one: Rows, other: Rows): Rows =>
  other.length === 0 ? one : [...one, ...other].sort((a, b) => a.time - b.time || a.seq - b.seq);

/** How many rows are before it. */
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
  return { log: VelocityLog.of(rows.slice(start, end).reverse(), truncated), first: 0 };
}
