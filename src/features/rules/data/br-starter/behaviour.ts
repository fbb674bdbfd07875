import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, IS_OWN, parameter, USUAL } from './common.js';

/**
 * Returns the condition that the credits of 30 days exceed the limit, and this credit crosses it or is large itself.
 */
const beyond = (limit: string, declared: string): string =>
  `incoming.sum30d >= ${limit} && (incoming.sum30d - amountBrl < ${limit} || amountBrl >= param.large * ${declared})`;

/** Rules about unusual behaviour of the customer: dormancy that ends, volume beyond means, outliers. */
export const behaviourRules: readonly RuleDefinition[] = [
  {
    ...USUAL,
    key: 'BR-BEH-18',
    name: { 'pt-BR': 'Conta inativa volta a movimentar', en: 'Dormant account wakes up' },
    description: {
      'pt-BR': 'Depois de longa pausa, a conta movimenta valor significativo de uma vez ou em sete dias.',
      en: 'After a long pause the account moves a significant sum at once or within seven days.',
    },
    severity: 'MEDIUM',
    component: 'VELOCITY',
    category: 'BEHAVIOUR',
    tags: ['dormancy'],
    appliesTo: applies(),
    parameters: {
      dormantDays: parameter(180, 'dias sem movimento', 'days without activity', 'DAYS'),
      single: parameter(10_000, 'valor de uma vez', 'amount at once', 'BRL'),
      week: parameter(20_000, 'total em 7 dias', 'sum of 7 days', 'BRL'),
    },
    // The first transaction of a customer has no gap before it.
    when: [
      'has(activity.longestGapDays7d) && activity.longestGapDays7d >= param.dormantDays',
      '(amountBrl >= param.single || activity.sum7d >= param.week)',
    ].join('\n&& '),
    score: { points: 30, group: 'BEHAVIOUR', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'DORMANT_WAKES' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'activity.longestGapDays7d', required: false },
      { feature: 'activity.sum7d', required: true },
    ],
    message: {
      'pt-BR':
        'Após {activity.longestGapDays7d} dias sem movimento, {amountBrl} nesta operação e {activity.sum7d} em 7 dias; limites {param.dormantDays} dias, {param.single} e {param.week}.',
      en: 'After {activity.longestGapDays7d} days without activity, {amountBrl} in this transaction and {activity.sum7d} in 7 days; thresholds {param.dormantDays} days, {param.single} and {param.week}.',
    },
    legalBasis: [circular4001('IV, e', 1049)],
  },
  {
    ...USUAL,
    key: 'BR-PRO-19',
    name: { 'pt-BR': 'Volume incompatível com renda ou faturamento', en: 'Volume beyond income or revenue' },
    description: {
      'pt-BR':
        'O total recebido em 30 dias não é compatível com a renda ou o faturamento declarado, e este crédito passa do limite ou é grande por si.',
      en: 'The sum received within 30 days does not fit the declared income or revenue, and this credit crosses the limit or is large by itself.',
    },
    version: 2,
    severity: 'HIGH',
    component: 'PROFILE',
    category: 'PROFILE',
    tags: ['capacity'],
    appliesTo: applies({ directions: ['IN'] }),
    parameters: {
      pf: parameter(3, 'vezes a renda mensal', 'times the monthly income'),
      pj: parameter(2, 'vezes o faturamento mensal', 'times the monthly revenue'),
      minSum: parameter(5000, 'total mínimo', 'least sum', 'BRL'),
      large: parameter(
        0.25,
        'crédito grande, em rendas ou faturamentos do mês',
        'a large credit, in incomes or revenues of a month',
      ),
    },
    // After the crossing, small credits are not news. Transfers between own accounts are not income.
    when: [
      `incoming.sum30d >= param.minSum && !${IS_OWN}`,
      `&& (customer.personType == "NATURAL" ? ${beyond('param.pf * profile.monthlyIncome', 'profile.monthlyIncome')}`,
      `  : ${beyond('param.pj * profile.monthlyRevenue', 'profile.monthlyRevenue')})`,
    ].join('\n'),
    score: { points: 45, group: 'PROFILE', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'BEYOND_INCOME' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'incoming.sum30d', required: true },
      { feature: 'amountBrl', required: true },
      { feature: 'profile.monthlyIncome', required: true },
      { feature: 'profile.monthlyRevenue', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {incoming.sum30d} em 30 dias; renda mensal {profile.monthlyIncome}, faturamento mensal {profile.monthlyRevenue}; limites {param.pf} e {param.pj} vezes.',
      en: 'Received {incoming.sum30d} in 30 days; monthly income {profile.monthlyIncome}, monthly revenue {profile.monthlyRevenue}; thresholds {param.pf} and {param.pj} times.',
    },
    legalBasis: [circular4001('IV, a', 1045), circular4001('IV, ac', 1073)],
  },
  {
    ...USUAL,
    key: 'BR-BEH-20',
    name: { 'pt-BR': 'Valor atípico para o cliente', en: 'Outlier for the customer' },
    description: {
      'pt-BR':
        'Valor muito acima da média e do máximo do cliente em 90 dias. Estatística: começa em modo sombra.',
      en: 'An amount far above the customer’s mean and maximum of 90 days. Statistical: it begins in shadow mode.',
    },
    severity: 'LOW',
    component: 'VELOCITY',
    category: 'BEHAVIOUR',
    tags: ['statistics'],
    appliesTo: applies(),
    mode: 'SHADOW',
    parameters: {
      minN: parameter(10, 'transações em 90 dias', 'transactions in 90 days', 'COUNT'),
      k: parameter(4, 'desvios padrão', 'standard deviations'),
      mult: parameter(2, 'vezes o maior valor', 'times the largest amount'),
      floor: parameter(2000, 'valor mínimo', 'least amount', 'BRL'),
    },
    when: [
      'activity.count90d >= param.minN',
      'amountBrl >= param.floor',
      'amountBrl > activity.mean90d + param.k * activity.sd90d',
      'amountBrl > param.mult * activity.max90d',
    ].join('\n&& '),
    score: { points: 20, group: 'BEHAVIOUR', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'OUTLIER' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'activity.mean90d', required: true },
      { feature: 'activity.sd90d', required: true },
      { feature: 'activity.max90d', required: true },
    ],
    message: {
      'pt-BR':
        '{amountBrl}: média {activity.mean90d}, desvio padrão {activity.sd90d}, máximo {activity.max90d} em 90 dias.',
      en: '{amountBrl}: mean {activity.mean90d}, standard deviation {activity.sd90d}, largest {activity.max90d} of 90 days.',
    },
    legalBasis: [circular4001('IV, i', 1053)],
  },
];
