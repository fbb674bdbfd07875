import { componentNames, type ComponentName, type FactSheet, type RuleAction } from '../language/index.js';
import { isWhole, type Component, type ComponentState, type Finding, type Findings } from './component.js';
import {
  dampeningOf,
  judge,
  reasonOf,
  type DampenerVerdict,
  type Reason,
  type RuleVerdict,
  type Silence,
} from './judge.js';
import type { PublishedRuleset, RulesetContent } from './ruleset.js';
import { levelOf, scoreOf, totalOf, type GroupScore, type RiskLevel } from './score.js';
import { isCovered, requestedActions, type RequestedAction } from './requested-action.js';

export type Composition = 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';
export type Outcome = 'APPROVED' | 'REVIEW' | 'REJECTED';
export type RecommendedAction = RulesetContent['rules'][number]['effect']['recommend'];

/** What is known about a transaction before any rule has looked. */
export interface Evidence {
  readonly sheet: FactSheet;
  readonly findings: Findings;
  /** Facts that contradict each other, by code. */
  readonly contradictions: readonly string[];
}

/** What an evaluation depends on beside the evidence and the ruleset. */
export interface Circumstances {
  /** The audit trail of the transaction begins with what the transaction committed to. */
  readonly trailIntact: boolean;
  /** The moment of the evaluation (ISO 8601). */
  readonly asOf: string;
  /** Rules that are not to count now, and why. */
  readonly silenced?: ReadonlyMap<string, Silence>;
}

/** The result of an evaluation: a score, what it is made of, and whether it can be defended. */
export interface Evaluation {
  /** Null without a ruleset: a missing score is never a zero. */
  readonly score: number | null;
  readonly level: RiskLevel | null;
  /** What the score is the sum of. */
  readonly groups: readonly GroupScore[];
  readonly dampening: number;
  readonly composition: Composition;
  readonly components: Readonly<Partial<Record<ComponentName, Component>>>;
  readonly required: readonly ComponentName[];
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  readonly reasons: readonly Reason[];
  /** What hits mean beside their points, such as a cash report that is due. */
  readonly flags: readonly string[];
  /** What rules ask for; sessions and reviews carry it out. */
  readonly actions: readonly RequestedAction[];
  readonly rules: readonly RuleVerdict[];
  /** How many rules were asked. */
  readonly ruleCount: number;
  readonly dampeners: readonly DampenerVerdict[];
  readonly contradictions: readonly string[];
}

const ACTION_RANK: readonly RecommendedAction[] = ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'];
/** Without these there is no composition at all, only what happened to be there. */
const FOUNDATIONS: readonly ComponentName[] = ['RULES', 'LISTS'];

/**
 * Evaluates the evidence against a ruleset. Pure. What is missing is never a zero: without a ruleset there is no score
 * at all, and without a required component the score is informational and a person decides.
 */
