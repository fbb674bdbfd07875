import type { FactSheet, FeatureName } from '../../language/index.js';
import type { PublishedRuleset } from '../ruleset.js';
import type { ComponentFinding } from './component.js';
import {
  evaluate,
  type Evaluation,
  type EvaluationContext,
  type Evidence,
  type OtherFact,
} from './compose.js';
import { outcomes } from './outcome.js';

/** An evaluation with the evidence that it was made of. */
export interface EvaluationOf<E extends Evidence> {
  readonly evidence: E;
  readonly evaluation: Evaluation;
}

/**
 * Evaluates the evidence and, if a fact rests on one operator alone, evaluates it again as if that operator had not
 * acted. The graver result counts, with its evidence: what one person wrote down cannot make a result better.
 */
export function evaluateGravest<E extends Evidence>(
  evidence: E,
  ruleset: PublishedRuleset | null,
  context: EvaluationContext,
): EvaluationOf<E> {
  const asIs = { evidence, evaluation: evaluate(evidence, ruleset, context) };
  const other = withoutUnconfirmed(evidence);
  if (other === null) return asIs;
  const without = evaluate(other, ruleset, context);
  const [taken, left, evaluation] = isGraver(without, asIs.evaluation)
    ? [other, evidence, without]
    : [evidence, other, asIs.evaluation];
  const otherwise = factsOf(left.sheet, evidence.sheet.unconfirmed);
  return { evidence: { ...taken, ...(otherwise && { otherwise }) }, evaluation };
}

/** Returns the facts of a sheet in these slots by name; undefined if there are none. */
function factsOf(sheet: FactSheet, slots: FactSheet['unconfirmed']): Evidence['otherwise'] {
  const facts = [...(slots?.keys() ?? [])].flatMap((slot): [string, OtherFact][] => {
    const feature = sheet.schema.features[slot];
    if (!feature) return [];
    const fact = sheet.factAt(feature);
    return [[feature.name, fact.state === 'KNOWN' ? fact.value : fact]];
  });
  return facts.length > 0 ? Object.fromEntries(facts) : undefined;
}

/** Adds to a sheet the facts of the other evaluation, so that both evaluations are made again. */
export function restoreOtherwise(sheet: FactSheet, otherwise: NonNullable<Evidence['otherwise']>): void {
  for (const feature of sheet.schema.features) {
    const fact = otherwise[feature.name];
    if (fact === undefined) continue;
    const isReason = typeof fact === 'object' && 'reason' in fact;
    sheet.setUnconfirmedAt(feature, isReason ? fact : { state: 'KNOWN', value: fact, saturated: false });
  }
}

/**
 * Returns what a profile lacks; null if it has all that the law requires: financial capacity (income or revenue),
 * political exposure and the class of risk.
 */
export function profileGapOf(sheet: FactSheet): Pick<ComponentFinding, 'state' | 'reason'> | null {
  const lacks = (name: FeatureName): boolean => sheet.valueAt(sheet.schema.get(name)) === null;
  if (lacks('profile.monthlyIncome') && lacks('profile.monthlyRevenue')) {
    return { state: 'MISSING_INPUT', reason: 'NOT_DECLARED' };
  }
  if (lacks('profile.pep')) return { state: 'PARTIAL', reason: 'PEP_NOT_DECLARED' };
  if (lacks('profile.riskLevel')) return { state: 'PARTIAL', reason: 'NOT_CLASSIFIED' };
  return null;
}

/** Returns the evidence as if no operator had acted alone; null if none has. */
function withoutUnconfirmed<E extends Evidence>(evidence: E): E | null {
  const { sheet, findings } = evidence;
  const other = sheet.withoutUnconfirmed();
  if (other === null) return null;
  const PROFILE = findings.PROFILE && profileWithout(findings.PROFILE, other.sheet);
  return {
    ...evidence,
    sheet: other.sheet,
    findings: PROFILE ? { ...findings, PROFILE } : findings,
    // If an earlier result left these facts out, they count in this evaluation.
    unconfirmed: evidence.unconfirmed ? undefined : other.names,
  };
}

/** Returns the finding about a profile with the gap that its facts have now; a finding that failed stays as it is. */
function profileWithout(found: ComponentFinding, sheet: FactSheet): ComponentFinding {
  const gap = found.state === 'NO_HIT' || found.state === 'PARTIAL' ? profileGapOf(sheet) : null;
  return gap === null ? found : { ...found, ...gap };
}

/** Compares the outcome, then whether it is a refusal, then the score. */
function isGraver(one: Evaluation, other: Evaluation): boolean {
  const [a, b] = [severityKeyOf(one), severityKeyOf(other)];
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0);
}

const severityKeyOf = ({ outcome, recommendedAction, score }: Evaluation): readonly number[] => [
  outcomes.indexOf(outcome),
  recommendedAction === 'DECLINE' ? 1 : 0,
  score ?? -1,
];
