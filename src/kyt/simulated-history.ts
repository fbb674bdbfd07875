import { LocalDays } from '../kernel/local-day.js';
import type { OpenTransaction } from './domain/claimed.js';
import { CUSTOMER_DAYS, DEVICE_HOURS, type Seen, type VelocityReading } from './domain/velocity-facts.js';
import { keyOf, VELOCITY_CAP, VelocityLog, type LogRow } from './domain/velocity-log.js';
import { instrumentOf, type LogSlice } from './domain/velocity-window.js';

const HOUR_MS = 3_600_000;

/** Rows of one key in the order of windows, (time, seq). */
type Rows = LogRow[];

/** The history that windows look at, of nothing but the transactions that it was asked about, in memory. */
export class SimulatedHistory {
  private readonly customers = new Map<number, Rows>();
  private readonly devices = new Map<number, Rows>();
  private readonly ips = new Map<number, Rows>();
  private readonly days = new LocalDays();

  /** One reading per transaction, in order; each is history for those after it. */
  read(batch: readonly OpenTransaction[]): Promise<VelocityReading[]> {
    return Promise.resolve(
      batch.map((transaction) => {
        const row = rowOf(transaction);
        const reading = this.readingOf(transaction, row);
        this.keep(transaction, row);
        return reading;
      }),
    );
  }

  private readingOf(transaction: OpenTransaction, row: LogRow): VelocityReading {
    const { customerKey, deviceKey, ipKey } = transaction;
    const own = this.customers.get(row.customer) ?? [];
    const device = this.devices.get(keyOf(deviceKey)) ?? [];
    const log = sliceOf(own, row, CUSTOMER_DAYS * 24);
    const until = placeOf(own, row);
    const beyond = own.slice(0, until - log.log.length);
    const startOfDay = this.days.startOfDay(row.time);
    return {
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
          : seen(device.some(({ customer, time }) => customer === row.customer && time < startOfDay)),
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
  direction: submission.direction.value,
  peer: keyOf(counterpartyKey),
  customer: keyOf(customerKey),
});

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
