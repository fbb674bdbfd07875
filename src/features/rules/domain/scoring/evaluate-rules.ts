import {
  formatValue,
  type CompiledDampener,
  type CompiledRule,
  type Explanation,
  type FactSheet,
  type FactValue,
  type FeatureSchema,
  type LegalBasis,
  type Localised,
  type RuleDefinition,
  type RuleOutcome,
} from '../../language/index.js';
import type { CompiledRuleset } from '../compiled-ruleset.js';

/** Why a live rule does not count on a transaction. */
export type SuppressionReason = 'SNOOZED' | 'COOLDOWN';

/**
 * The effect of a verdict. COUNTED: points and outcome. SHADOW: none, the rule is only observed. SUPPRESSED, SNOOZED,
 * COOLDOWN: none, because of a dampener, an operator's snooze or the rule's own cooldown.
 */
export type VerdictEffect = 'COUNTED' | 'SHADOW' | 'SUPPRESSED' | SuppressionReason;

export interface RuleVerdict {
  readonly rule: CompiledRule;
  readonly result: RuleOutcome;
  readonly effect: VerdictEffect;
  /** The points of the hit, even if it has no effect; 0 without a hit. */
  readonly points: number;
  /** False if a tier with other points may also apply. */
  readonly pointsCertain: boolean;
  /** True if the evaluation of the rule threw. */
  readonly failed: boolean;
  readonly explanation: Explanation | null;
}

export interface DampenerVerdict {
  readonly dampener: CompiledDampener;
  readonly result: RuleOutcome;
  readonly effect: 'COUNTED' | 'SHADOW';
  readonly points: number;
  readonly explanation: Explanation | null;
}

export interface RuleResults {
  /** One per rule, in order. */
  readonly rules: readonly RuleVerdict[];
  readonly dampeners: readonly DampenerVerdict[];
}

export interface Reason {
  readonly ruleId: string;
  readonly version: number;
  readonly name: Localised;
  readonly reasonCode: string;
  readonly severity: RuleDefinition['severity'];
  /** Points before the cap of the group; negative for a dampener. */
  readonly points: number;
  readonly group: string;
  /** The observed values, by feature. */
  readonly observed: string | null;
  /** The parameters that the values were compared with. */
  readonly threshold: string;
  readonly window: string | null;
  /** True if an observed value is a lower bound. */
  readonly saturated: boolean;
  readonly flags: readonly string[];
  readonly message: Localised;
  readonly legalBasis: readonly LegalBasis[];
}

const NO_RULES: ReadonlyMap<string, SuppressionReason> = new Map();

/** Evaluates every rule and every dampener. Pure, and never throws: the same sheet gives the same verdicts. */
export function evaluateRules(
  ruleset: CompiledRuleset,
  sheet: FactSheet,
  silenced: ReadonlyMap<string, SuppressionReason> = NO_RULES,
): RuleResults {
  const dampeners = ruleset.dampeners.map((dampener): DampenerVerdict => {
    const { verdict, points, explanation } = dampener.evaluate(sheet);
    const effect = dampener.definition.mode === 'SHADOW' ? 'SHADOW' : 'COUNTED';
    return { dampener, result: verdict, effect, points: verdict === 'HIT' ? points : 0, explanation };
  });
  const suppressed = new Set(
    dampeners
      .filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED')
      .flatMap(({ dampener }) => dampener.definition.suppresses),
  );
  const effectOf = ({ definition: { key, mode } }: CompiledRule): VerdictEffect =>
    mode === 'SHADOW' ? 'SHADOW' : (silenced.get(key) ?? (suppressed.has(key) ? 'SUPPRESSED' : 'COUNTED'));
  const rules =
    silenced.size === 0 && suppressed.size === 0
      ? [...quietOf(ruleset)]
      : verdictsWithoutHit(ruleset, effectOf);
  for (const { index, rule, result } of ruleset.program.evaluate(sheet)) {
    const { verdict, points, pointsCertain, explanation, failed } = result;
    rules[index] = {
      rule,
      result: verdict,
      effect: effectOf(rule),
      points,
      pointsCertain,
      failed,
      explanation,
    };
  }
  return { rules, dampeners };
}

/** Verdicts of a ruleset without any hit, cached: nearly every transaction has nearly all of them. */
const quietVerdicts = new WeakMap<CompiledRuleset, readonly RuleVerdict[]>();

