import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import type { RulesetDefinition } from '../language/index.js';

/** The changes in a new version of a ruleset, for its approver: keys of rules, and names of other fields. */
export interface RulesetDifference {
  readonly rulesAdded: readonly string[];
  readonly rulesChanged: readonly string[];
  readonly rulesRemoved: readonly string[];
  readonly alsoChanged: readonly string[];
}

// These fields are not compared like others: key and version change no verdict, and rules are compared one by one.
const NOT_COMPARED: ReadonlySet<string> = new Set(['key', 'version', 'rules']);

/** Compares a version with the version that it replaces; if it replaces none, everything is added. */
export function compareRulesets(
  before: RulesetDefinition | null,
  after: RulesetDefinition,
): RulesetDifference {
  const had = new Map((before?.rules ?? []).map((rule) => [rule.key, canonicalJson(rule)]));
  const has = new Map(after.rules.map((rule) => [rule.key, canonicalJson(rule)]));
  const [old, now] = [membersOf(before ?? {}), membersOf(after)];
  return {
    rulesAdded: [...has.keys()].filter((key) => !had.has(key)),
    rulesChanged: [...has].filter(([key, rule]) => had.has(key) && had.get(key) !== rule).map(([key]) => key),
    rulesRemoved: [...had.keys()].filter((key) => !has.has(key)),
    alsoChanged: [...new Set([...old.keys(), ...now.keys()])].filter(
      (name) => old.get(name) !== now.get(name),
    ),
  };
}

const membersOf = (content: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(content)
      .filter(([name]) => !NOT_COMPARED.has(name))
      .map(([name, value]) => [name, canonicalJson(value)]),
  );
