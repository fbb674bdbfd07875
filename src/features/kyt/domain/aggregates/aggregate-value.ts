import type { FactValue, WindowAggregate } from '../../../rules/index.js';
import type { LocalDays } from '../../../../platform/kernel/values/local-day.js';
import { amountPercentile, amountStatistics } from '../facts/velocity-facts.js';
import { AMOUNT_SCALE, currencyCode, logKeys, VelocityLog } from '../facts/velocity-log.js';
import { compileRowFilter, type FilterResult } from './row-filter.js';
import type { WindowBounds, WindowRow, WindowRows } from './window-rows.js';

/** The result of an aggregate; `isBound` marks a lower bound. */
export type AggregateValue =
  | { readonly state: 'KNOWN'; readonly value: FactValue; readonly isBound: boolean }
  | { readonly state: 'MISSING' | 'SKIPPED'; readonly reason: string };

const knownValue = (value: FactValue, isBound = false): AggregateValue => ({
  state: 'KNOWN',
  value,
  isBound,
});
const NO_ROWS: AggregateValue = { state: 'MISSING', reason: 'NO_TRANSACTIONS' };
const NO_EVENTS: AggregateValue = { state: 'MISSING', reason: 'NO_EVENTS' };
const noRows = ({ events }: WindowAggregate): AggregateValue => (events ? NO_EVENTS : NO_ROWS);
const NO_VALUE: AggregateValue = { state: 'MISSING', reason: 'NOT_SENT' };
/** The result if rows beyond the cap, or rows that the filter could not decide, might change the value. */
const UNSURE: AggregateValue = { state: 'SKIPPED', reason: 'WINDOW_INCOMPLETE' };

/** The aggregated value of a row: null if the row has none, undefined if it is unknown. */
type RowValue = string | number | boolean | null | undefined;

/** Computes an aggregate over a window. Pure: the same rows give the same value. */
export function aggregateValue(
  aggregate: WindowAggregate,
  rows: WindowRows,
  bounds: WindowBounds,
  days: LocalDays,
): AggregateValue {
  switch (aggregate.function) {
    case 'first':
      return firstOf(aggregate, rows, bounds, days);
    case 'last':
      return lastOf(aggregate, rows, bounds, days);
    case 'count': {
      let count = 0;
      const isUnsure = scan(aggregate, rows, bounds, () => {
        count += 1;
      });
      return knownValue(count, isUnsure);
    }
    case 'distinct': {
      const values = new Set<RowValue>();
      const isUnsure = scanValues(aggregate, rows, bounds, days, (value) => values.add(value));
      return knownValue(values.size, isUnsure);
    }
    case 'sum':
    case 'min':
    case 'max':
    case 'mean':
    case 'sd':
    case 'percentile': {
      const values: number[] = [];
      const isUnsure = scanValues(aggregate, rows, bounds, days, (value) => values.push(value as number));
      return computeNumber(aggregate, values, isUnsure);
    }
  }
}

/** Returns the function that decides whether a row counts: by its type, if the rows are events, and by the filter. */
function rowCounter({ filter, events }: WindowAggregate, rows: WindowRows): (row: WindowRow) => FilterResult {
  const counts = compileRowFilter(filter, rows);
  if (!events) return counts;
  const types = new Set<string>(events);
  return (row) => (types.has(row.log.typeOf(row.i)) ? counts(row) : 0);
}

/** Calls `look` for each row that counts. Returns true if more rows may count: beyond the cap, or undecided rows. */
function scan(
  aggregate: WindowAggregate,
  rows: WindowRows,
  bounds: WindowBounds,
  look: (row: WindowRow) => void,
): boolean {
  const counts = rowCounter(aggregate, rows);
  let isUnsure = rows.cutsBefore(bounds.since);
  rows.visit(bounds, aggregate.by.key, (row) => {
    const filterResult = counts(row);
    if (filterResult === 1) look(row);
    else if (filterResult === 2) isUnsure = true;
    return false;
  });
  return isUnsure;
}

/** Calls `look` with the aggregated value of each row that counts. Returns true if values may be missing. */
function scanValues(
  aggregate: WindowAggregate,
  rows: WindowRows,
  bounds: WindowBounds,
  days: LocalDays,
  look: (value: NonNullable<RowValue>) => unknown,
): boolean {
  const takenOf = valueReaderOf(aggregate, rows, days);
  let isUnsure = false;
  const isOpen = scan(aggregate, rows, bounds, (row) => {
    const value = takenOf(row);
    if (value === undefined) isUnsure = true;
    else if (value !== null) look(value);
  });
  return isOpen || isUnsure;
}

