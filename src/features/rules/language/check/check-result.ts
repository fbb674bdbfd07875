import type { FaultError } from '../syntax/diagnostics.js';
import type { FeatureSchema } from '../schema.js';
import type { Parameters, Type } from './types.js';

export interface CheckContext {
  readonly schema: FeatureSchema;
  readonly parameters?: Parameters;
  /** Ids of lists that exist; without it any id is accepted. */
  readonly lists?: ReadonlySet<string>;
}

export interface CheckedExpression {
  readonly type: Type;
  /** Steps that an evaluation takes at most. */
  readonly cost: number;
  readonly nodes: number;
  readonly depth: number;
  /** Names of the features that are read, sorted. */
  readonly features: readonly string[];
  /** Ids of the lists that the text reads, sorted. */
  readonly lists: readonly string[];
  readonly parameters: readonly string[];
}

export type CheckResult =
  | ({ readonly ok: true } & CheckedExpression)
  | { readonly ok: false; readonly faults: readonly FaultError[] };
