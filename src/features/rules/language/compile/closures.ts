import type { Parameters } from '../check/types.js';
import type { FactSheet } from '../fact-sheet.js';
import type { FeatureSchema } from '../schema.js';

/** 0 false, 1 true, 2 unknown: small integers, which the engine compares fastest. */
export type TernaryValue = 0 | 1 | 2;
export type BoolClosure = (sheet: FactSheet) => TernaryValue;
/** NaN is unknown. */
export type NumericClosure = (sheet: FactSheet) => number;
export type TextClosure = (sheet: FactSheet) => string | undefined;
export type Item = number | string;
export type Items = (sheet: FactSheet) => readonly Item[] | undefined;

export type CompiledExpression =
  | { readonly type: 'bool'; readonly run: BoolClosure; readonly constant: boolean | null }
  | {
      readonly type: 'number' | 'time';
      readonly run: NumericClosure;
      readonly constant: number | null;
      /** The slot of a field that is read without a computation. */
      readonly slot?: number;
    }
  | { readonly type: 'string'; readonly run: TextClosure; readonly constant: string | null }
  | { readonly type: 'numbers' | 'strings'; readonly run: Items; readonly constant: readonly Item[] | null };

export interface CompileContext {
  readonly schema: FeatureSchema;
  readonly parameters: Parameters;
  /** SATURATED distinguishes lower bounds from exact values: slower, only needed if a sheet has lower bounds. */
  readonly minding: 'EXACT' | 'SATURATED';
}
