import { applyRules, type Reason, type RuleVerdict } from './evaluate.js';
import { componentNames, type Component, type ComponentName, type Evidence } from './facts.js';
import type { PublishedRuleset, Rule, RulesetContent } from './ruleset.js';

export type Composition = 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';
export type RiskLevel = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
export type Outcome = 'APPROVED' | 'REVIEW' | 'REJECTED';
export type RecommendedAction = Rule['recommend'];

/** The result of an evaluation: a score, what it is made of, and whether it can be defended. */
export interface Evaluation {
  readonly score: number | null;
  readonly level: RiskLevel | null;
  readonly composition: Composition;
  readonly components: Readonly<Partial<Record<ComponentName, Component>>>;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  readonly reasons: readonly Reason[];
  readonly verdicts: readonly RuleVerdict[];
  readonly contradictions: readonly string[];
  readonly required: readonly ComponentName[];
}

const ACTION_RANK: readonly RecommendedAction[] = ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'];

/**
 * Evaluates the evidence against a ruleset. What is missing is never a zero: without a ruleset there is no score at
 * all, and without a required component the score is informational and a person decides.
 */
export function evaluate(
  evidence: Evidence,
  ruleset: PublishedRuleset | null,
  trailIntact: boolean,
  asOf: string,
): Evaluation {
  if (!ruleset) return withoutRuleset(evidence, asOf, trailIntact);
  const { content } = ruleset;
  const verdicts = applyRules(content.rules, evidence.facts);
  const hits = verdicts.filter((verdict) => verdict.result === 'HIT');
  const score = scoreOf(hits, content);
  const components = settle(evidence, verdicts, ruleset, asOf);
  const required = requiredFor(content, evidence.facts.type);
  const reasonsAgainst = [
    ...required.flatMap((name) => shortfall(name, components[name])),
    ...evidence.contradictions.map((code) => `CONTRADICTION_${code}`),
    ...(trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE']),
  ];
  const composition = compositionOf(evidence, required, components);
  const defensible = reasonsAgainst.length === 0;
  const forced = hits.some((hit) => hit.rule.minOutcome === 'REVIEW');
  return {
    score,
    level: levelOf(score, content),
    composition,
    components,
    defensible,
    nonDefensibleReasons: reasonsAgainst,
    outcome: defensible && !forced && score < content.scoring.reviewAt ? 'APPROVED' : 'REVIEW',
    recommendedAction: strongest(hits),
    reasons: hits.map(reasonOf),
    verdicts,
    contradictions: evidence.contradictions,
    required,
  };
}

function withoutRuleset(evidence: Evidence, asOf: string, trailIntact: boolean): Evaluation {
  const rules: Component = {
    state: 'ERROR',
    source: 'rulesets',
    asOf,
    points: 0,
    reason: 'NO_PUBLISHED_RULESET',
  };
  const found = Object.entries(evidence.components).map(([name, component]) => [
    name,
    { ...component, points: 0 },
  ]);
  return {
    score: null,
    level: null,
    composition: 'MISSING',
    components: { ...(Object.fromEntries(found) as Evaluation['components']), RULES: rules },
    defensible: false,
    nonDefensibleReasons: ['RULES_ERROR', ...(trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE'])],
    outcome: 'REVIEW',
    recommendedAction: 'NONE',
    reasons: [],
    verdicts: [],
    contradictions: evidence.contradictions,
    required: ['RULES'],
  };
}

/** Sum over families of min(cap, sum of points), at most 100. */
function scoreOf(hits: readonly RuleVerdict[], content: RulesetContent): number {
  const families = new Map<string, number>();
  for (const { rule } of hits) families.set(rule.family, (families.get(rule.family) ?? 0) + rule.points);
  const caps = content.scoring.familyCaps;
  let sum = 0;
  for (const [family, points] of families) sum += Math.min(points, caps[family] ?? caps['default'] ?? 100);
  return Math.min(100, sum);
}

function levelOf(score: number, { scoring: { bands } }: RulesetContent): RiskLevel {
  if (score >= bands.CRITICAL) return 'CRITICAL';
  if (score >= bands.HIGH) return 'HIGH';
  return score >= bands.MEDIUM ? 'MEDIUM' : 'LOW';
}

/** The final state of every component: what its provider found, then what the rules made of it. */
function settle(
  evidence: Evidence,
  verdicts: readonly RuleVerdict[],
  ruleset: PublishedRuleset,
  asOf: string,
): Partial<Record<ComponentName, Component>> {
  const undecided = verdicts.filter((verdict) => verdict.result === 'INDETERMINATE');
  const partial = undecided.find((verdict) => verdict.rule.onIndeterminate === 'PARTIAL');
  const settled: Partial<Record<ComponentName, Component>> = {};
  for (const name of componentNames) {
    const own = verdicts.filter((verdict) => name === 'RULES' || verdict.rule.component === name);
    const hits = own.filter((verdict) => verdict.result === 'HIT');
    const points = name === 'RULES' ? 0 : hits.reduce((sum, hit) => sum + hit.rule.points, 0);
    const found =
      name === 'RULES'
        ? { state: 'NO_HIT' as const, source: `${ruleset.content.key}@${ruleset.content.version}`, asOf }
        : evidence.components[name];
    if (!found) continue;
    const complete = found.state === 'NO_HIT' || found.state === 'HIT';
    const state = complete && hits.length > 0 ? 'HIT' : found.state;
    settled[name] =
      name === 'RULES' && partial
        ? { ...found, state: 'PARTIAL', points, reason: `${partial.rule.id}:${partial.reason ?? 'UNKNOWN'}` }
        : { ...found, state, points };
  }
  return settled;
}

const requiredFor = (content: RulesetContent, type: string): readonly ComponentName[] =>
  content.requiredComponents[type] ?? content.requiredComponents['*'] ?? componentNames;

function shortfall(name: ComponentName, component: Component | undefined): string[] {
  if (!component) return [`${name}_MISSING`];
  return component.state === 'HIT' || component.state === 'NO_HIT' ? [] : [`${name}_${component.state}`];
}

function compositionOf(
  evidence: Evidence,
  required: readonly ComponentName[],
  components: Partial<Record<ComponentName, Component>>,
): Composition {
  if (evidence.contradictions.length > 0) return 'INCONSISTENT';
  return required.some((name) => shortfall(name, components[name]).length > 0) ? 'PARTIAL' : 'COMPLETE';
}

function strongest(hits: readonly RuleVerdict[]): RecommendedAction {
  const ranks = hits.map((hit) => ACTION_RANK.indexOf(hit.rule.recommend));
  return ACTION_RANK[Math.max(0, ...ranks)] ?? 'NONE';
}

const reasonOf = ({ rule, observed, threshold, window, saturated }: RuleVerdict): Reason => ({
  ruleId: rule.id,
  version: rule.version,
  points: rule.points,
  observed,
  threshold,
  window,
  saturated,
  message: rule.message,
  legalBasis: rule.legalBasis,
});
