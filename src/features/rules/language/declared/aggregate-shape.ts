import type { FeatureType, Unit } from '../vocabulary.js';
import type { AggregateFunction } from './aggregate-definition.js';

/** Values that a function may be of, beside fields of the house of these types. */
export interface Shape {
  /** Columns of a row, keys of it, or `day`; the first is meant where none is named. Empty: of nothing. */
  readonly of: readonly string[];
  readonly house: readonly FeatureType[];
  /** A larger value of which rows were cut off stays a lower bound. */
  readonly grows: boolean;
  /** There may be none: of no rows there is no mean. */
  readonly nullable: boolean;
  readonly steps: number;
}

const AMOUNTS = { of: ['amountBrl'], house: ['number'] } as const;
const TOLD_APART = [
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
const PICKED = [
  'occurredAt',
  'amountBrl',
  'type',
  'channel',
  'currency',
  'origin.country',
  'destination.country',
];

/** Says of each function what it may be of, and what it costs for each row beside looking at it. */
export const shapes: Readonly<Record<Exclude<AggregateFunction, 'ratio'>, Shape>> = {
  count: { of: [], house: [], grows: true, nullable: false, steps: 0 },
  // Amounts are above zero; a sum of a field of the house is not, so of that one nothing is a bound.
  sum: { ...AMOUNTS, grows: true, nullable: false, steps: 1 },
  min: { ...AMOUNTS, grows: false, nullable: true, steps: 1 },
  max: { ...AMOUNTS, grows: true, nullable: true, steps: 1 },
  mean: { ...AMOUNTS, grows: false, nullable: true, steps: 1 },
  sd: { ...AMOUNTS, grows: false, nullable: true, steps: 2 },
  percentile: { ...AMOUNTS, grows: false, nullable: true, steps: 4 },
  distinct: {
    of: TOLD_APART,
    house: ['string', 'number', 'bool'],
    grows: true,
    nullable: false,
    steps: 2,
  },
  first: {
    of: PICKED,
    house: ['number', 'string', 'bool', 'time'],
    grows: false,
    nullable: true,
    steps: 1,
  },
  last: { of: PICKED, house: ['number', 'string', 'bool', 'time'], grows: false, nullable: true, steps: 1 },
};

/** The type of a column that `first` and `last` take. */
export const pickedType = (name: string): FeatureType =>
  name === 'occurredAt' ? 'time' : name === 'amountBrl' ? 'number' : 'string';

export const unitOf = (name: AggregateFunction, of: string | null): Unit | null => {
  if (name === 'count' || name === 'distinct') return 'COUNT';
  if (name === 'ratio') return 'PERCENT';
  return of === 'amountBrl' ? 'BRL' : null;
};
