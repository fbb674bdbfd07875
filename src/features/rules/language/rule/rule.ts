import type { TernaryValue } from '../compile/closures.js';
import { explain } from './explanation.js';
import type { FactSheet } from '../fact-sheet.js';
import type { DampenerDefinition, RuleDefinition } from './rule-definition.js';
import {
  RuleCompilation,
  runCondition,
  type CompiledText,
  type CompiledParts,
  type RuleContext,
} from './rule-draft.js';
import type { FeatureSchema } from '../schema.js';
import type { Diagnostic, Explanation, Language, Truth, RuleOutcome } from '../vocabulary.js';

export interface RuleResult {
  readonly verdict: RuleOutcome;
  /** The points of a hit, 0 otherwise. */
  readonly points: number;
  /** False when a tier could not be excluded because its condition is unknown. */
  readonly pointsCertain: boolean;
  /** Null for NO_HIT, and if no explanation was requested. */
  readonly explanation: Explanation | null;
  /** True when the evaluation threw; then the verdict is INDETERMINATE. */
  readonly failed: boolean;
}

/** A rule that can be evaluated. Immutable; one instance serves any number of evaluations. */
export interface CompiledRule {
  readonly definition: RuleDefinition;
  readonly compiled: CompiledText;
  readonly parts: CompiledParts;
  /** Evaluates the rule. Never throws, and takes no more steps than its cost. */
  evaluate(sheet: FactSheet): RuleResult;
  /**
   * Returns the result for a condition with the value `met`; throws where `evaluate` returns `failed`. Callers that
   * only count set `explaining` to false.
   */
  conclude(sheet: FactSheet, met: TernaryValue, explaining?: boolean): RuleResult;
  /** The reason in words, with the values of the sheet. */
  message(sheet: FactSheet, language: Language): string;
}

export interface CompiledDampener {
  readonly definition: DampenerDefinition;
  readonly compiled: CompiledText;
  /** The features under the names that the texts use. */
  readonly schema: FeatureSchema;
  evaluate(sheet: FactSheet): RuleResult;
  message(sheet: FactSheet, language: Language): string;
}

export type CompileResult<T> =
  | { readonly ok: true; readonly rule: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The shared result of all rules that do not hit. */
export const NO_HIT: RuleResult = Object.freeze({
  verdict: 'NO_HIT',
  points: 0,
  pointsCertain: true,
  explanation: null,
  failed: false,
});
/** The result if an evaluation throws (no case is known). A person decides, because a retry cannot help. */
export const FAILED: RuleResult = Object.freeze({
  ...NO_HIT,
  verdict: 'INDETERMINATE',
  explanation: { leaves: [] },
  failed: true,
});

/** Checks a rule and compiles it to closures; no code is ever generated from its text. */
export function compileRule(definition: RuleDefinition, context: RuleContext): CompileResult<CompiledRule> {
  const draft = new RuleCompilation(definition, context);
  const tiers = (definition.score.tiers ?? []).map(({ when, points }, i) => ({
    condition: draft.condition(when, `score.tiers.${i}.when`),
    points,
  }));
  draft.checkRule(definition);
  const parts = draft.finish(definition.when, definition.message);
  if (!parts) return { ok: false, diagnostics: draft.diagnostics };
  const pointsOf = (sheet: FactSheet): Points => {
    let pointsCertain = true;
    for (const { condition, points } of tiers) {
      const result = condition ? runCondition(condition, sheet) : 2;
      if (result === 1) return { points, pointsCertain };
      if (result === 2) pointsCertain = false;
    }
    return { points: definition.score.points, pointsCertain };
  };
  return {
    ok: true,
    rule: {
      definition,
      compiled: draft.compiledText(),
      message: parts.message,
      parts,
      ...evaluationOf(parts, pointsOf),
    },
  };
}

export function compileDampener(
  definition: DampenerDefinition,
  context: RuleContext,
): CompileResult<CompiledDampener> {
  const draft = new RuleCompilation(definition, context);
  if (definition.points > 0) draft.refuse('points', 'A dampener takes points away.', 'a number of at most 0');
  const parts = draft.finish(definition.when, definition.message);
  if (!parts) return { ok: false, diagnostics: draft.diagnostics };
  const dampening = { points: definition.points, pointsCertain: true };
  return {
    ok: true,
    rule: {
      definition,
      compiled: draft.compiledText(),
      schema: parts.schema,
      message: parts.message,
      evaluate: evaluationOf(parts, () => dampening).evaluate,
    },
  };
}

type Points = Pick<RuleResult, 'points' | 'pointsCertain'>;

function evaluationOf(
  { applies, condition }: CompiledParts,
  pointsOf: (sheet: FactSheet) => Points,
): Pick<CompiledRule, 'evaluate' | 'conclude'> {
  const conclude = (sheet: FactSheet, met: TernaryValue, explaining = true): RuleResult => {
    const concerned = met === 0 ? 0 : applies(sheet);
    if (concerned === 0) return NO_HIT;
    const explanation = explaining ? explain(condition.leaves, sheet) : null;
    if (met === 2 || concerned === 2) {
      return { verdict: 'INDETERMINATE', points: 0, pointsCertain: true, explanation, failed: false };
    }
    const { points, pointsCertain } = pointsOf(sheet);
    return { verdict: 'HIT', points, pointsCertain, explanation, failed: false };
  };
  return {
    conclude,
    evaluate: (sheet) => {
      try {
        return applies(sheet) === 0 ? NO_HIT : conclude(sheet, runCondition(condition, sheet));
      } catch {
        return FAILED;
      }
    },
  };
}

/** Explains each comparison of a rule, even without a hit; for people who inspect one transaction. */
export const explainRule = ({ parts }: CompiledRule, sheet: FactSheet): Explanation =>
  explain(parts.condition.leaves, sheet);

/** Returns if a rule applies to such a transaction; UNKNOWN when a deciding fact is unknown. */
export const ruleApplies = ({ parts }: CompiledRule, sheet: FactSheet): Truth =>
  (['FALSE', 'TRUE', 'UNKNOWN'] as const)[parts.applies(sheet)];
