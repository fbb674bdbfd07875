import { businessDaysBack } from '../../../../platform/kernel/reference/bank-calendar.js';
import type { LocalDays } from '../../../../platform/kernel/values/local-day.js';
import type { EventKey, FactSheet, FeatureName } from '../../../rules/index.js';
import type { ExchangeRateTable } from '../../../fx/index.js';
import type { RowDetails } from '../aggregates/row-details.js';
import { AMOUNT_SCALE, instruments } from './velocity-log.js';
import { VelocityWindow, type CurrentRow, type LogSlice } from './velocity-window.js';

/**
 * YES if the customer dealt with the counterparty before; UNKNOWN if only rows beyond the newest 2,000 of the
 * counterparty could show it.
 */
export type CounterpartyKnown = 'YES' | 'NO' | 'UNKNOWN';

/** The events that were read for one transaction. */
export interface EventReading {
  /** The types of which the application had sent an event before the transaction. */
  readonly knownTypes: ReadonlySet<string>;
  /** By key; a key that the transaction does not have, or that no aggregate reads, is left out. */
  readonly logs: ReadonlyMap<EventKey, LogSlice>;
}

export const NO_EVENTS: EventReading = { knownTypes: new Set(), logs: new Map() };

/** The logs from which windows are computed, one per kind of key; null if the transaction has no such key. */
export interface AggregateLogs {
  readonly customer: LogSlice | null;
  readonly counterparty: LogSlice | null;
  readonly account: LogSlice | null;
  readonly device: LogSlice | null;
  readonly ip: LogSlice | null;
  readonly card: LogSlice | null;
  /** Keyed by number of the custom field. */
  readonly custom: ReadonlyMap<number, LogSlice | null>;
  readonly events: EventReading;
}

/** The rows that were read for one transaction; null if it has no such key. */
export interface VelocityReading {
  /** True if it arrived late: later transactions with the same keys may have been evaluated without it. */
  readonly cameLate: boolean;
  readonly customer:
    | (LogSlice & {
        /** Times in ms since the epoch: of the newest row older than the log, and of the customer's first row. */
        readonly olderAt: number | null;
        readonly firstAt: number | null;
      })
    | null;
  readonly device: LogSlice | null;
  readonly ip: LogSlice | null;
  readonly aggregates: Pick<AggregateLogs, 'counterparty' | 'account' | 'card' | 'custom' | 'events'>;
  readonly details: RowDetails;
  /** The result of a search beyond the customer's log; null if the log holds all rows of the customer. */
  readonly beneficiarySeen: CounterpartyKnown | null;
}