export function evaluate(
  evidence: Evidence,
  ruleset: PublishedRuleset | null,
  circumstances: Circumstances,
): Evaluation {
  if (!ruleset) return withoutRuleset(evidence, circumstances);
  const { sheet } = evidence;
  const { compiled, content } = ruleset;
  const { rules, dampeners } = judge(compiled, sheet, circumstances.silenced);
  const counted = rules.filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED');
  const { score, groups, dampening } = scoreOf(rules, dampeners, content.scoring);
  const required = requiredOf(compiled, sheet);
  const components = settle(evidence, rules, required, ruleset, circumstances.asOf);
  const contradictions = [
    ...evidence.contradictions,
    ...(totalOf(groups, dampening) === score ? [] : ['SCORE_IS_NOT_ITS_SUM']),
  ];
  const against = [
    ...required.flatMap((name) => shortfall(name, components[name])),
    ...contradictions.map((code) => `CONTRADICTION_${code}`),
    ...(circumstances.trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE']),
  ];
  const defensible = against.length === 0;
  const forced = counted.some(({ rule }) => rule.definition.effect.minOutcome === 'REVIEW');
  return {
    score,
    level: levelOf(score, content.scoring),
    groups,
    dampening,
    composition: compositionOf(contradictions, required, components),
    components,
    required,
    defensible,
    nonDefensibleReasons: against,
    outcome: defensible && !forced && score < content.scoring.reviewAt ? 'APPROVED' : 'REVIEW',
    recommendedAction: strongest(counted, sheet),
    reasons: [
      ...counted.map((verdict) => reasonOf(verdict, sheet)),
      ...dampeners
        .filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED')
        .map((verdict) => dampeningOf(verdict, sheet)),
    ],
    flags: [...new Set(counted.flatMap(({ rule }) => rule.definition.flags))],
    actions: requestedActions(counted.flatMap(actionsOf), sheet),
    rules,
    ruleCount: compiled.rules.length,
    dampeners,
    contradictions,
  };
}

const actionsOf = ({ rule }: RuleVerdict): { ruleId: string; action: RuleAction }[] =>
  rule.definition.actions.map((action) => ({ ruleId: rule.definition.key, action }));

function withoutRuleset(
  { findings, contradictions }: Evidence,
  { asOf, trailIntact }: Circumstances,
): Evaluation {
  const components: Partial<Record<ComponentName, Component>> = {};
  for (const name of componentNames) {
    const found = findings[name];
    if (found) components[name] = { points: 0, ...found };
  }
  components.RULES = { state: 'ERROR', source: 'rulesets', asOf, points: 0, reason: 'NO_PUBLISHED_RULESET' };
  return {
    score: null,
    level: null,
    groups: [],
    dampening: 0,
    composition: 'MISSING',
    components,
    required: ['RULES'],
    defensible: false,
    nonDefensibleReasons: ['RULES_ERROR', ...(trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE'])],
    outcome: 'REVIEW',
    recommendedAction: 'NONE',
    reasons: [],
    flags: [],
    actions: [],
    rules: [],
    ruleCount: 0,
    dampeners: [],
    contradictions,
  };
}

function requiredOf(compiled: PublishedRuleset['compiled'], sheet: FactSheet): readonly ComponentName[] {
  const { schema } = sheet;
  const type = sheet.texts[schema.get('type').slot] ?? '';
  const currency = sheet.texts[schema.get('currency').slot] ?? '';
  const amountBrl = sheet.numbers[schema.get('amountBrl').slot] ?? NaN;
  return compiled.requiredFor(type, currency, Number.isNaN(amountBrl) ? null : amountBrl);
}

/** The final state of every component: what its provider found, then what became of its facts, then of its rules. */
function settle(
  { sheet, findings }: Evidence,
  verdicts: readonly RuleVerdict[],
  required: readonly ComponentName[],
  { content }: PublishedRuleset,
  asOf: string,
): Partial<Record<ComponentName, Component>> {
  const failures = failedFacts(sheet);
  const pointsOf = new Map<ComponentName, number>();
  for (const { rule, result, effect, points } of verdicts) {
    if (result !== 'HIT' || effect !== 'COUNTED') continue;
    const { component } = rule.definition;
    pointsOf.set(component, (pointsOf.get(component) ?? 0) + points);
  }
  const settled: Partial<Record<ComponentName, Component>> = {};
  for (const name of componentNames) {
    const found: Finding =
      name === 'RULES'
        ? rulesFinding(verdicts, required, `${content.key}@${content.version}`, asOf)
        : (findings[name] ?? nobodyLooked(required.includes(name), asOf));
    const failure = failures?.get(name);
    const sound = failure && isWhole(found.state) ? { ...found, ...failure } : found;
    const isHit = name === 'RULES' ? pointsOf.size > 0 : pointsOf.has(name);
    const points = name === 'RULES' ? 0 : (pointsOf.get(name) ?? 0);
    settled[name] = {
      points,
      ...sound,
      state: isWhole(sound.state) && isHit ? 'HIT' : sound.state,
    };
  }
  return settled;
}

const NO_PROVIDER = 'NO_PROVIDER';

const nobodyLooked = (isRequired: boolean, asOf: string): Finding => ({
  state: isRequired ? 'MISSING_INPUT' : 'SKIPPED',
  source: 'none',
  asOf,
  reason: NO_PROVIDER,
});

/** Components of which a fact failed or was too old to ask; a provider that says NO_HIT may not have noticed. */
function failedFacts(
  sheet: FactSheet,
): ReadonlyMap<ComponentName, { state: ComponentState; reason: string }> | null {
  let failed: Map<ComponentName, { state: ComponentState; reason: string }> | null = null;
  // By slot, not in the order in which they happened to be set: a replay sets them in another one.
  const { unknowns } = sheet;
  for (let slot = 0; slot < unknowns.length; slot += 1) {
    const unknown = unknowns[slot];
    if (unknown?.state !== 'ERROR' && unknown?.state !== 'STALE') continue;
    const { state, reason } = unknown;
    const feature = sheet.schema.features[slot];
    if (!feature) continue;
    failed ??= new Map();
    if (failed.get(feature.component)?.state === 'ERROR') continue;
    failed.set(feature.component, {
      state: state === 'ERROR' ? 'ERROR' : 'STALE_SOURCE',
      reason: `${feature.name}:${reason}`,
    });
  }
  return failed;
}

/** What the rules themselves came to: an error, or one that could not be decided and matters, makes it less than whole. */
function rulesFinding(
  verdicts: readonly RuleVerdict[],
  required: readonly ComponentName[],
  source: string,
  asOf: string,
): Finding {
  const live = verdicts.filter(({ effect }) => effect !== 'SHADOW');
  const failed = live.find((verdict) => verdict.failed);
  if (failed) {
    return { state: 'ERROR', source, asOf, reason: `${failed.rule.definition.key}:RULE_FAILED` };
  }
  const undecided = live.find((verdict) => matters(verdict, required) && !isDecided(verdict));
  if (!undecided) return { state: 'NO_HIT', source, asOf };
  return { state: 'PARTIAL', source, asOf, reason: `${undecided.rule.definition.key}:${causeOf(undecided)}` };
}

const isDecided = ({ result, pointsCertain }: RuleVerdict): boolean =>
  result !== 'INDETERMINATE' && (result !== 'HIT' || pointsCertain);

/** By its own word, or because it reads a component that this transaction must have. */
function matters({ rule }: RuleVerdict, required: readonly ComponentName[]): boolean {
  const { onIndeterminate, component } = rule.definition;
  return onIndeterminate === 'PARTIAL' || (component !== 'RULES' && required.includes(component));
}

function causeOf({ result, explanation }: RuleVerdict): string {
  if (result === 'HIT') return 'POINTS_UNCERTAIN';
  for (const leaf of explanation?.leaves ?? []) {
    const [name] = Object.keys(leaf.unknown);
    if (name !== undefined) return leaf.unknown[name]?.reason ?? 'UNKNOWN';
    if (leaf.result === 'UNKNOWN' && leaf.saturated.length > 0) return 'SATURATED';
  }
  return 'UNKNOWN';
}

function shortfall(name: ComponentName, component: Component | undefined): string[] {
  if (!component) return [`${name}_MISSING`];
  return isWhole(component.state) ? [] : [`${name}_${component.state}`];
}

function compositionOf(
  contradictions: readonly string[],
  required: readonly ComponentName[],
  components: Partial<Record<ComponentName, Component>>,
): Composition {
  if (contradictions.length > 0) return 'INCONSISTENT';
  const absent = FOUNDATIONS.some(
    (name) => required.includes(name) && components[name]?.reason === NO_PROVIDER,
  );
  if (absent) return 'MISSING';
  return required.some((name) => shortfall(name, components[name]).length > 0) ? 'PARTIAL' : 'COMPLETE';
}

/** A step-up that has been done is recommended no more; what else the rules recommend stands. */
function strongest(hits: readonly RuleVerdict[], sheet: FactSheet): RecommendedAction {
  const ranks = hits.map(({ rule: { definition } }) => {
    const { recommend } = definition.effect;
    const done = recommend === 'STEP_UP' && definition.actions.some((action) => isCovered(action, sheet));
    return ACTION_RANK.indexOf(done ? 'NONE' : recommend);
  });
  return ACTION_RANK[Math.max(0, ...ranks)] ?? 'NONE';
}
