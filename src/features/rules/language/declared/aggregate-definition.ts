import type { Localised } from '../vocabulary.js';
import type { HouseField } from './house-field.js';

export const aggregateFunctions = [
  'count',
  'sum',
  'min',
  'max',
  'mean',
  'sd',
  'percentile',
  'distinct',
  'first',
  'last',
  'ratio',
] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

/** Keys that the transactions of a window have in common with the one that is evaluated; a field of the house may be a key too. */
export const aggregateKeys = [
  'customer',
  'document',
  'account',
  'counterparty',
  'device',
  'ip',
  'pair',
  'card',
] as const;
export type AggregateKey = (typeof aggregateKeys)[number];

/** A figure over earlier transactions that a rule declares, as it is written: `aggregate.NAME` in the texts of the rule. */
export interface AggregateDefinition {
  readonly function: AggregateFunction;
  /** The value that is added up, compared or told apart; of a ratio, the names of the two aggregates. Amounts are in reais. */
  readonly of?: string | readonly string[];
  /** Only of a percentile, 1 to 100. */
  readonly percentile?: number;
  /** The key whose transactions are meant; not of a ratio. */
  readonly by?: string;
  /** `30m`, `24h`, `90d`, `5bd` (business days) or `day` (the local day); not of a ratio. */
  readonly window?: string;
  /** The time from the end of the window to the transaction: `30d` with an offset of `1d` is days 31 to 1 before it. */
  readonly offset?: string;
  /** A condition over a row: only transactions that meet it count (docs/rule-language.md). */
  readonly where?: string;
  /** True, which is the default, if the transaction itself counts where it fits. */
  readonly current?: boolean;
  /** Its name in sentences; else it is described. */
  readonly label?: Localised;
}

export type Aggregates = Readonly<Record<string, AggregateDefinition>>;
/** The fields of the house that a rule reads, as they were when it was released, by name. */
export type HouseFields = Readonly<Record<string, HouseField>>;

/** The parts of a rule or dampener that declare something. */
export interface Declaring {
  readonly aggregates?: Aggregates;
  readonly house?: HouseFields;
}
