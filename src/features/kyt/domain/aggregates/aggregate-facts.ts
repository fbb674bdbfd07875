import { businessDaysBack } from '../../../../platform/kernel/reference/bank-calendar.js';
import type { LocalDays } from '../../../../platform/kernel/values/local-day.js';
import type { ExchangeRateTable } from '../../../fx/index.js';
import {
  eventKeys,
  isAggregate,
  isCustomField,
  type AggregateKey,
  type EventKey,
  type FactSheet,
  type RatioAggregate,
  type WindowAggregate,
} from '../../../rules/index.js';
import type { AggregateLogs } from '../facts/velocity-facts.js';
import type { LogSlice } from '../facts/velocity-window.js';
import { aggregateValue, type AggregateValue } from './aggregate-value.js';
import type { RowDetails } from './row-details.js';
import { WindowRows, type WindowBounds, type CurrentKeys, type CurrentTransaction } from './window-rows.js';

interface Context {
  readonly logs: AggregateLogs;
  readonly details: RowDetails;
  readonly rates: ExchangeRateTable;
  readonly days: LocalDays;
}

const NO_KEY: Readonly<Record<AggregateKey | 'custom', string>> = {
  customer: 'NO_CUSTOMER_KEY',
  document: 'NO_DOCUMENT_KEY',
  account: 'NO_ACCOUNT_KEY',
  counterparty: 'NO_COUNTERPARTY_KEY',
  device: 'NO_DEVICE_KEY',
  ip: 'NO_IP_KEY',
  pair: 'NO_COUNTERPARTY_KEY',
  card: 'NO_CARD_KEY',
  custom: 'NO_CUSTOM_KEY',
};

// Nobody can tell "none happened" from "none are sent".
const EVENTS_NOT_SENT: AggregateValue = { state: 'MISSING', reason: 'EVENTS_NOT_SENT' };
const NOT_FILLED: AggregateValue = { state: 'SKIPPED', reason: 'HISTORY_NOT_FILLED' };

/**
 * Sets every aggregate that the schema of the sheet declares and that a rule for such a transaction reads. Pure: the result does not depend on the order of the
 * rows. Returns true if one of them used an exchange rate that one person alone approved.
 */
export function setAggregateFacts(sheet: FactSheet, current: CurrentTransaction, context: Context): boolean {
  const valueByName = new Map<string, AggregateValue>();
  const rowsOf = new Map<LogSlice, WindowRows>();
  const ratios: RatioAggregate[] = [];
  for (const declared of sheet.schema.declared) {
    if (!isAggregate(declared) || !sheet.schema.isRead(declared.identity, sheet)) continue;
    if (declared.function === 'ratio') ratios.push(declared);
    else valueByName.set(declared.identity, valueOf(declared, current, context, rowsOf));
  }
  for (const ratio of ratios) {
    const [a, b] = ratio.parts.map((identity) => valueByName.get(identity));
    if (a && b) valueByName.set(ratio.identity, ratioOf(a, b));
  }
  for (const [identity, value] of valueByName) setAggregate(sheet, identity, value);
  return [...rowsOf.values()].some(({ restsOnOnePerson }) => restsOnOnePerson);
}

function valueOf(
  aggregate: WindowAggregate,
  current: CurrentTransaction,
  { logs, details, rates, days }: Context,
  rowsOf: Map<LogSlice, WindowRows>,
): AggregateValue {
  const { by, events } = aggregate;
  if (events && !events.every((type) => logs.events.knownTypes.has(type))) return EVENTS_NOT_SENT;
  if (customFieldsOf(aggregate).some((field) => details.unfilled.has(field))) return NOT_FILLED;
  const slice = events
    ? logs.events.logs.get(eventKeyOf(aggregate))
    : by.key === 'custom'
      ? logs.custom.get(by.field.number)
      : sliceOf(by.key, current.keys, logs);
  if (!slice) return { state: 'MISSING', reason: NO_KEY[by.key] };
  let rows = rowsOf.get(slice);
  if (!rows) rowsOf.set(slice, (rows = new WindowRows(slice, current, rates, details)));
  return aggregateValue(aggregate, rows, windowBoundsOf(aggregate, rows.now, days), days);
}

