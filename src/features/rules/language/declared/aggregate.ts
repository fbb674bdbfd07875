import type { Bool } from '../compile/closures.js';
import type { DeclaredFeature, Feature, FeatureSchema } from '../schema.js';
import type { AggregateFunction, AggregateKey } from './aggregate-definition.js';
import type { HouseField } from './house-field.js';
import type { AggregateWindow } from './window.js';

/** Tells of a row whether it counts. Its columns are set in a sheet of the schema, then it is asked. */
export interface RowFilter {
  readonly schema: FeatureSchema;
  /** The columns that it reads. */
  readonly columns: readonly Feature[];
  readonly condition: Bool;
}

/** The value that is taken of a row; `house` where it is a field of the house. */
export interface RowValue {
  readonly name: string;
  readonly house: HouseField | null;
}

/** A figure over the rows of one window. */
export interface WindowAggregate extends DeclaredFeature {
  readonly kind: 'AGGREGATE';
  readonly function: Exclude<AggregateFunction, 'ratio'>;
  /** Null of a count. */
  readonly of: RowValue | null;
  readonly percentile: number | null;
  readonly by: { readonly key: AggregateKey } | { readonly key: 'house'; readonly house: HouseField };
  readonly window: AggregateWindow;
  readonly offsetMs: number;
  readonly includesCurrent: boolean;
  readonly filter: RowFilter | null;
  /** Steps that it takes at most, that of its filter and that of reading what only it reads included. */
  readonly cost: number;
}

/** One aggregate over another one of the same ruleset. */
export interface RatioAggregate extends DeclaredFeature {
  readonly kind: 'AGGREGATE';
  readonly function: 'ratio';
  /** Identities. */
  readonly parts: readonly [string, string];
  readonly cost: number;
}

export type Aggregate = WindowAggregate | RatioAggregate;

export const isAggregate = (declared: DeclaredFeature): declared is Aggregate =>
  declared.kind === 'AGGREGATE';
