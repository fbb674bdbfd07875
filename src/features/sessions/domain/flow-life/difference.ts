import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import type { FlowDefinition } from '../flow/flow.js';

/** The changes in a new version of a flow, for its approver: ids of steps, and names of other fields. */
export interface FlowDifference {
  readonly stepsAdded: readonly string[];
  readonly stepsChanged: readonly string[];
  readonly stepsRemoved: readonly string[];
  readonly stepsMoved: readonly string[];
  readonly alsoChanged: readonly string[];
}

/** Compares a flow with the version that it replaces. If there is none, everything counts as added. */
export function compareFlows(before: FlowDefinition | null, after: FlowDefinition): FlowDifference {
  const had = new Map((before?.steps ?? []).map((step) => [step.id, canonicalJson(step)]));
  const has = new Map(after.steps.map((step) => [step.id, canonicalJson(step)]));
  const both = [...has.keys()].filter((id) => had.has(id));
  const places = [...had.keys()].filter((id) => has.has(id));
  const [old, now] = [membersOf(before), membersOf(after)];
  return {
    stepsAdded: [...has.keys()].filter((id) => !had.has(id)),
    stepsChanged: both.filter((id) => had.get(id) !== has.get(id)),
    stepsRemoved: [...had.keys()].filter((id) => !has.has(id)),
    stepsMoved: both.filter((id, i) => places[i] !== id),
    alsoChanged: [...new Set([...old.keys(), ...now.keys()])].filter(
      (name) => old.get(name) !== now.get(name),
    ),
  };
}

const membersOf = (flow: FlowDefinition | null): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(flow ?? {})
      // An omitted field may be present in a body as undefined.
      .filter(([name, value]) => name !== 'steps' && value !== undefined)
      .map(([name, value]) => [name, canonicalJson(value)]),
  );