/** Returns a function that reads the aggregated value of a row. */
function valueReaderOf(
  { of }: WindowAggregate,
  rows: WindowRows,
  days: LocalDays,
): (row: WindowRow) => RowValue {
  if (!of) return () => null;
  const { name, field } = of;
  if (field) {
    const { number } = field;
    return (row) => (rows.customFieldValue(row, number) as RowValue) ?? null;
  }
  switch (name) {
    case 'amountBrl':
      return (row) => {
        const amount = rows.brlOf(row);
        return Number.isNaN(amount) ? undefined : amount;
      };
    case 'occurredAt':
      return ({ log, i }) => (log.times[i] ?? 0) / 1_000;
    case 'day':
      return ({ log, i }) => days.startOfDay((log.times[i] ?? 0) / 1_000);
    case 'type':
      return ({ log, i }) => log.typeOf(i);
    case 'channel':
      return ({ log, i }) => log.channelOf(i);
    case 'currency':
      return ({ log, i }) => currencyCode(log.currencyNumber(i));
    case 'origin.country':
      return ({ log, i }) => countryIn(log.countryOf('origin', i));
    case 'destination.country':
      return ({ log, i }) => countryIn(log.countryOf('destination', i));
    case 'counterparty':
      return ({ log, i }) => keyIn(log.peers[i]);
    case 'customer':
      return ({ log, i }) => {
        const customer = log.customers[i] ?? 0;
        // The customer's rows may be stored under two keys, which count as one customer.
        return keyIn(rows.isOwnCustomer(customer) ? rows.current.keys.customer : customer);
      };
    default: {
      const key = logKeys.find((one) => one === name);
      if (!key) throw new Error(`nothing of a row is called ${name}`);
      return ({ log, i }) => keyIn(log.keyOf(key, i));
    }
  }
}

const keyIn = (key: number | undefined): RowValue => (key === undefined || key === 0 ? null : key);

const countryIn = (code: string): RowValue =>
  code === VelocityLog.UNKNOWN_COUNTRY ? undefined : code === '' ? null : code;

function computeNumber(
  { function: fn, of, percentile: rank }: WindowAggregate,
  values: readonly number[],
  isUnsure: boolean,
): AggregateValue {
  const isAmount = (of?.field ?? null) === null;
  // Amounts are positive, so missing rows can only add to their sum; custom fields may be negative.
  if (fn === 'sum') {
    if (isUnsure && !isAmount) return UNSURE;
    return knownValue(isAmount ? sumOfAmounts(values) : roundToDigits(exactSum(values)), isUnsure);
  }
  if (fn === 'max' && values.length > 0) return knownValue(Math.max(...values), isUnsure);
  if (isUnsure) return UNSURE;
  if (values.length === 0) return NO_ROWS;
  if (fn === 'min') return knownValue(Math.min(...values));
  if (fn === 'percentile') return knownValue(amountPercentile(values, (rank ?? 0) / 100));
  const { mean, deviation } = isAmount ? amountStatistics(values) : statisticsOf(values);
  return knownValue(fn === 'mean' ? mean : deviation);
}

/** Adds amounts as whole ten-thousandths, which doubles add exactly. */
function sumOfAmounts(values: readonly number[]): number {
  let scaled = 0;
  for (const value of values) scaled += Math.round(value * AMOUNT_SCALE);
  return scaled / AMOUNT_SCALE;
}

/** Computes the mean and the population standard deviation of any numbers. */
function statisticsOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = exactSum(values) / values.length;
  const squares = values.map((value) => (value - mean) ** 2);
  return {
    mean: roundToDigits(mean),
    deviation: roundToDigits(Math.sqrt(exactSum(squares) / values.length)),
  };
}

/** Returns the exact sum, the same in any order (Shewchuk 1997). */
function exactSum(values: readonly number[]): number {
  const partials: number[] = [];
  for (const value of values) {
    let rest = value;
    let keptRows = 0;
    for (const partial of partials) {
      const [large, small] = Math.abs(rest) < Math.abs(partial) ? [partial, rest] : [rest, partial];
      const sum = large + small;
      const error = small - (sum - large);
      if (error !== 0) partials[keptRows++] = error;
      rest = sum;
    }
    partials.length = keptRows;
    partials.push(rest);
  }
  return partials.reduce((sum, partial) => sum + partial, 0);
}

/** Rounds to the 15 significant digits that numbers of the rule language have. */
const roundToDigits = (value: number): number => Number(value.toPrecision(15));

/** Reads the newest row that counts; older rows do not matter. */
function lastOf(
  aggregate: WindowAggregate,
  rows: WindowRows,
  bounds: WindowBounds,
  days: LocalDays,
): AggregateValue {
  const counts = rowCounter(aggregate, rows);
  const takenOf = valueReaderOf(aggregate, rows, days);
  const values: AggregateValue[] = [];
  rows.visit(bounds, aggregate.by.key, (row) => {
    const filterResult = counts(row);
    if (filterResult === 0) return false;
    values.push(filterResult === 2 ? UNSURE : toAggregateValue(takenOf(row)));
    return true;
  });
  return values[0] ?? (rows.cutsBefore(bounds.since) ? UNSURE : noRows(aggregate));
}

/** Reads the oldest row that counts. If the cap cut the window, the oldest row is unknown. */
function firstOf(
  aggregate: WindowAggregate,
  rows: WindowRows,
  bounds: WindowBounds,
  days: LocalDays,
): AggregateValue {
  if (rows.cutsBefore(bounds.since)) return UNSURE;
  const counts = rowCounter(aggregate, rows);
  const takenOf = valueReaderOf(aggregate, rows, days);
  let value = noRows(aggregate);
  rows.visit(bounds, aggregate.by.key, (row) => {
    const filterResult = counts(row);
    if (filterResult !== 0) value = filterResult === 2 ? UNSURE : toAggregateValue(takenOf(row));
    return false;
  });
  return value;
}

function toAggregateValue(value: RowValue): AggregateValue {
  if (value === undefined) return UNSURE;
  return value === null ? NO_VALUE : knownValue(value);
}
