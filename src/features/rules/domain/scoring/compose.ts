import {
  componentNames,
  type ComponentName,
  type FactSheet,
  type FeatureSchema,
  type FactValue,
  type InputName,
  type RuleAction,
  type UnknownState,
} from '../../language/index.js';
import {
  isComplete,
  marks,
  type ScoreComponent,
  type ComponentState,
  type ComponentFinding,
  type ComponentFindings,
  type IntegrityFlag,
} from './component.js';
import {
  dampeningReasonOf,
  evaluateRules,
  scoreReasonOf,
  type DampenerVerdict,
  type Reason,
  type RuleVerdict,
  type SuppressionReason,
} from './evaluate-rules.js';
import type { PublishedRuleset } from '../ruleset.js';
import { forgoneOf, inputsForgone, type Forgone } from './inputs.js';
import {
  addForgone,
  counterpartyGap,
  isOpen,
  missingInputs,
  rulesFinding,
  submissionGaps,
  type NotEvaluated,
  type SubmissionGap,
} from './gaps.js';
import { riskLevelOfScore, scoreOf, totalPointsOf, type GroupScore, type RiskLevel } from './score.js';
import { challengeReasons } from './challenge-reason.js';
import { unconfirmedReasons } from './unconfirmed-reason.js';
import {
  stepUpsStateOf,
  decideOutcome,
  hasUndecidedHit,
  type ChallengeFlows,
  type Outcome,
  type RecommendedAction,
} from './outcome.js';
import { requestedActions, type RequestedAction } from './requested-action.js';

/** The version of the evaluation formula, bound into receipts; a changed formula gets the next number. */
export const FORMULA = 5;

/**
 * Formulas whose receipts a replay reproduces. Formula 3 did not consider undecided hits, formula 4 not what an
 * application has said not to send. Facts stored under them contain neither, so formula 5 reproduces their receipts.
 */
export const knownFormulas: readonly number[] = [3, 4, FORMULA];

export type Composition = 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';

/** Everything known about a transaction before rules are evaluated. */
export interface Evidence {
  readonly sheet: FactSheet;
  readonly findings: ComponentFindings;
  /** Facts that contradict each other, by code. */
  readonly contradictions: readonly string[];
  /** Names of facts that were left out because one operator alone stands behind them. */
  readonly unconfirmed?: readonly string[] | undefined;
  /** Facts of the evaluation that was not taken (`evaluateGravest`), by name: those that one operator alone changed. */
  readonly otherwise?: Readonly<Record<string, OtherFact>> | undefined;
}

/** A value, or why there is none. */
export type OtherFact = FactValue | { readonly state: UnknownState; readonly reason: string };

/** The inputs of an evaluation beside the evidence and the ruleset. */
export interface EvaluationContext {
  /** True if the audit trail begins with the entry whose hash the transaction stores. */
  readonly trailIntact: boolean;
  /** The moment of the evaluation (ISO 8601). */
  readonly asOf: string;
  /** Rules that do not count now, and why. */
  readonly silenced?: ReadonlyMap<string, SuppressionReason>;
  /** Marks of the ruleset, its custom fields and its snoozes. */
  readonly marks?: readonly IntegrityFlag[] | undefined;
  /** States of the transaction's step-up sessions, by flow. Without them, every customer can still be asked. */
  readonly challengeFlows?: ChallengeFlows | undefined;
}

/** The result of an evaluation: a score, its summands, and whether it is defensible. */
export interface Evaluation {
  /** Null if there was no ruleset: a missing score is never zero. */
  readonly score: number | null;
  readonly level: RiskLevel | null;
  /** The summands of the score, beside `dampening`. */
  readonly groups: readonly GroupScore[];
  readonly dampening: number;
  readonly composition: Composition;
  readonly components: Readonly<Partial<Record<ComponentName, ScoreComponent>>>;
  readonly required: readonly ComponentName[];
  /** Components that are not required: the ruleset exempts the channel, or the application does not send the input. */
  readonly exempt: readonly ComponentName[];
  /** Inputs that the application has said not to send, and that this evaluation lacked. */
  readonly withoutInputs: readonly InputName[];
  /** Indeterminate live rules, with the inputs that they lacked. */
  readonly notEvaluated: readonly NotEvaluated[];
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly outcome: Outcome;
  readonly recommendedAction: RecommendedAction;
  /** True if the score, a rule or an undecided hit requires a review; false if only a missing input does. */
  readonly judgedByRules: boolean;
  readonly reasons: readonly Reason[];
  /** Flags of the counted rules, such as a cash report that is due. */
  readonly flags: readonly string[];
  /** The actions that rules ask for; sessions and reviews carry them out. */
  readonly actions: readonly RequestedAction[];
  readonly rules: readonly RuleVerdict[];
  readonly ruleCount: number;
  readonly dampeners: readonly DampenerVerdict[];
  readonly contradictions: readonly string[];
}

