/** A rule as an operator writes it, with as little as it takes; fields are replaced by what is given. */
export function aRule(key: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    key,
    name: { 'pt-BR': 'Valor alto', en: 'High amount' },
    when: 'amount >= 900',
    score: { points: 20, group: 'AMOUNT' },
    effect: { reasonCode: 'HIGH_AMOUNT' },
    mode: 'LIVE',
    message: { 'pt-BR': 'Valor de {amount}.', en: 'Amount of {amount}.' },
    ...fields,
  };
}

/** The three mandatory rules, as small as they may be. */
export const mandatoryRules: readonly Record<string, unknown>[] = [
  'sanctions.documentMatch',
  'pep.documentMatch',
  'blocklist.matches.size() > 0',
].map((when, i) =>
  aRule(`BR-LIST-0${i + 1}`, {
    when,
    component: 'LISTS',
    score: { points: 90, group: 'LISTS' },
    effect: { minOutcome: 'REVIEW', reasonCode: 'LIST_HIT' },
  }),
);

/** The parts of a first draft of a ruleset beside its rules. */
export const rulesetBasics = {
  name: { 'pt-BR': 'Conjunto de teste', en: 'Test ruleset' },
  scoring: {
    reviewAt: 60,
    caps: { default: 60, LISTS: 100 },
    bands: { MEDIUM: 30, HIGH: 60, CRITICAL: 85 },
  },
  composition: { requiredComponents: [{ types: ['*'], components: ['IDENTITY', 'VELOCITY', 'RULES'] }] },
} as const;
