import type { RulesetContent } from '../domain/ruleset.js';

/**
 * The first published ruleset: three rules in Brazilian reais. Thresholds are starting points of ours, not norms,
 * except the 50,000 of Circular BCB 3.978/2020, art. 49.
 */
export const brFirst: RulesetContent = {
  key: 'br-first',
  version: 1,
  rules: [
    {
      id: 'BR-AMOUNT-01',
      version: 1,
      family: 'AMOUNT',
      component: 'RULES',
      when: { fact: 'amount', currency: 'BRL', atLeast: '50000' },
      points: 60,
      minOutcome: 'REVIEW',
      recommend: 'NONE',
      // EUR 60,000 without a rate must not pass for a small amount.
      onIndeterminate: 'PARTIAL',
      message: {
        'pt-BR': 'Valor igual ou superior a R$ 50.000,00.',
        en: 'Amount of BRL 50,000.00 or more.',
      },
      legalBasis: [{ norm: 'BCB Circular 3.978/2020', item: 'art. 39', siscoafCode: null }],
    },
    {
      id: 'BR-GEO-01',
      version: 1,
      family: 'GEOGRAPHY',
      component: 'COUNTERPARTY',
      // FATF high-risk jurisdictions subject to a call for action: North Korea, Iran, Myanmar.
      when: { fact: 'countries', anyOf: ['KP', 'IR', 'MM'] },
      points: 60,
      minOutcome: 'REVIEW',
      recommend: 'HOLD',
      // Domestic transfers name no country; that is recorded, and it is no reason to distrust the score.
      onIndeterminate: 'RECORD',
      message: {
        'pt-BR': 'Participante em jurisdição de alto risco segundo o GAFI.',
        en: 'Participant in a jurisdiction under a FATF call for action.',
      },
      legalBasis: [{ norm: 'BCB Carta Circular 4.001/2020', item: 'art. 1º, X, a', siscoafCode: 1110 }],
    },
    {
      id: 'BR-VEL-01',
      version: 1,
      family: 'VELOCITY',
      component: 'VELOCITY',
      when: { fact: 'customerCount24h', atLeast: 30 },
      points: 30,
      minOutcome: null,
      recommend: 'NONE',
      onIndeterminate: 'PARTIAL',
      message: {
        'pt-BR': 'Trinta ou mais transações do cliente em 24 horas.',
        en: 'Thirty or more transactions of the customer in 24 hours.',
      },
      legalBasis: [{ norm: 'BCB Carta Circular 4.001/2020', item: 'art. 1º, IV, l', siscoafCode: 1056 }],
    },
  ],
  scoring: {
    reviewAt: 60,
    familyCaps: { default: 60 },
    bands: { MEDIUM: 30, HIGH: 60, CRITICAL: 85 },
  },
  requiredComponents: { '*': ['IDENTITY', 'VELOCITY', 'RULES'] },
};
