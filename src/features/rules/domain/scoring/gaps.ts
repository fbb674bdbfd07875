import {
  explainRule,
  featureSchema,
  type CompiledRule,
  type FactSheet,
  type InputName,
} from '../../language/index.js';
import type { CompiledRuleset } from '../compiled-ruleset.js';
import type { ComponentFinding } from './component.js';
import type { RuleVerdict } from './evaluate-rules.js';
import { inputForgone, lacksDocument, type Forgone } from './inputs.js';

/** An indeterminate rule, and the inputs that it lacked. */
export interface NotEvaluated {
  readonly ruleId: string;
  /** Features without a value, or with only a lower bound, in the order in which the rule reads them. */
  readonly missing: readonly string[];
}

/** A part of the submission that no rule can read. */
export type SubmissionGap = 'UNKNOWN_TYPE' | 'METADATA_IGNORED';

const TYPE = featureSchema.get('type');
const TYPE_KNOWN = featureSchema.get('typeKnown');
const DIRECTION = featureSchema.get('direction').slot;
const SAME_HOLDER = featureSchema.get('sameHolder').slot;
const [ORIGIN, DESTINATION] = [givenSlotsOf('origin'), givenSlotsOf('destination')];
const IGNORED = featureSchema.get('metadata.ignored');

/**
 * Returns the gaps of a submission: a type that neither the catalogue nor the ruleset names, and metadata that was
 * meant for rules but cannot be read. Older snapshots lack these facts and so have no gaps.
 */
export function submissionGaps(
  sheet: FactSheet,
  ruleset: Pick<CompiledRuleset, 'namesType'>,
): SubmissionGap[] {
  const gaps: SubmissionGap[] = [];
  if (sheet.bools[TYPE_KNOWN.slot] === 0 && !ruleset.namesType(sheet.texts[TYPE.slot] ?? '')) {
    gaps.push('UNKNOWN_TYPE');
  }
  if ((sheet.lists[IGNORED.slot]?.length ?? 0) > 0) gaps.push('METADATA_IGNORED');
  return gaps;
}

/** The gap as a reason of the finding about the rules, with the paths of ignored metadata. */
const gapReason = (gap: SubmissionGap, sheet: FactSheet): string =>
  gap === 'METADATA_IGNORED' ? `${gap}:${(sheet.lists[IGNORED.slot] ?? []).join('+')}` : gap;

/**
 * Returns the field that is missing to screen the counterparty. Null if neither submission nor ruleset requires a
 * counterparty, or the customer is on both sides. Abroad nobody has a CPF, so only the name is needed; so it is where
 * the application has said that it sends no document.
 */
export function counterpartyGap(
  sheet: FactSheet,
  { required, said }: Pick<Forgone, 'required' | 'said'>,
): 'COUNTERPARTY_NOT_NAMED' | 'COUNTERPARTY_WITHOUT_DOCUMENT' | null {
  const { bools, texts } = sheet;
  const other = texts[DIRECTION] === 'IN' ? ORIGIN : DESTINATION;
  if (bools[SAME_HOLDER] === 1) return null;
  const isThere =
    required.includes('COUNTERPARTY') ||
    [other.name, other.document, other.account].some((part) => bools[part] === 1);
  if (!isThere) return null;
  if (bools[other.name] === 0) return 'COUNTERPARTY_NOT_NAMED';
  const isHere = (texts[other.country] ?? 'BR') === 'BR';
  if (said.includes('COUNTERPARTY_DOCUMENT')) return null;
  return bools[other.document] === 0 && isHere ? 'COUNTERPARTY_WITHOUT_DOCUMENT' : null;
}

/** Adds the inputs that were said not to come and for want of which the other party or an open rule was looked at less. */
export function addForgone(
  forgone: Set<InputName>,
  open: readonly CompiledRule[],
  sheet: FactSheet,
  needs: Pick<Forgone, 'required' | 'said'>,
): void {
  if (needs.said.length === 0) return;
  if (needs.said.includes('COUNTERPARTY_DOCUMENT') && lacksDocument(sheet)) {
    if (counterpartyGap(sheet, { required: needs.required, said: [] })) forgone.add('COUNTERPARTY_DOCUMENT');
  }
  for (const rule of open) {
    for (const name of missingInputs(rule, sheet)) {
      const feature = rule.parts.schema.find(name);
      const input = feature && inputForgone(feature, sheet, needs.said);
      if (input) forgone.add(input);
    }
  }
}

