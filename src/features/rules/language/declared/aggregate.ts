import type { BoolClosure } from '../compile/closures.js';
import type { DeclaredFeature, Feature, FeatureSchema } from '../schema.js';
import type { CustomerEventType } from '../../../../platform/kernel/reference/customer-events.js';
import type { AggregateFunction, AggregateKey } from './aggregate-definition.js';
import type { CustomField } from './custom-field.js';
import type { AggregateWindow } from './window.js';

/** Decides if a row counts. The columns of the row are set in a sheet of `schema`, which the condition reads. */
export interface RowFilter {
  /** Equal for filters that decide every row alike. */
  readonly identity: string;
  readonly schema: FeatureSchema;
  readonly columns: readonly Feature[];
  readonly condition: BoolClosure;
}

/** The value that a function reads of a row; `field` if it is a custom field. */
export interface RowValue {
  readonly name: string;
  readonly field: CustomField | null;
}

/** A figure over the rows of one window. */
export interface WindowAggregate extends DeclaredFeature {
  readonly kind: 'AGGREGATE';
  readonly function: Exclude<AggregateFunction, 'ratio'>;
  /** Null for a count. */
  readonly of: RowValue | null;
  /** The types of events that are the rows of the window; null if the rows are transactions. */
  readonly events: readonly CustomerEventType[] | null;
  readonly percentile: number | null;
  readonly by: { readonly key: AggregateKey } | { readonly key: 'custom'; readonly field: CustomField };
  readonly window: AggregateWindow;
  readonly offsetMs: number;
  readonly includesCurrent: boolean;
  readonly filter: RowFilter | null;
  /** Maximum number of steps, including its filter and the columns that only it reads. */
  readonly cost: number;
}

/** One aggregate divided by another one of the same ruleset. */
export interface RatioAggregate extends DeclaredFeature {
  readonly kind: 'AGGREGATE';
  readonly function: 'ratio';
  /** Identities of the two aggregates. */
  readonly parts: readonly [string, string];
  readonly cost: number;
}

export type Aggregate = WindowAggregate | RatioAggregate;

export const isAggregate = (declared: DeclaredFeature): declared is Aggregate =>
  declared.kind === 'AGGREGATE';
