import type { Localised } from '../vocabulary.js';
import type { CustomField } from './custom-field.js';

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

/** Keys that the transactions of a window share with the evaluated one; a custom field may also be a key. */
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

/** Keys that the events of a window share with the evaluated transaction. */
export const eventKeys = ['customer', 'account', 'device', 'ip'] as const satisfies readonly AggregateKey[];
export type EventKey = (typeof eventKeys)[number];

/** A figure over earlier transactions that a rule declares; `aggregate.NAME` in the texts of the rule. */
export interface AggregateDefinition {
  readonly function: AggregateFunction;
  /** The value to sum, compare or count distinct; for a ratio the names of the two aggregates. Amounts are in reais. */
  readonly of?: string | readonly string[];
  /**
   * Types of events of customers (a login, a changed password): the figure is over these events in the place of
   * transactions.
   */
  readonly events?: readonly string[];
  /** Only for a percentile: 1 to 100. */
  readonly percentile?: number;
  /** The key of the transactions to read; not for a ratio. */
  readonly by?: string;
  /** `30m`, `24h`, `90d`, `5bd` (business days) or `day` (the local day); not for a ratio. */
  readonly window?: string;
  /** The time from the end of the window to the transaction: `30d` with an offset of `1d` is days 31 to 1 before it. */
  readonly offset?: string;
  /** A condition over a row: only transactions that meet it count (docs/rule-language.md). */
  readonly where?: string;
  /** True (default) if the evaluated transaction itself counts, provided that it matches. */
  readonly current?: boolean;
  /** The name in sentences; by default a description of the figure. */
  readonly label?: Localised;
}

export type Aggregates = Readonly<Record<string, AggregateDefinition>>;
/** Custom fields that a rule reads, by name, as they were when the rule was released. */
export type CustomFields = Readonly<Record<string, CustomField>>;

/** The parts of a rule or dampener that declare something. */
export interface DeclaringDefinition {
  readonly aggregates?: Aggregates;
  readonly customFields?: CustomFields;
}
