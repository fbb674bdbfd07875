import type { RuleDefinition, RulesetDefinition } from '../../src/features/rules/language/index.js';
import { applies } from '../../src/features/rules/data/br-starter/common.js';

const usual = {
  version: 1,
  severity: 'MEDIUM',
  tags: [],
  appliesTo: applies(),
  evidence: [],
  actions: [],
  lists: [],
  flags: [],
  mode: 'LIVE',
  cooldown: null,
} as const satisfies Partial<RuleDefinition>;

/**
 * A small ruleset of three rules that needs no lists and no profile: for trying the service out, and for tests of other
 * things. The ruleset for use is br-starter.
 */
export const brFirst: RulesetDefinition = {
  key: 'br-first',
  version: 1,
  name: { 'pt-BR': 'Primeiras regras', en: 'First rules' },
  selector: { types: ['*'], clientApps: ['*'] },
  rules: [
    {
      ...usual,
      key: 'BR-AMOUNT-01',
      name: { 'pt-BR': 'Valor alto', en: 'Large amount' },
      description: { 'pt-BR': 'Valor igual ou superior ao limite.', en: 'An amount at or above the limit.' },
      component: 'RULES',
      category: 'AMOUNT',
      parameters: {
        limit: { value: 50_000, unit: 'BRL', label: { 'pt-BR': 'limite', en: 'limit' } },
      },
      when: 'amountBrl >= param.limit',
      score: { points: 60, group: 'AMOUNT', groupMax: null },
      effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'LARGE_AMOUNT' },
      // Without an exchange rate the amount is unknown: EUR 60,000 must not count as small.
      onIndeterminate: 'PARTIAL',
      evidence: [{ feature: 'amountBrl', required: true }],
      message: {
        'pt-BR': 'Valor de {amountBrl}, igual ou superior a {param.limit}.',
        en: 'Amount of {amountBrl}, at or above {param.limit}.',
      },
      legalBasis: [{ norm: 'BCB Circular 3.978/2020', item: 'art. 39', siscoafCode: null }],
    },
    {
      ...usual,
      key: 'BR-GEO-01',
      severity: 'HIGH',
      name: { 'pt-BR': 'Jurisdição de alto risco', en: 'High-risk jurisdiction' },
      description: {
        'pt-BR': 'Participante em jurisdição sujeita a chamada de ação do GAFI.',
        en: 'A participant in a jurisdiction under a FATF call for action.',
      },
      component: 'COUNTERPARTY',
      category: 'GEOGRAPHY',
      parameters: {
        countries: { value: ['KP', 'IR', 'MM'], label: { 'pt-BR': 'países', en: 'countries' } },
      },
      when: 'countries.exists(c, c in param.countries)',
      score: { points: 60, group: 'GEOGRAPHY', groupMax: null },
      effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'HIGH_RISK_JURISDICTION' },
      // Domestic transfers name no country; that is recorded, and it is no reason to distrust the score.
      onIndeterminate: 'RECORD',
      message: {
        'pt-BR': 'Participante em jurisdição de alto risco segundo o GAFI: {countries}.',
        en: 'Participant in a jurisdiction under a FATF call for action: {countries}.',
      },
      legalBasis: [{ norm: 'BCB Carta Circular 4.001/2020', item: 'art. 1º, X, a', siscoafCode: 1110 }],
    },
    {
      ...usual,
      key: 'BR-VEL-01',
      name: { 'pt-BR': 'Muitas transações', en: 'Many transactions' },
      description: {
        'pt-BR': 'Muitas transações do cliente em 24 horas.',
        en: 'Many transactions of the customer in 24 hours.',
      },
      component: 'VELOCITY',
      category: 'VELOCITY',
      parameters: {
        count: { value: 30, unit: 'COUNT', label: { 'pt-BR': 'quantidade', en: 'count' } },
      },
      when: 'outgoing.count24h + incoming.count24h >= param.count',
      score: { points: 30, group: 'VELOCITY', groupMax: null },
      effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'MANY_TRANSACTIONS' },
      onIndeterminate: 'PARTIAL',
      message: {
        'pt-BR': '{outgoing.count24h} saídas e {incoming.count24h} entradas do cliente em 24 horas.',
        en: '{outgoing.count24h} outgoing and {incoming.count24h} incoming transactions of the customer in 24 hours.',
      },
      legalBasis: [{ norm: 'BCB Carta Circular 4.001/2020', item: 'art. 1º, IV, l', siscoafCode: 1056 }],
    },
  ],
  dampeners: [],
  scoring: { reviewAt: 60, caps: { default: 60 }, bands: { MEDIUM: 30, HIGH: 60, CRITICAL: 85 } },
  composition: {
    requiredComponents: [
      { types: ['*'], components: ['IDENTITY', 'VELOCITY', 'RULES'], inForeignCurrency: ['FX'] },
    ],
  },
};
