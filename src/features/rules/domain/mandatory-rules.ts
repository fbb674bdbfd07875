import type { ErrorDetail } from '../../../platform/kernel/domain-error.js';
import type { RuleDefinition, RulesetDefinition } from '../language/index.js';

/**
 * Rules that are built in: hits on sanctions, PEP and internal restrictive lists. The law requires them of every
 * institution (Lei 13.810/2019, arts. 6 and 9; Circular BCB 3.978/2020, arts. 19, 27 and 38 § 3), so nobody can delete,
 * silence or soften them; their parameters and texts may be set.
 */
const mandatoryRules: readonly string[] = ['BR-LIST-01', 'BR-LIST-02', 'BR-LIST-03'];

export const isMandatory = (key: string): boolean => mandatoryRules.includes(key);

const KEPT_MESSAGE =
  'A mandatory rule keeps this: it is live, looks at everything, and a hit is looked at by a person.';

/** Returns the fields in which a version of a mandatory rule is softer than it may be. */
export function weakenedMandatoryRules(rule: RuleDefinition): ErrorDetail[] {
  if (!isMandatory(rule.key)) return [];
  const { types, channels, currencies, directions } = rule.appliesTo;
  const everything =
    [types, channels, currencies].every((list) => list.includes('*')) && directions.length === 2;
  const wrong = [
    ...(rule.mode === 'LIVE' ? [] : ['mode']),
    ...(rule.cooldown === null ? [] : ['cooldown']),
    ...(rule.effect.minOutcome === 'REVIEW' ? [] : ['effect.minOutcome']),
    ...(rule.onIndeterminate === 'PARTIAL' ? [] : ['onIndeterminate']),
    ...(everything ? [] : ['appliesTo']),
  ];
  return wrong.map((path) => ({ path, code: 'MANDATORY_RULE', message: KEPT_MESSAGE }));
}

/** Returns the mandatory rules that a ruleset lacks, softens or suppresses. */
export function mandatoryRuleViolations({ rules, dampeners }: RulesetDefinition): ErrorDetail[] {
  return [
    ...mandatoryRules
      .filter((key) => !rules.some((rule) => rule.key === key))
      .map((key) => ({
        path: 'rules',
        code: 'MANDATORY_RULE',
        message: `The mandatory rule ${key} is missing.`,
      })),
    ...rules.flatMap((rule, i) =>
      weakenedMandatoryRules(rule).map((detail) => ({ ...detail, path: `rules[${i}].${detail.path}` })),
    ),
    ...dampeners.flatMap(({ suppresses }, i) =>
      suppresses.some(isMandatory)
        ? [{ path: `dampeners[${i}].suppresses`, code: 'MANDATORY_RULE', message: KEPT_MESSAGE }]
        : [],
    ),
  ];
}
