import type { FactSheet, FeatureName } from '../../language/index.js';
import type { PublishedRuleset } from '../ruleset.js';
import type { ComponentFinding } from './component.js';
import { evaluate, type Evaluation, type EvaluationContext, type Evidence } from './compose.js';
import { outcomes } from './outcome.js';

/** An evaluation with the evidence that it was made of. */
export interface EvaluationOf<E extends Evidence> {
  readonly evidence: E;
  readonly evaluation: Evaluation;
}

/**
 * Evaluates as things are and, if a fact rests on one operator alone, once more as if that operator had not acted. The
 * graver result counts, with the evidence that it was made of: what one person put there cannot make a result better.
 */
export function evaluateGravest<E extends Evidence>(
  evidence: E,
  ruleset: PublishedRuleset | null,
  context: EvaluationContext,
): EvaluationOf<E> {
  const asIs = { evidence, evaluation: evaluate(evidence, ruleset, context) };
  const other = withoutUnconfirmed(evidence);
  if (other === null) return asIs;
  const without = { evidence: other, evaluation: evaluate(other, ruleset, context) };
  return isGraver(without.evaluation, asIs.evaluation) ? without : asIs;
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
  const { features } = sheet.schema;
  const names = [...(sheet.unconfirmed?.keys() ?? [])].flatMap((slot) => features[slot]?.name ?? []);
  const PROFILE = findings.PROFILE && profileWithout(findings.PROFILE, other);
  return {
    ...evidence,
    sheet: other,
    findings: PROFILE ? { ...findings, PROFILE } : findings,
    unconfirmed: names.sort(),
  };
}

/** Returns the finding about a profile with the gap that its facts have now; a finding that failed stays as it is. */
function profileWithout(found: ComponentFinding, sheet: FactSheet): ComponentFinding {
  const gap = found.state === 'NO_HIT' || found.state === 'PARTIAL' ? profileGapOf(sheet) : null;
  return gap === null ? found : { ...found, ...gap };
}

/** Compares the outcome, then whether it is a refusal, then the score. */
function isGraver(one: Evaluation, other: Evaluation): boolean {
  const [a, b] = [gravityOf(one), gravityOf(other)];
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0);
}

const gravityOf = ({ outcome, recommendedAction, score }: Evaluation): readonly number[] => [
  outcomes.indexOf(outcome),
  recommendedAction === 'DECLINE' ? 1 : 0,
  score ?? -1,
];
