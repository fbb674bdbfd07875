import type { BoolClosure } from '../compile/closures.js';
import { FactSheet } from '../fact-sheet.js';
import { FAILED, type CompiledRule, type RuleResult } from './rule.js';
import type { FeatureSchema } from '../schema.js';

/** The result of a rule that hit or is indeterminate. */
export interface RuleFinding {
  readonly index: number;
  readonly rule: CompiledRule;
  readonly result: RuleResult;
}

/** The rules that can apply to transactions of one type and direction. */
interface Selection {
  readonly rules: readonly CompiledRule[];
  readonly indexes: readonly number[];
  readonly exact: readonly BoolClosure[];
  readonly careful: readonly BoolClosure[];
}

/** Types are an open set that callers choose from, so the cache is bounded. */
const MAX_CACHED = 1_024;
const NO_FINDINGS: readonly RuleFinding[] = Object.freeze([]);

/**
 * Evaluates rules together. The rules for a type and direction are selected once and cached, so that most transactions
 * need no more than one call for each of these rules.
 */
export class RuleProgram {
  private readonly selections = new Map<string, Map<string, Selection>>();
  private readonly typeSlot: number;
  private readonly directionSlot: number;
  private cachedCount = 0;

  constructor(
    readonly rules: readonly CompiledRule[],
    private readonly schema: FeatureSchema,
  ) {
    this.typeSlot = schema.get('type').slot;
    this.directionSlot = schema.get('direction').slot;
  }

  /** Returns every hit and indeterminate rule, in order; explanations only if `explaining` is true. Never throws. */
  evaluate(sheet: FactSheet, explaining = true): readonly RuleFinding[] {
    const { rules, indexes, exact, careful } = this.selectionFor(sheet);
    const conditions = sheet.saturated === null ? exact : careful;
    let findings: RuleFinding[] | null = null;
    for (let i = 0; i < conditions.length; i += 1) {
      const rule = rules[i];
      const result = rule && outcomeOf(rule, conditions[i], sheet, explaining);
      if (result && result.verdict !== 'NO_HIT') {
        (findings ??= []).push({ index: indexes[i] ?? i, rule, result });
      }
    }
    return findings ?? NO_FINDINGS;
  }

  private selectionFor(sheet: FactSheet): Selection {
    const [type = '', direction = ''] = [sheet.texts[this.typeSlot], sheet.texts[this.directionSlot]];
    return this.selections.get(type)?.get(direction) ?? this.select(type, direction);
  }

  private select(type: string, direction: string): Selection {
    if (this.cachedCount >= MAX_CACHED) this.selections.clear();
    this.cachedCount = this.selections.size === 0 ? 1 : this.cachedCount + 1;
    // Channel and currency stay unknown here; a rule checks them only if it would not be NO_HIT anyway.
    const emptySheet = new FactSheet(this.schema);
    if (type !== '') emptySheet.set('type', type);
    if (direction !== '') emptySheet.set('direction', direction);
    const rules = this.rules.filter(({ parts }) => parts.applies(emptySheet) !== 0);
    const selection = {
      rules,
      indexes: rules.map((rule) => this.rules.indexOf(rule)),
      exact: rules.map(({ parts }) => parts.condition.exact),
      careful: rules.map(({ parts }) => parts.condition.careful),
    };
    let ofType = this.selections.get(type);
    if (!ofType) this.selections.set(type, (ofType = new Map<string, Selection>()));
    ofType.set(direction, selection);
    return selection;
  }
}

function outcomeOf(
  rule: CompiledRule,
  condition: BoolClosure | undefined,
  sheet: FactSheet,
  explaining: boolean,
): RuleResult | null {
  try {
    const result = condition?.(sheet) ?? 0;
    return result === 0 ? null : rule.conclude(sheet, result, explaining);
  } catch {
    return FAILED;
  }
}
