import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { localised, circular4001, fatf, norm, parameter, stepUp, TRANSFERS, typology } from './common.js';

const CUSTOMER = { component: 'PROFILE', category: 'CUSTOMER' } as const;
const CYBER_FRAUD = fatf(
  'Illicit Financial Flows from Cyber-Enabled Fraud (with Egmont Group and INTERPOL)',
  2023,
);

/** Flows that do not fit the customer's income, office, age, relationship or history. */
export const customerTypologies: readonly RuleDefinition[] = [
  typology({
    ...CUSTOMER,
    key: 'TYP-25',
    name: localised('Muito acima da renda ou do faturamento', 'Far above income or revenue'),
    description: localised(
      'Em 30 dias entra muito mais do que a pessoa ganha ou a empresa fatura por mês.',
      'Within 30 days far more comes in than the person earns or the company turns over in a month.',
    ),
    severity: 'HIGH',
    tags: ['profile'],
    to: { directions: ['IN'] },
    parameters: {
      least: parameter(10_000, 'total mínimo', 'least sum', 'BRL'),
      incomes: parameter(4, 'vezes a renda', 'times the income'),
      revenues: parameter(3, 'vezes o faturamento', 'times the revenue'),
    },
    when: [
      'incoming.sum30d >= param.least && (customer.personType == "NATURAL"',
      '  ? incoming.sum30d >= param.incomes * profile.monthlyIncome',
      '  : incoming.sum30d >= param.revenues * profile.monthlyRevenue)',
    ].join('\n'),
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'FAR_ABOVE_MEANS',
    required: ['incoming.sum30d', 'customer.personType'],
    message: localised(
      'Recebeu {incoming.sum30d} em 30 dias; renda {profile.monthlyIncome}, faturamento {profile.monthlyRevenue}; limites {param.incomes} e {param.revenues} vezes.',
      'Received {incoming.sum30d} within 30 days; income {profile.monthlyIncome}, revenue {profile.monthlyRevenue}; thresholds {param.incomes} and {param.revenues} times.',
    ),
    legalBasis: [circular4001('IV, a', 1045), circular4001('IV, ac', 1073)],
  }),
  typology({
    ...CUSTOMER,
    key: 'TYP-26',
    name: localised('PEP com movimento alto', 'Politically exposed person with large flows'),
    description: localised(
      'Pessoa politicamente exposta recebe um total alto em 30 dias.',
      'A politically exposed person receives a large sum within 30 days.',
    ),
    severity: 'HIGH',
    tags: ['pep'],
    to: { directions: ['IN'] },
    parameters: { total: parameter(100_000, 'total em 30 dias', 'sum of 30 days', 'BRL') },
    when: 'incoming.sum30d >= param.total && profile.pep',
    points: 60,
    reasonCode: 'PEP_LARGE_FLOWS',
    required: ['incoming.sum30d', 'profile.pep'],
    message: localised(
      'Pessoa politicamente exposta recebeu {incoming.sum30d} em 30 dias; a partir de {param.total}.',
      'A politically exposed person received {incoming.sum30d} within 30 days; from {param.total} on.',
    ),
    legalBasis: [
      circular4001('IV, s', 1063),
      norm('FATF', 'Guidance: Politically Exposed Persons (Recommendations 12 and 22), 2013'),
    ],
  }),
  typology({
    ...CUSTOMER,
    key: 'TYP-27',
    name: localised('Jovem com muitos pagadores', 'Young customer with many payers'),
    description: localised(
      'Cliente jovem recebe de muitos pagadores um total alto em 7 dias: sinal de conta emprestada.',
      'A young customer receives a large sum from many payers within 7 days: a sign of a lent account.',
    ),
    severity: 'MEDIUM',
    tags: ['mule'],
    to: { directions: ['IN'] },
    parameters: {
      age: parameter(24, 'idade até', 'age up to'),
      payers: parameter(10, 'pagadores em 7 dias', 'payers in 7 days', 'COUNT'),
      total: parameter(10_000, 'total em 7 dias', 'sum of 7 days', 'BRL'),
    },
    when: [
      'incoming.payers7d >= param.payers && incoming.sum7d >= param.total',
      'profile.age <= param.age',
    ].join('\n&& '),
    points: 40,
    minOutcome: 'REVIEW',
    reasonCode: 'YOUNG_MANY_PAYERS',
    required: ['incoming.payers7d', 'incoming.sum7d', 'profile.age'],
    message: localised(
      'Cliente de {profile.age} anos recebeu {incoming.sum7d} de {incoming.payers7d} pagadores em 7 dias; limites {param.age} anos, {param.total} e {param.payers}.',
      'Customer of {profile.age} years received {incoming.sum7d} from {incoming.payers7d} payers within 7 days; thresholds {param.age} years, {param.total} and {param.payers}.',
    ),
    legalBasis: [
      circular4001('IV, n', 1058),
      CYBER_FRAUD,
      norm('Europol', 'Money Muling: public awareness and prevention'),
    ],
  }),
  typology({
    ...CUSTOMER,
    key: 'TYP-28',
    name: localised('Relacionamento novo com movimento alto', 'New relationship with large flows'),
    description: localised(
      'Nos primeiros 30 dias de relacionamento entra um total alto.',
      'Within the first 30 days of the relationship a large sum comes in.',
    ),
    severity: 'MEDIUM',
    tags: ['onboarding'],
    to: { directions: ['IN'] },
    parameters: {
      days: parameter(30, 'dias de relacionamento', 'days of relationship', 'DAYS'),
      total: parameter(50_000, 'total em 30 dias', 'sum of 30 days', 'BRL'),
    },
    when: 'incoming.sum30d >= param.total && profile.relationshipDays <= param.days',
    points: 35,
    reasonCode: 'NEW_LARGE_FLOWS',
    required: ['incoming.sum30d', 'profile.relationshipDays'],
    message: localised(
      'Recebeu {incoming.sum30d} com {profile.relationshipDays} dias de relacionamento; limites {param.total} e {param.days}.',
      'Received {incoming.sum30d} after {profile.relationshipDays} days of relationship; thresholds {param.total} and {param.days}.',
    ),
    legalBasis: [
      fatf('Virtual Assets Red Flag Indicators of Money Laundering and Terrorist Financing', 2020),
      norm('Tazama', 'rule 001, derived account age (creditor)'),
    ],
  }),
  typology({
    ...CUSTOMER,
    key: 'TYP-29',
    name: localised('Pessoa idosa esvaziada', 'Elderly customer drained'),
    description: localised(
      'De pessoa idosa sai em 24 horas muito mais do que o costume, para quem ela nunca pagou.',
      'From an elderly customer far more than usual goes out within 24 hours, to somebody they never paid.',
    ),
    severity: 'HIGH',
    tags: ['fraud', 'social-engineering'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      age: parameter(70, 'idade a partir de', 'age from'),
      least: parameter(5000, 'saídas em 24 horas', 'outgoing sum of 24 hours', 'BRL'),
      factor: parameter(5, 'vezes a média diária', 'times the daily mean'),
    },
    when: [
      '!counterparty.seenBefore && outgoing.sum24h >= param.least',
      'outgoing.sum24h >= param.factor * outgoing.dailyMean30d && profile.age >= param.age',
    ].join('\n&& '),
    points: 45,
    minOutcome: 'REVIEW',
    recommend: 'STEP_UP',
    actions: [stepUp],
    reasonCode: 'ELDERLY_DRAINED',
    required: ['outgoing.sum24h', 'outgoing.dailyMean30d', 'profile.age'],
    message: localised(
      'Cliente de {profile.age} anos enviou {outgoing.sum24h} em 24 horas, média diária {outgoing.dailyMean30d}, a beneficiário novo; limites {param.age} anos, {param.least} e {param.factor} vezes.',
      'Customer of {profile.age} years sent {outgoing.sum24h} within 24 hours, daily mean {outgoing.dailyMean30d}, to a new payee; thresholds {param.age} years, {param.least} and {param.factor} times.',
    ),
    legalBasis: [norm('FinCEN', 'Advisory FIN-2022-A002, elder financial exploitation'), CYBER_FRAUD],
  }),
  typology({
    ...CUSTOMER,
    component: 'COUNTERPARTY',
    key: 'TYP-30',
    name: localised('Fraude confirmada antes', 'Confirmed fraud earlier'),
    description: localised(
      'O cliente ou a contraparte já teve um caso de fraude confirmado.',
      'The customer or the counterparty has had a case of fraud that was confirmed.',
    ),
    severity: 'CRITICAL',
    tags: ['fraud'],
    to: {},
    parameters: { least: parameter(500, 'a partir de', 'from', 'BRL') },
    when: [
      'amountBrl >= param.least && (customer.confirmedFraud',
      '  || has(counterparty.confirmedFraud) && counterparty.confirmedFraud)',
    ].join('\n'),
    points: 60,
    minOutcome: 'REVIEW',
    recommend: 'HOLD',
    reasonCode: 'CONFIRMED_FRAUD_EARLIER',
    required: ['amountBrl', 'customer.confirmedFraud'],
    message: localised(
      'Fraude confirmada antes, do cliente ou da contraparte, em operação de {amountBrl}; a partir de {param.least}.',
      'Fraud of the customer or the counterparty was confirmed before this transaction of {amountBrl}; from {param.least} on.',
    ),
    legalBasis: [
      norm('Resolução Conjunta 6/2023', 'compartilhamento de indícios de fraude'),
      norm('Resolução BCB 501/2025', 'fundada suspeita'),
    ],
  }),
];
