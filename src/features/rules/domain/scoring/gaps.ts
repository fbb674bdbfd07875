import {
  explainRule,
  featureSchema,
  type CompiledRule,
  type ComponentName,
  type FactSheet,
} from '../../language/index.js';
import type { CompiledRuleset, Requirements } from '../compiled-ruleset.js';

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
export const gapReason = (gap: SubmissionGap, sheet: FactSheet): string =>
  gap === 'METADATA_IGNORED' ? `${gap}:${(sheet.lists[IGNORED.slot] ?? []).join('+')}` : gap;

/**
 * Returns the field that is missing to screen the counterparty. Null if neither submission nor ruleset requires a
 * counterparty, or the customer is on both sides. Abroad nobody has a CPF, so only the name is needed.
 */
export function counterpartyGap(
  sheet: FactSheet,
  { required }: Pick<Requirements, 'required'>,
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
  return bools[other.document] === 0 && isHere ? 'COUNTERPARTY_WITHOUT_DOCUMENT' : null;
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
 * has `onIndeterminate: RECORD` and its evidence marks the input as not required, or the channel is exempt from the
 * input's component. An input whose source failed, or of which only a lower bound is known, is never optional.
 */
export function isDecisiveGap(
  rule: CompiledRule,
  sheet: FactSheet,
  exempt: readonly ComponentName[],
): boolean {
  const { onIndeterminate, evidence } = rule.definition;
  const missingNames = missingInputs(rule, sheet);
  return (
    missingNames.length === 0 ||
    !missingNames.every((name) => {
      const feature = rule.parts.schema.find(name);
      if (!feature || sheet.valueAt(feature) !== null) return false;
      if (exempt.includes(feature.component)) return true;
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