/** Without these components the composition is MISSING, even if all others are complete. */
const FOUNDATIONS: readonly ComponentName[] = ['RULES', 'LISTS'];

/**
 * Evaluates the evidence against a ruleset. Pure. A missing input never counts as zero: without a ruleset there is no
 * score at all, and without a required component the score is informational and a person decides.
 */
export function evaluate(
  evidence: Evidence,
  ruleset: PublishedRuleset | null,
  context: EvaluationContext,
): Evaluation {
  if (!ruleset) return withoutRuleset(evidence, context);
  const { compiled, content } = ruleset;
  const sheet = evidence.sheet.withSchema(compiled.schema);
  const { rules, dampeners } = evaluateRules(compiled, sheet, context.silenced);
  const countedVerdicts = rules.filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED');
  const { score, groups, dampening } = scoreOf(rules, dampeners, content.scoring);
  const needs = forgoneOf(compiled.requiredFor(sheet), sheet, evidence.findings);
  const { required, exempt } = needs;
  const gaps = submissionGaps(sheet, compiled);
  const components = settleComponents(
    { ...evidence, sheet },
    rules,
    { ...needs, gaps },
    ruleset,
    context.asOf,
  );
  const contradictions = [
    ...evidence.contradictions,
    ...(totalPointsOf(groups, dampening) === score ? [] : ['SCORE_IS_NOT_ITS_SUM']),
  ];
  const against = [
    ...required.flatMap((name) => shortfall(name, components[name])),
    ...gaps,
    ...contradictions.map((code) => `CONTRADICTION_${code}`),
    ...(context.trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE']),
    ...marksOf(evidence.findings, context.marks),
  ];
  const defensible = against.length === 0;
  const open = rules.filter(isOpen).map(({ rule }) => rule);
  const forgone = new Set<InputName>();
  addForgone(forgone, open, sheet, needs);
  const actions = requestedActions(countedVerdicts.flatMap(actionsOf), sheet);
  const { challengeFlows } = context;
  const definitions = countedVerdicts.map(({ rule }) => rule.definition);
  const conclusion = decideOutcome({
    score,
    reviewAt: content.scoring.reviewAt,
    defensible,
    undecidedHit: hasUndecidedHit(sheet),
    counted: definitions,
    challenge: stepUpsStateOf(definitions, actions, challengeFlows),
  });
  return {
    score,
    level: riskLevelOfScore(score, content.scoring),
    groups,
    dampening,
    composition: compositionOf(contradictions, required, components),
    components,
    required,
    exempt,
    withoutInputs: inputsForgone(needs, forgone),
    notEvaluated: open.map((rule) => ({
      ruleId: rule.definition.key,
      missing: missingInputs(rule, sheet),
    })),
    defensible,
    nonDefensibleReasons: against,
    ...conclusion,
    reasons: [
      ...countedVerdicts.map((verdict) => scoreReasonOf(verdict, sheet)),
      ...dampeners
        .filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED')
        .map((verdict) => dampeningReasonOf(verdict, sheet)),
      ...challengeReasons(countedVerdicts, actions, challengeFlows, sheet),
      ...unconfirmedReasons(evidence.unconfirmed ?? []),
    ],
    flags: [...new Set(countedVerdicts.flatMap(({ rule }) => rule.definition.flags))],
    actions,
    rules,
    ruleCount: compiled.rules.length,
    dampeners,
    contradictions,
  };
}

/** Returns the marks of the findings and the ruleset; each makes the result not defensible. */
const marksOf = (findings: ComponentFindings, own: readonly IntegrityFlag[] = []): string[] =>
  marks.filter(
    (mark) => own.includes(mark) || componentNames.some((name) => findings[name]?.marks?.includes(mark)),
  );

const actionsOf = ({ rule }: RuleVerdict): { ruleId: string; action: RuleAction }[] =>
  rule.definition.actions.map((action) => ({ ruleId: rule.definition.key, action }));

/** The state of RULES when the published ruleset was altered in the database: nothing is evaluated with it. */
export const RULESET_ALTERED = { state: 'ERROR', source: 'rulesets', reason: 'RULESET_ALTERED' } as const;

function withoutRuleset(
  { findings, contradictions }: Evidence,
  { asOf, trailIntact }: EvaluationContext,
): Evaluation {
  const components: Partial<Record<ComponentName, ScoreComponent>> = {};
  for (const name of componentNames) {
    const finding = findings[name];
    if (finding) components[name] = { points: 0, ...finding };
  }
  components.RULES ??= {
    state: 'ERROR',
    source: 'rulesets',
    asOf,
    points: 0,
    reason: 'NO_PUBLISHED_RULESET',
  };
  return {
    score: null,
    level: null,
    groups: [],
    dampening: 0,
    composition: 'MISSING',
    components,
    required: ['RULES'],
    exempt: [],
    withoutInputs: [],
    notEvaluated: [],
    defensible: false,
    nonDefensibleReasons: [
      'RULES_ERROR',
      ...(trailIntact ? [] : ['AUDIT_TRAIL_INCOMPLETE']),
      ...marksOf(findings),
    ],
    outcome: 'REVIEW',
    recommendedAction: 'HOLD',
    judgedByRules: false,
    reasons: [],
    flags: [],
    actions: [],
    rules: [],
    ruleCount: 0,
    dampeners: [],
    contradictions,
  };
}

/** Returns the state of every component: that of its provider, worse if a fact failed, HIT if a rule counted. */
function settleComponents(
  { sheet, findings }: Evidence,
  verdicts: readonly RuleVerdict[],
  needs: Needs,
  { content, compiled }: PublishedRuleset,
  asOf: string,
): Partial<Record<ComponentName, ScoreComponent>> {
  const failures = failedFacts(sheet, compiled.schema);
  const pointsOf = new Map<ComponentName, number>();
  for (const { rule, result, effect, points } of verdicts) {
    if (result !== 'HIT' || effect !== 'COUNTED') continue;
    const { component } = rule.definition;
    pointsOf.set(component, (pointsOf.get(component) ?? 0) + points);
  }
  const settled: Partial<Record<ComponentName, ScoreComponent>> = {};
  for (const name of componentNames) {
    const finding: ComponentFinding =
      name === 'RULES'
        ? rulesFinding(verdicts, sheet, needs, `${content.key}@${content.version}`, asOf)
        : (findings[name] ?? missingFinding(needs.required.includes(name), asOf));
    const failure = failures?.get(name) ?? (name === 'LISTS' ? screeningGapOf(sheet, needs) : undefined);
    const sound = failure && isComplete(finding.state) ? { ...finding, ...failure } : finding;
    const isHit = name === 'RULES' ? pointsOf.size > 0 : pointsOf.has(name);
    const points = name === 'RULES' ? 0 : (pointsOf.get(name) ?? 0);
    settled[name] = {
      points,
      ...sound,
      state: isComplete(sound.state) && isHit ? 'HIT' : sound.state,
    };
  }
  return settled;
}

/** The components that a ruleset requires for a transaction, and the gaps of its submission. */
interface Needs extends Forgone {
  readonly gaps: readonly SubmissionGap[];
}

function screeningGapOf(
  sheet: FactSheet,
  needs: Needs,
): (Pick<ComponentFinding, 'state'> & { reason: string }) | undefined {
  const reason = counterpartyGap(sheet, needs);
  return reason === null ? undefined : { state: 'PARTIAL', reason };
}

const NO_PROVIDER = 'NO_PROVIDER';

const missingFinding = (isRequired: boolean, asOf: string): ComponentFinding => ({
  state: isRequired ? 'MISSING_INPUT' : 'SKIPPED',
  source: 'none',
  asOf,
  reason: NO_PROVIDER,
});

/** Returns components with a failed or stale fact: a provider may report NO_HIT without noticing the failure. */
function failedFacts(
  { unknowns }: FactSheet,
  { features }: FeatureSchema,
): ReadonlyMap<ComponentName, { state: ComponentState; reason: string }> | null {
  let failed: Map<ComponentName, { state: ComponentState; reason: string }> | null = null;
  // The slots give the order: a replay sets facts in another order and must report the same fact.
  for (let slot = 0; slot < features.length; slot += 1) {
    const unknown = unknowns[slot];
    if (unknown?.state !== 'ERROR' && unknown?.state !== 'STALE') continue;
    const { state, reason } = unknown;
    const feature = features[slot];
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

function shortfall(name: ComponentName, component: ScoreComponent | undefined): string[] {
  if (!component) return [`${name}_MISSING`];
  return isComplete(component.state) ? [] : [`${name}_${component.state}`];
}

function compositionOf(
  contradictions: readonly string[],
  required: readonly ComponentName[],
  components: Partial<Record<ComponentName, ScoreComponent>>,
): Composition {
  if (contradictions.length > 0) return 'INCONSISTENT';
  const absent = FOUNDATIONS.some(
    (name) => required.includes(name) && components[name]?.reason === NO_PROVIDER,
  );
  if (absent) return 'MISSING';
  return required.some((name) => shortfall(name, components[name]).length > 0) ? 'PARTIAL' : 'COMPLETE';
}