export interface VelocityContext {
  readonly rates: ExchangeRateTable;
  readonly days: LocalDays;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const CUSTOMER_DAYS = 90;
/** How many hours back the logs of devices are read: a local day can have 25 hours. */
export const DEVICE_HOURS = 25;
const BUSINESS_DAYS = 5;

/** The features that have no value without a customer. */
const ofCustomer = [
  'outgoing.count1h',
  'outgoing.count24h',
  'outgoing.sum24h',
  'outgoing.amounts24h',
  'outgoing.beneficiaries24h',
  'outgoing.dailyMean30d',
  'outgoing.p95Amount30d',
  'incoming.count24h',
  'incoming.sum24h',
  'incoming.sum7d',
  'incoming.sum30d',
  'incoming.payers24h',
  'incoming.payers7d',
  'activity.sum7d',
  'activity.amounts7d',
  'activity.longestGapDays7d',
  'activity.count90d',
  'activity.mean90d',
  'activity.sd90d',
  'activity.max90d',
  'activity.lastAt',
  'activity.historyDays',
  'pair.amounts24h',
  'cash.amounts5bd',
  'card.amounts10m',
  'counterparty.seenBefore',
] as const;

/** True if sums over the log used exchange rates that one person alone approved. */
export interface SingleControlRates {
  readonly customer: boolean;
  readonly device: boolean;
}

/** Sets every velocity feature of the schema. Pure: the result does not depend on the order of the rows. */
export function setVelocityFacts(
  sheet: FactSheet,
  current: CurrentRow,
  reading: VelocityReading,
  context: VelocityContext,
): SingleControlRates {
  const { customer } = reading;
  let ofOnePerson = false;
  if (customer === null) {
    for (const name of ofCustomer) sheet.setUnknown(name, 'MISSING', 'NO_CUSTOMER_KEY');
  } else {
    const view = new VelocityWindow(customer, current, context.rates);
    setFlows(sheet, view);
    setActivity(sheet, view, customer, current.occurredAt);
    setSpecial(sheet, view, current, context.days);
    setSeenBefore(sheet, view, customer, current, reading.beneficiarySeen);
    ofOnePerson = view.restsOnOnePerson;
  }
  return { customer: ofOnePerson, device: setDevice(sheet, current, reading, context) };
}

function setFlows(sheet: FactSheet, view: VelocityWindow): void {
  const out1h = view.sumWindow(HOUR, 'OUT');
  const out24h = view.sumWindow(DAY, 'OUT');
  const in24h = view.sumWindow(DAY, 'IN');
  const in7d = view.sumWindow(7 * DAY, 'IN');
  const in30d = view.sumWindow(30 * DAY, 'IN');
  setOrCap(sheet, 'outgoing.count1h', out1h.count, out1h.isCut);
  setOrCap(sheet, 'outgoing.count24h', out24h.count, out24h.isCut);
  setOrCap(sheet, 'outgoing.sum24h', out24h.sum, out24h.isLowerBound);
  setOrCap(sheet, 'outgoing.amounts24h', out24h.amounts, out24h.isLowerBound);
  setOrCap(sheet, 'outgoing.beneficiaries24h', out24h.peers, out24h.isCut);
  setOrCap(sheet, 'incoming.count24h', in24h.count, in24h.isCut);
  setOrCap(sheet, 'incoming.sum24h', in24h.sum, in24h.isLowerBound);
  setOrCap(sheet, 'incoming.sum7d', in7d.sum, in7d.isLowerBound);
  setOrCap(sheet, 'incoming.sum30d', in30d.sum, in30d.isLowerBound);
  setOrCap(sheet, 'incoming.payers24h', in24h.peers, in24h.isCut);
  setOrCap(sheet, 'incoming.payers7d', in7d.peers, in7d.isCut);
}

function setActivity(
  sheet: FactSheet,
  view: VelocityWindow,
  { olderAt, firstAt }: NonNullable<VelocityReading['customer']>,
  now: number,
): void {
  const historyDays = firstAt === null || firstAt >= now ? 0 : Math.floor((now - firstAt) / DAY);
  const before = view.sumEarlier(31 * DAY, DAY, 'OUT');
  const days = Math.min(30, Math.max(1, historyDays - 1));
  setOrCap(
    sheet,
    'outgoing.dailyMean30d',
    before.count === 0 ? 0 : roundToDigits(before.sum / days),
    before.isLowerBound,
  );
  const month = view.sumEarlier(30 * DAY, 0, 'OUT');
  setOrCap(sheet, 'outgoing.p95Amount30d', amountPercentile(month.all, 0.95), month.isLowerBound);
  const week = view.sumWindow(7 * DAY, null);
  setOrCap(sheet, 'activity.sum7d', week.sum, week.isLowerBound);
  setOrCap(sheet, 'activity.amounts7d', week.amounts, week.isLowerBound);
  const quarter = view.sumEarlier(CUSTOMER_DAYS * DAY, 0, null);
  const { mean, deviation, max } = amountStatistics(quarter.all);
  setOrCap(sheet, 'activity.count90d', quarter.count, quarter.isCut);
  setOrCap(sheet, 'activity.mean90d', mean, quarter.isLowerBound);
  setOrCap(sheet, 'activity.sd90d', deviation, quarter.isLowerBound);
  setOrCap(sheet, 'activity.max90d', max, quarter.isLowerBound);
  const lastAt = view.newestAt ?? olderAt;
  if (lastAt === null) {
    sheet.setUnknown('activity.lastAt', 'MISSING', 'FIRST_TRANSACTION');
    sheet.setUnknown('activity.longestGapDays7d', 'MISSING', 'FIRST_TRANSACTION');
  } else {
    sheet.set('activity.lastAt', lastAt);
    sheet.set('activity.longestGapDays7d', roundToDigits(view.longestGap(7 * DAY, olderAt) / DAY));
  }
  sheet.set('activity.historyDays', historyDays);
}

function setSpecial(sheet: FactSheet, view: VelocityWindow, current: CurrentRow, days: LocalDays): void {
  if (current.counterparty === 0) sheet.setUnknown('pair.amounts24h', 'MISSING', 'NO_COUNTERPARTY_KEY');
  else {
    const pair = view.sumWindow(DAY, 'OUT', { peer: current.counterparty });
    setOrCap(sheet, 'pair.amounts24h', pair.amounts, pair.isLowerBound);
  }
  if (!current.cash) sheet.set('cash.amounts5bd', []);
  else {
    const since = current.occurredAt - businessDaysBack(current.occurredAt, BUSINESS_DAYS, days);
    // A window excludes its start but a day includes it, hence 1 ms more.
    const cash = view.sumWindow(since + 1, current.direction, { cash: true });
    setOrCap(sheet, 'cash.amounts5bd', cash.amounts, cash.isLowerBound);
  }
  const card = view.sumWindow(10 * MINUTE, null, { instrument: instruments.CARD_PURCHASE });
  setOrCap(sheet, 'card.amounts10m', card.amounts, card.isLowerBound);
}

function setSeenBefore(
  sheet: FactSheet,
  view: VelocityWindow,
  { olderAt }: NonNullable<VelocityReading['customer']>,
  current: CurrentRow,
  seen: CounterpartyKnown | null,
): void {
  const name = 'counterparty.seenBefore';
  if (current.counterparty === 0) sheet.setUnknown(name, 'MISSING', 'NO_COUNTERPARTY_KEY');
  else if (view.hasCounterparty(current.counterparty)) sheet.set(name, true);
  // The log holds all rows of this customer.
  else if (olderAt === null && !view.isTruncated) sheet.set(name, false);
  else if (seen === null || seen === 'UNKNOWN') sheet.setUnknown(name, 'SKIPPED', 'HISTORY_BEYOND_CAP');
  else sheet.set(name, seen === 'YES');
}

/** Returns true if a sum used a rate that one person alone approved. */
function setDevice(
  sheet: FactSheet,
  current: CurrentRow,
  { device, ip }: VelocityReading,
  { rates, days }: VelocityContext,
): boolean {
  let ofOnePerson = false;
  const setMissing = (name: FeatureName, reason: string): unknown =>
    sheet.setUnknown(name, 'MISSING', reason);
  if (device === null) {
    setMissing('device.pixOutSumDay', 'NO_DEVICE_KEY');
    setMissing('device.customers24h', 'NO_DEVICE_KEY');
  } else {
    const view = new VelocityWindow(device, current, rates);
    if (current.customer === 0) setMissing('device.pixOutSumDay', 'NO_CUSTOMER_KEY');
    else {
      const today = current.occurredAt - days.startOfDay(current.occurredAt) + 1;
      const pix = view.sumWindow(today, 'OUT', { instrument: instruments.PIX, own: true });
      setOrCap(sheet, 'device.pixOutSumDay', pix.sum, pix.isLowerBound);
      ofOnePerson = view.restsOnOnePerson;
    }
    const { customers, isCut } = view.countCustomers(DAY);
    setOrCap(sheet, 'device.customers24h', customers, isCut);
  }
  if (ip === null) setMissing('ip.customers24h', 'NO_IP_KEY');
  else {
    const { customers, isCut } = new VelocityWindow(ip, current, rates).countCustomers(DAY);
    setOrCap(sheet, 'ip.customers24h', customers, isCut);
  }
  return ofOnePerson;
}

function setOrCap(
  sheet: FactSheet,
  name: FeatureName,
  value: number | readonly number[],
  isLowerBound: boolean,
): void {
  if (isLowerBound) sheet.setCapped(name, value);
  else sheet.set(name, value);
}

/** Returns the percentile by nearest rank, in reais; 0 without amounts. */
export function amountPercentile(amounts: readonly number[], share: number): number {
  if (amounts.length === 0) return 0;
  const sorted = Float64Array.from(amounts).sort();
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}

/** Returns mean, population standard deviation and largest of amounts in reais; zeros without amounts. */
export function amountStatistics(amounts: readonly number[]): {
  mean: number;
  deviation: number;
  max: number;
} {
  if (amounts.length === 0) return { mean: 0, deviation: 0, max: 0 };
  let sum = 0;
  let max = 0;
  // Whole ten-thousandths, which doubles add exactly.
  for (const amount of amounts) {
    sum += Math.round(amount * AMOUNT_SCALE);
    if (amount > max) max = amount;
  }
  const mean = sum / amounts.length / AMOUNT_SCALE;
  let squares = 0;
  for (const amount of amounts) squares += (amount - mean) ** 2;
  return { mean: roundToDigits(mean), deviation: roundToDigits(Math.sqrt(squares / amounts.length)), max };
}

/** Rounds to the 15 significant digits that numbers of the rule language have. */
const roundToDigits = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));
