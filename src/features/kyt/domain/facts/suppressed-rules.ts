import {
  isMandatory,
  type LiveRulesets,
  type PublishedRuleset,
  type RuleDefinition,
  type RulesetContent,
  type SuppressionReason,
} from '../../../rules/index.js';
import type { TransactionEvidence } from './evidence.js';

/** Days for which a rule is suppressed after two people dismissed its alert, unless it declares a cooldown. */
export const DEFAULT_COOLDOWN_DAYS = 7;

/**
 * Returns the rules whose alerts about the customer two people recently dismissed. A rule still counts if the amount is
 * unknown or larger than in those alerts, if the rule has a cooldown, a recommendation, an action or a flag, or if the
 * law requires it.
 */
export function dismissedRules(
  { rules }: RulesetContent,
  { parties, sheet }: Pick<TransactionEvidence, 'parties' | 'sheet'>,
): string[] {
  if (parties.settled.size === 0) return [];
  const amount = sheet.fact('amountBrl');
  if (amount.state !== 'KNOWN') return [];
  return rules
    .filter(isSuppressible)
    .filter(({ key }) => Number(amount.value) <= (parties.settled.get(key) ?? -Infinity))
    .map(({ key }) => key);
}

const isSuppressible = ({ key, mode, cooldown, effect, actions, flags }: RuleDefinition): boolean =>
  mode === 'LIVE' &&
  cooldown === null &&
  effect.recommend === 'NONE' &&
  actions.length === 0 &&
  flags.length === 0 &&
  !isMandatory(key);

const NO_RULES: ReadonlyMap<string, SuppressionReason> = new Map();

/** Returns the suppressed rules with their reasons: cooldowns, dismissed alerts and snoozes. */
export function suppressedRules(
  live: LiveRulesets,
  ruleset: PublishedRuleset | null,
  cooling: readonly string[],
  at: Date,
): ReadonlyMap<string, SuppressionReason> {
  const snoozed = ruleset ? live.snoozedRules(ruleset.content.key, at) : null;
  if (cooling.length === 0 && (!snoozed || snoozed.size === 0)) return NO_RULES;
  return new Map([
    ...cooling.map((key) => [key, 'COOLDOWN'] as const),
    ...[...(snoozed ?? [])].map((key) => [key, 'SNOOZED'] as const),
  ]);
}
