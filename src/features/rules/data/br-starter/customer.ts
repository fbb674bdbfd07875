import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, norm, parameter, USUAL } from './common.js';

const CUSTOMER = { ...USUAL, component: 'PROFILE', category: 'CUSTOMER', appliesTo: applies() } as const;
const FROM = parameter(10_000, 'a partir de', 'from', 'BRL');
const CIRCULAR = 'BCB Circular 3.978/2020';

/**
 * The risk profile of the customer. A hit alone sends only large transactions to review: politically exposed and
 * high-risk customers are watched more closely, not blocked. From that amount on the profile is required.
 */
export const customerRules: readonly RuleDefinition[] = [
  {
    ...CUSTOMER,
    key: 'BR-CUS-26',
    name: { 'pt-BR': 'PEP declarada', en: 'Declared politically exposed person' },
    description: {
      'pt-BR': 'O cadastro do cliente diz que é pessoa politicamente exposta.',
      en: "The customer's record says that they are a politically exposed person.",
    },
    severity: 'HIGH',
    tags: ['pep'],
    parameters: { from: FROM },
    // A missing answer is not `false`: nobody has asked the customer.
    when: 'amountBrl >= param.from && profile.pep',
    score: { points: 60, group: 'CUSTOMER', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'PEP_DECLARED' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'profile.pep', required: true }],
    message: {
      'pt-BR':
        'Pessoa politicamente exposta segundo o cadastro, em operação de {amountBrl}; a partir de {param.from}.',
      en: 'Politically exposed person by their record, in a transaction of {amountBrl}; from {param.from} on.',
    },
    legalBasis: [norm(CIRCULAR, 'arts. 19, 27, 38 § 3º'), circular4001('IV, s', 1063)],
  },
  {
    ...CUSTOMER,
    key: 'BR-CUS-27',
    name: { 'pt-BR': 'Cliente de risco alto', en: 'Customer of high risk' },
    description: {
      'pt-BR': 'A instituição classificou o cliente como de risco alto.',
      en: 'The institution has classified the customer as one of high risk.',
    },
    severity: 'HIGH',
    tags: ['risk-level'],
    parameters: { from: FROM },
    when: 'amountBrl >= param.from && profile.riskLevel == "HIGH"',
    score: { points: 60, group: 'CUSTOMER', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'HIGH_RISK_CUSTOMER' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'profile.riskLevel', required: true }],
    message: {
      'pt-BR': 'Cliente de risco alto, em operação de {amountBrl}; a partir de {param.from}.',
      en: 'Customer of high risk, in a transaction of {amountBrl}; from {param.from} on.',
    },
    legalBasis: [norm(CIRCULAR, 'arts. 20 e 38')],
  },
];