/** Returns the key of an aggregate over events. */
export function eventKeyOf({ by }: WindowAggregate): EventKey {
  const key = eventKeys.find((one) => one === by.key);
  if (!key) throw new Error(`there are no events by ${by.key}`);
  return key;
}

/** Returns null if the transaction has no such key. */
function sliceOf(key: AggregateKey, keys: CurrentKeys, logs: AggregateLogs): LogSlice | null {
  switch (key) {
    case 'document':
      return keys.document === 0 ? null : logs.customer;
    case 'pair':
      return keys.counterparty === 0 ? null : logs.customer;
    case 'customer':
    case 'counterparty':
    case 'account':
    case 'device':
    case 'ip':
    case 'card':
      return logs[key];
  }
}

/** Returns the numbers of all custom fields that the aggregate needs from earlier transactions. */
export const customFieldsOf = ({ by, of, filter }: WindowAggregate): readonly number[] => [
  ...(by.key === 'custom' ? [by.field.number] : []),
  ...customFieldValuesOf({ of, filter }),
];

/** Returns the custom fields (by number) of an aggregate's value and filter, without its key (see `customFieldsOf`). */
export const customFieldValuesOf = ({
  of,
  filter,
}: Pick<WindowAggregate, 'of' | 'filter'>): readonly number[] => [
  ...(of?.field ? [of.field.number] : []),
  ...(filter?.columns ?? []).flatMap(({ declared }) =>
    declared && isCustomField(declared) ? [declared.field.number] : [],
  ),
];

/** Returns the bounds of the window; `now` is the moment of the transaction in microseconds since the epoch. */
export function windowBoundsOf(
  { window, offsetMs, includesCurrent }: Pick<WindowAggregate, 'window' | 'offsetMs' | 'includesCurrent'>,
  now: number,
  days: LocalDays,
): WindowBounds {
  const until = now - offsetMs * 1_000;
  switch (window.kind) {
    case 'SPAN':
      return { since: until - window.ms * 1_000, until, includesCurrent };
    // A window excludes its start but a day includes it, hence 1 µs less.
    case 'DAY':
      return { since: days.startOfDay(now / 1_000) * 1_000 - 1, until, includesCurrent };
    case 'BUSINESS_DAYS':
      return { since: businessDaysBack(now / 1_000, window.days, days) * 1_000 - 1, until, includesCurrent };
  }
}

/** Divides two aggregates. If the numerator is a lower bound, so is the ratio; the denominator has to be exact. */
function ratioOf(a: AggregateValue, b: AggregateValue): AggregateValue {
  if (a.state !== 'KNOWN') return a;
  if (b.state !== 'KNOWN') return b;
  if (b.isBound) return { state: 'SKIPPED', reason: 'WINDOW_INCOMPLETE' };
  const [numerator, denominator] = [Number(a.value), Number(b.value)];
  if (denominator === 0) return { state: 'MISSING', reason: 'NOTHING_TO_COMPARE' };
  if (a.isBound && denominator < 0) return { state: 'SKIPPED', reason: 'WINDOW_INCOMPLETE' };
  const value = Number((numerator / denominator).toPrecision(15));
  return { state: 'KNOWN', value, isBound: a.isBound };
}

function setAggregate(sheet: FactSheet, identity: string, found: AggregateValue): void {
  const feature = sheet.schema.findByIdentity(identity);
  if (!feature) throw new Error('an aggregate has no place');
  if (found.state !== 'KNOWN') sheet.setUnknownAt(feature, { state: found.state, reason: found.reason });
  else if (found.isBound) sheet.setCappedAt(feature, found.value);
  else sheet.setAt(feature, found.value);
}