function quietOf(ruleset: CompiledRuleset): readonly RuleVerdict[] {
  let verdicts = quietVerdicts.get(ruleset);
  if (!verdicts) {
    verdicts = verdictsWithoutHit(ruleset, ({ definition }) =>
      definition.mode === 'SHADOW' ? 'SHADOW' : 'COUNTED',
    );
    quietVerdicts.set(ruleset, verdicts);
  }
  return verdicts;
}

const verdictsWithoutHit = (
  { rules }: CompiledRuleset,
  effectOf: (rule: CompiledRule) => VerdictEffect,
): RuleVerdict[] =>
  rules.map((rule) => ({
    rule,
    result: 'NO_HIT',
    effect: effectOf(rule),
    points: 0,
    pointsCertain: true,
    failed: false,
    explanation: null,
  }));

export function scoreReasonOf({ rule, points, explanation }: RuleVerdict, sheet: FactSheet): Reason {
  const { definition } = rule;
  const reasonInputs = readOf(explanation, definition.evidence, definition.parameters);
  return {
    ruleId: definition.key,
    version: definition.version,
    name: definition.name,
    reasonCode: definition.effect.reasonCode,
    severity: definition.severity,
    points,
    group: definition.score.group,
    ...observationOf(reasonInputs.features, rule.parts.schema, sheet),
    threshold: reasonInputs.parameters,
    flags: definition.flags,
    message: { 'pt-BR': rule.message(sheet, 'pt-BR'), en: rule.message(sheet, 'en') },
    legalBasis: definition.legalBasis,
  };
}

export function dampeningReasonOf(
  { dampener, points, explanation }: DampenerVerdict,
  sheet: FactSheet,
): Reason {
  const { definition } = dampener;
  const reasonInputs = readOf(explanation, [], definition.parameters);
  return {
    ruleId: definition.key,
    version: definition.version,
    name: definition.name,
    reasonCode: 'DAMPENER',
    severity: 'LOW',
    points,
    group: 'DAMPENER',
    ...observationOf(reasonInputs.features, dampener.schema, sheet),
    threshold: reasonInputs.parameters,
    flags: [],
    message: { 'pt-BR': dampener.message(sheet, 'pt-BR'), en: dampener.message(sheet, 'en') },
    legalBasis: [],
  };
}

/** Returns the features and parameters behind a hit: as its author named them, else from the true comparisons. */
function readOf(
  explanation: Explanation | null,
  evidence: RuleDefinition['evidence'],
  definitions: RuleDefinition['parameters'],
): { features: readonly string[]; parameters: string } {
  const features = new Set(evidence.map(({ feature }) => feature));
  const fromLeaves = features.size === 0;
  const parameters = new Map<string, FactValue>();
  for (const { result, values } of explanation?.leaves ?? []) {
    if (result !== 'TRUE') continue;
    for (const [name, value] of Object.entries(values)) {
      if (name.startsWith(PARAM)) parameters.set(name.slice(PARAM.length), value);
      else if (fromLeaves) features.add(name);
    }
  }
  return {
    features: [...features],
    parameters: [...parameters]
      .map(([name, value]) => `${name} = ${formatValue(value, 'en', definitions[name]?.unit ?? null)}`)
      .join(', '),
  };
}

const PARAM = 'param.';
const MAX_SHOWN_ITEMS = 10;
const MASK = '***';

function observationOf(
  names: readonly string[],
  schema: FeatureSchema,
  sheet: FactSheet,
): Pick<Reason, 'observed' | 'window' | 'saturated'> {
  const observed: string[] = [];
  const windows = new Set<string>();
  let saturated = false;
  for (const name of names) {
    const feature = schema.find(name);
    const value = feature ? sheet.valueAt(feature) : null;
    if (!feature || value === null) continue;
    const shownValue = Array.isArray(value) ? (value.slice(0, MAX_SHOWN_ITEMS) as FactValue) : value;
    observed.push(
      `${name} = ${feature.personal ? MASK : formatValue(shownValue, 'en', feature.unit, feature.type)}`,
    );
    if (feature.window !== null) windows.add(feature.window);
    saturated ||= sheet.saturated?.has(feature.slot) === true;
  }
  return {
    observed: observed.length > 0 ? observed.join(', ') : null,
    window: windows.size > 0 ? [...windows].join(', ') : null,
    saturated,
  };
}