/** Returns the inputs that an indeterminate rule lacks; empty when its evaluation threw. */
export function missingInputs(rule: CompiledRule, sheet: FactSheet): readonly string[] {
  const missing = new Set<string>();
  for (const { result, unknown, saturated } of explainRule(rule, sheet).leaves) {
    if (result !== 'UNKNOWN') continue;
    for (const name of Object.keys(unknown)) missing.add(name);
    for (const name of saturated) missing.add(name);
  }
  if (missing.size > 0) return [...missing];
  // The condition has all of its inputs, so a tier or the direction lacks one.
  return [
    ...new Set([
      ...rule.compiled.features,
      ...(rule.definition.appliesTo.directions.length < 2 ? ['direction'] : []),
    ]),
  ].filter((name) => isUnknown(rule, sheet, name));
}

function isUnknown({ parts }: CompiledRule, sheet: FactSheet, name: string): boolean {
  const feature = parts.schema.find(name);
  return (
    feature !== undefined && (sheet.valueAt(feature) === null || sheet.saturated?.has(feature.slot) === true)
  );
}

/**
 * True if an indeterminate rule makes the composition partial. It does not if each missing input is optional: the rule
 * has `onIndeterminate: RECORD` and its evidence marks the input as not required, the channel is exempt from the
 * input's component, or the application has said that it does not send the input. An input whose source failed, or of
 * which only a lower bound is known, is never optional.
 */
export function isDecisiveGap(
  rule: CompiledRule,
  sheet: FactSheet,
  { exemptByChannel, said }: Pick<Forgone, 'exemptByChannel' | 'said'>,
): boolean {
  const { onIndeterminate, evidence } = rule.definition;
  const missingNames = missingInputs(rule, sheet);
  return (
    missingNames.length === 0 ||
    !missingNames.every((name) => {
      const feature = rule.parts.schema.find(name);
      if (!feature || sheet.valueAt(feature) !== null) return false;
      if (exemptByChannel.includes(feature.component)) return true;
      if (inputForgone(feature, sheet, said)) return true;
      const { state } = sheet.reasonAt(feature.slot);
      const absent = state === 'MISSING' || state === 'SKIPPED';
      return (
        absent &&
        onIndeterminate === 'RECORD' &&
        evidence.some((one) => one.feature === name && !one.required)
      );
    })
  );
}

/**
 * Returns the state of RULES: ERROR if a rule failed, PARTIAL if rules cannot read the submission or an undecided rule
 * is decisive, else NO_HIT.
 */
export function rulesFinding(
  verdicts: readonly RuleVerdict[],
  sheet: FactSheet,
  needs: Pick<Forgone, 'exemptByChannel' | 'said'> & { readonly gaps: readonly SubmissionGap[] },
  source: string,
  asOf: string,
): ComponentFinding {
  const failed = verdicts.find((verdict) => verdict.failed && verdict.effect !== 'SHADOW');
  if (failed) {
    return { state: 'ERROR', source, asOf, reason: `${failed.rule.definition.key}:RULE_FAILED` };
  }
  const [gap] = needs.gaps;
  if (gap) return { state: 'PARTIAL', source, asOf, reason: gapReason(gap, sheet) };
  const undecided = verdicts.find((verdict) => isOpen(verdict) && isDecisiveGap(verdict.rule, sheet, needs));
  if (!undecided) return { state: 'NO_HIT', source, asOf };
  return { state: 'PARTIAL', source, asOf, reason: `${undecided.rule.definition.key}:${causeOf(undecided)}` };
}

/** True for a live rule that is indeterminate, or a hit whose points are uncertain. */
export const isOpen = ({ effect, result, pointsCertain }: RuleVerdict): boolean =>
  effect !== 'SHADOW' && (result === 'INDETERMINATE' || (result === 'HIT' && !pointsCertain));

function causeOf({ result, explanation }: RuleVerdict): string {
  if (result === 'HIT') return 'POINTS_UNCERTAIN';
  for (const leaf of explanation?.leaves ?? []) {
    const [name] = Object.keys(leaf.unknown);
    if (name !== undefined) return leaf.unknown[name]?.reason ?? 'UNKNOWN';
    if (leaf.result === 'UNKNOWN' && leaf.saturated.length > 0) return 'SATURATED';
  }
  return 'UNKNOWN';
}

/** Returns the slots of the facts that record which parts of a participant were sent. */
function givenSlotsOf(
  side: 'origin' | 'destination',
): Readonly<Record<'name' | 'document' | 'account' | 'country', number>> {
  return {
    name: featureSchema.get(`${side}.nameGiven`).slot,
    document: featureSchema.get(`${side}.documentGiven`).slot,
    account: featureSchema.get(`${side}.accountGiven`).slot,
    country: featureSchema.get(`${side}.country`).slot,
  };
}
