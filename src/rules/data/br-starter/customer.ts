import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, norm, parameter, USUAL } from './common.js';

const CUSTOMER = { ...USUAL, component: 'PROFILE', category: 'CUSTOMER', appliesTo: applies() } as const;
const REVIEWED = parameter(10_000, 'valor que vai para análise', 'amount that a person looks at', 'BRL');
const CIRCULAR = 'BCB Circular 3.978/2020';

/**
 * The institution's own knowledge of the customer. It counts in every transaction, and alone sends a large one to a
 * person: customers who are exposed or of high risk are watched more closely, and still served.
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
    parameters: { reviewed: REVIEWED },
    // Silence is no statement: BR-LIST-02 asks the lists about everybody.
    when: 'has(profile.pep) && profile.pep',
    score: {
      points: 20,
      group: 'CUSTOMER',
      groupMax: null,
      tiers: [{ when: 'amountBrl >= param.reviewed', points: 60 }],
    },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'PEP_DECLARED' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'profile.pep', required: true }],
    message: {
      'pt-BR':
        'Pessoa politicamente exposta segundo o cadastro, em operação de {amountBrl}; análise a partir de {param.reviewed}.',
      en: 'Politically exposed person by their record, in a transaction of {amountBrl}; a person looks from {param.reviewed} on.',
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
    parameters: { reviewed: REVIEWED },
    when: 'has(profile.riskLevel) && profile.riskLevel == "HIGH"',
    score: {
      points: 30,
      group: 'CUSTOMER',
      groupMax: null,
      tiers: [{ when: 'amountBrl >= param.reviewed', points: 60 }],
    },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'HIGH_RISK_CUSTOMER' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'profile.riskLevel', required: true }],
    message: {
      'pt-BR': 'Cliente de risco alto, em operação de {amountBrl}; análise a partir de {param.reviewed}.',
      en: 'Customer of high risk, in a transaction of {amountBrl}; a person looks from {param.reviewed} on.',
    },
    legalBasis: [norm(CIRCULAR, 'arts. 20 e 38')],
  },
];
