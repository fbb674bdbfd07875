import { compareDecimals } from '../../kernel/money.js';
import { exhaustive } from '../../kernel/exhaustive.js';
import type { Fact, Facts } from './facts.js';
import type { Condition, LegalBasis, Rule } from './ruleset.js';

/** Three values: a rule whose input is unknown is neither a hit nor a miss. */
export type RuleResult = 'HIT' | 'NO_HIT' | 'INDETERMINATE';

export interface RuleVerdict {
  readonly rule: Rule;
  readonly result: RuleResult;
  readonly observed: string | null;
  readonly threshold: string;
  readonly window: string | null;
  readonly saturated: boolean;
  /** Why it could not be decided. */
  readonly reason: string | null;
}

/** One reason of a score, as integrators and analysts read it. */
export interface Reason {
  readonly ruleId: string;
  readonly version: number;
  readonly points: number;
  readonly observed: string | null;
  readonly threshold: string;
  readonly window: string | null;
  readonly saturated: boolean;
  readonly message: { readonly 'pt-BR': string; readonly en: string };
  readonly legalBasis: readonly LegalBasis[];
}

/** Applies every rule to the facts. Pure: the same facts give the same verdicts. */
export function applyRules(rules: readonly Rule[], facts: Facts): RuleVerdict[] {
  return rules.map((rule) => ({ rule, ...decide(rule.when, facts) }));
}

type Decision = Omit<RuleVerdict, 'rule'>;

function decide(condition: Condition, facts: Facts): Decision {
  switch (condition.fact) {
    case 'amount': {
      const threshold = `${condition.atLeast} ${condition.currency}`;
      // Without a rate, an amount in another currency is not comparable; taking it as equal would be a guess.
      if (facts.currency !== condition.currency) {
        return indeterminate(threshold, null, 'CURRENCY_NOT_CONVERTIBLE');
      }
      return compared(facts.amount, threshold, null, (amount) => ({
        hit: compareDecimals(amount, condition.atLeast) >= 0,
        observed: `${amount} ${facts.currency}`,
      }));
    }
    case 'countries': {
      const threshold = condition.anyOf.join(', ');
      return compared(facts.countries, threshold, null, (countries) => {
        const hits = countries.filter((country) => condition.anyOf.includes(country));
        return { hit: hits.length > 0, observed: (hits.length > 0 ? hits : countries).join(', ') };
      });
    }
    case 'customerCount24h':
      return compared(facts.customerCount24h, String(condition.atLeast), '24h', (earlier) => ({
        hit: earlier + 1 >= condition.atLeast,
        observed: String(earlier + 1),
      }));
    default:
      return exhaustive(condition);
  }
}

function compared<T>(
  fact: Fact<T>,
  threshold: string,
  window: string | null,
  compare: (value: T) => { hit: boolean; observed: string },
): Decision {
  if (!fact.known) return indeterminate(threshold, window, fact.reason);
  const { hit, observed } = compare(fact.value);
  return {
    result: hit ? 'HIT' : 'NO_HIT',
    observed,
    threshold,
    window,
    saturated: fact.saturated === true,
    reason: null,
  };
}

const indeterminate = (threshold: string, window: string | null, reason: string): Decision => ({
  result: 'INDETERMINATE',
  observed: null,
  threshold,
  window,
  saturated: false,
  reason,
});
