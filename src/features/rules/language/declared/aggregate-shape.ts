import type { FeatureType, Unit } from '../vocabulary.js';
import type { AggregateFunction } from './aggregate-definition.js';

/** The values that a function accepts: these columns, and custom fields of these types. */
export interface FunctionShape {
  /** Columns or keys of a row, or `day`; the first is the default. Empty for a count, which has no value. */
  readonly of: readonly string[];
  readonly custom: readonly FeatureType[];
  /** True if more rows can only raise the value, so that it is a lower bound when rows were cut off. */
  readonly grows: boolean;
  /** True if the value may be missing, like the mean of no rows. */
  readonly nullable: boolean;
  readonly steps: number;
}

const AMOUNTS = { of: ['amountBrl'], custom: ['number'] } as const;
const DISTINCT_COLUMNS = [
  'counterparty',
  'customer',
  'device',
  'ip',
  'account',
  'card',
  'type',
  'channel',
  'currency',
  'origin.country',
  'destination.country',
  'day',
];
const PICKABLE_COLUMNS = [
  'occurredAt',
  'amountBrl',
  'type',
  'channel',
  'currency',
  'origin.country',
  'destination.country',
];

/** Accepted values of each function, and its steps per row in addition to reading the row. */
export const shapes: Readonly<Record<Exclude<AggregateFunction, 'ratio'>, FunctionShape>> = {
  count: { of: [], custom: [], grows: true, nullable: false, steps: 0 },
  // Amounts are above zero, so a sum over some rows is a lower bound. A custom field may be negative: if rows were cut
  // off, aggregate-value.ts reports its sum as unknown.
  sum: { ...AMOUNTS, grows: true, nullable: false, steps: 1 },
  min: { ...AMOUNTS, grows: false, nullable: true, steps: 1 },
  max: { ...AMOUNTS, grows: true, nullable: true, steps: 1 },
  mean: { ...AMOUNTS, grows: false, nullable: true, steps: 1 },
  sd: { ...AMOUNTS, grows: false, nullable: true, steps: 2 },
  percentile: { ...AMOUNTS, grows: false, nullable: true, steps: 4 },
  distinct: {
    of: DISTINCT_COLUMNS,
    custom: ['string', 'number', 'bool'],
    grows: true,
    nullable: false,
    steps: 2,
  },
  first: {
    of: PICKABLE_COLUMNS,
    custom: ['number', 'string', 'bool', 'time'],
    grows: false,
    nullable: true,
    steps: 1,
  },
  last: {
    of: PICKABLE_COLUMNS,
    custom: ['number', 'string', 'bool', 'time'],
    grows: false,
    nullable: true,
    steps: 1,
  },
};

const EVENT_COLUMNS = ['customer', 'device', 'ip', 'account', 'type', 'channel', 'day'];
const PICKABLE_EVENT_COLUMNS = ['occurredAt', 'type', 'channel'];

/** The same for windows of events, which have no amounts and no custom fields. */
export const eventShapes: Readonly<Partial<typeof shapes>> = {
  count: shapes.count,
  distinct: { ...shapes.distinct, of: EVENT_COLUMNS, custom: [] },
  first: { ...shapes.first, of: PICKABLE_EVENT_COLUMNS, custom: [] },
  last: { ...shapes.last, of: PICKABLE_EVENT_COLUMNS, custom: [] },
};

/** The type of a column that `first` and `last` take. */
export const pickedType = (name: string): FeatureType =>
  name === 'occurredAt' ? 'time' : name === 'amountBrl' ? 'number' : 'string';

export const unitOf = (name: AggregateFunction, of: string | null): Unit | null => {
  if (name === 'count' || name === 'distinct') return 'COUNT';
  if (name === 'ratio') return 'PERCENT';
  return of === 'amountBrl' ? 'BRL' : null;
};
