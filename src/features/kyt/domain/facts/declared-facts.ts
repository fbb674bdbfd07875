import type { Feature, PublishedRuleset } from '../../../rules/index.js';

/**
 * Returns the aggregates and custom fields that the rules of a ruleset declare, keyed by name: `aggregate.cashIn30d`. If
 * two rules define one name differently, each name begins with the key of its rule: `HOUSE-01.aggregate.cashIn30d`.
 */
export function declaredFacts(ruleset: PublishedRuleset | null): ReadonlyMap<string, Feature> {
  const featureByName = new Map<string, Feature>();
  const meanings = new Map<string, Set<string>>();
  const ruleSchemas = (ruleset?.compiled.rules ?? []).map(({ definition: { key }, parts }) => ({
    key,
    schema: parts.schema,
  }));
  const allParts = [
    ...ruleSchemas,
    ...(ruleset?.compiled.dampeners ?? []).map(({ definition: { key }, schema }) => ({ key, schema })),
  ].flatMap(({ key, schema }) =>
    [...schema.names()].flatMap((name) => {
      const feature = schema.getKnown(name);
      return feature.declared ? [{ key, name, feature, identity: feature.declared.identity }] : [];
    }),
  );
  for (const { name, identity } of allParts) {
    meanings.set(name, (meanings.get(name) ?? new Set()).add(identity));
  }
  for (const { key, name, feature } of allParts) {
    featureByName.set(meanings.get(name)?.size === 1 ? name : `${key}.${name}`, feature);
  }
  return featureByName;
}
