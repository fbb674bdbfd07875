import {
  featureSchema,
  inputNames,
  type ComponentName,
  type FactSheet,
  type Feature,
  type InputName,
} from '../../language/index.js';
import { table } from '../../../../platform/kernel/table.js';
import type { Requirements } from '../compiled-ruleset.js';
import type { ComponentFindings, ComponentState } from './component.js';

/** The needs of a transaction, less what its application has said not to send. */
export interface Forgone {
  /** The inputs that were said not to come. One that came all the same is used as ever. */
  readonly said: readonly InputName[];
  /** The components that the ruleset needs, without those that lack such an input. */
  readonly required: readonly ComponentName[];
  /** The components that the ruleset needs on other channels only, then those that lack such an input. */
  readonly exempt: readonly ComponentName[];
  /** Components that the ruleset needs on other channels only. */
  readonly exemptByChannel: readonly ComponentName[];
}

const WITHOUT = featureSchema.get('application.without').slot;
const NOTHING: readonly InputName[] = Object.freeze([]);

const COMPONENTS: Readonly<Record<InputName, ComponentName | null>> = {
  DICT: 'DICT',
  DEVICE: 'DEVICE_IP',
  PROFILE: 'PROFILE',
  COUNTERPARTY_DOCUMENT: null,
};

/** Reasons of windows that have no key. */
const REASONS: Readonly<Record<string, InputName>> = table({ NO_DEVICE_KEY: 'DEVICE', NO_IP_KEY: 'DEVICE' });

/** Facts that need the document of the other party. */
const OF_DOCUMENT: ReadonlySet<string> = new Set([
  'sameHolder',
  'counterparty.isCustomer',
  'counterparty.confirmedFraud',
  'counterparty.openCases',
]);
const [DIRECTION, FROM, TO] = (
  ['direction', 'origin.documentGiven', 'destination.documentGiven'] as const
).map((name) => featureSchema.get(name).slot) as [number, number, number];

/** The inputs that the application of a transaction has said not to send; none in facts of before. */
export function inputsNotSent({ lists }: Pick<FactSheet, 'lists'>): readonly InputName[] {
  const said = lists[WITHOUT];
  return said === undefined || said.length === 0 ? NOTHING : inputNames.filter((one) => said.includes(one));
}

/**
 * Returns what a complete composition needs, less what was said not to come and did not. A source that failed, or an
 * input that was sent and cannot be read, is needed as ever.
 */
export function forgoneOf(
  { required, exempt }: Requirements,
  sheet: FactSheet,
  findings: ComponentFindings,
): Forgone {
  const said = inputsNotSent(sheet);
  if (said.length === 0) return { said, required, exempt, exemptByChannel: exempt };
  const lacking = said.flatMap((input) => {
    const component = COMPONENTS[input];
    const isForgone =
      component !== null &&
      required.includes(component) &&
      isAbsent(findings[component]?.state) &&
      !hasFailed(sheet, component);
    return isForgone ? [component] : [];
  });
  return {
    said,
    required: required.filter((name) => !lacking.includes(name)),
    exempt: [...exempt, ...lacking],
    exemptByChannel: exempt,
  };
}

const isAbsent = (state: ComponentState | undefined): boolean =>
  state === undefined || state === 'MISSING_INPUT' || state === 'PARTIAL';

const hasFailed = ({ schema, unknowns }: FactSheet, component: ComponentName): boolean =>
  schema.features.some(({ slot, component: own }) => {
    const state = own === component ? unknowns[slot]?.state : undefined;
    return state === 'ERROR' || state === 'STALE';
  });

/** Returns the input for want of which a fact has no value, if it was said not to come; else null. */
export function inputForgone(
  { name, slot, component }: Feature,
  sheet: FactSheet,
  said: readonly InputName[],
): InputName | null {
  if (said.length === 0) return null;
  const { state, reason } = sheet.reasonAt(slot);
  if (state !== 'MISSING' && state !== 'SKIPPED') return null;
  const input =
    REASONS[reason] ??
    said.find((one) => COMPONENTS[one] === component) ??
    (OF_DOCUMENT.has(name) && lacksDocument(sheet) ? 'COUNTERPARTY_DOCUMENT' : null);
  return input !== null && said.includes(input) ? input : null;
}

/** True if nobody sent a document of the other party; a masked one was sent. */
export const lacksDocument = ({ texts, bools }: FactSheet): boolean =>
  bools[texts[DIRECTION] === 'IN' ? FROM : TO] === 0;

/** Returns the inputs that a result did without, in their order: of exempt components, undecided rules and parties. */
export const inputsForgone = (
  { exempt, exemptByChannel, said }: Forgone,
  undecided: ReadonlySet<InputName>,
): readonly InputName[] =>
  said.filter((input) => {
    const component = COMPONENTS[input];
    return (
      undecided.has(input) ||
      (component !== null && exempt.includes(component) && !exemptByChannel.includes(component))
    );
  });

/** Returns the input that a feature is read from, or null. */
export const inputOfFeature = ({ name, component }: Pick<Feature, 'name' | 'component'>): InputName | null =>
  OF_DOCUMENT.has(name)
    ? 'COUNTERPARTY_DOCUMENT'
    : (inputNames.find((input) => COMPONENTS[input] === component) ?? null);

/** The component that an input is about; null for the document of a party. */
export const componentOfInput = (input: InputName): ComponentName | null => COMPONENTS[input];
