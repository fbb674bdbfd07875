import type { RuleDefinition } from '../../language/index.js';
import {
  applies,
  BY_TRANSFER,
  circular4001,
  IS_BUSY,
  IS_COMPANY,
  IS_OWN,
  NOT_OWN,
  parameter,
  RECEIVED_BY_TRANSFER,
  USUAL,
} from './common.js';

/** Selects what came in from others and need not be paid back. */
const EARNED = `direction == "IN" && instrument != "LOAN" && ${NOT_OWN}`;

/**
 * Returns the condition that the credits of 30 days exceed the limit, and this credit crosses it or is large itself.
 */
const beyond = (limit: string, declared: string): string =>
  `aggregate.received >= ${limit} && (aggregate.received - amountBrl < ${limit} || amountBrl >= param.large * ${declared})`;

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
      week: parameter(10_000, 'total em 7 dias', 'sum of 7 days', 'BRL'),
    },
    // The first transaction of a customer has no gap before it.
    when: [
      'has(activity.longestGapDays7d) && activity.longestGapDays7d >= param.dormantDays',
      '(amountBrl >= param.single || activity.sum7d >= param.week)',
    ].join('\n&& '),
    // A person looks when the money goes on to somebody else.
    score: {
      points: 30,
      group: 'BEHAVIOUR',
      groupMax: null,
      tiers: [{ when: `direction == "OUT" && !${IS_OWN}`, points: 60 }],
    },
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
        'O total recebido de outros em 30 dias, sem empréstimos, não é compatível com a renda ou o faturamento declarado, e este crédito passa do limite ou é grande por si.',
      en: 'The sum received from others within 30 days, loans left out, does not fit the declared income or revenue, and this credit crosses the limit or is large by itself.',
    },
    version: 3,
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
        0.5,
        'crédito grande, em rendas ou faturamentos do mês',
        'a large credit, in incomes or revenues of a month',
      ),
    },
    // After the crossing, small credits are not news. Transfers between own accounts are not income.
    aggregates: {
      received: {
        function: 'sum',
        by: 'customer',
        window: '30d',
        where: EARNED,
      },
    },
    when: [
      `aggregate.received >= param.minSum && !${IS_OWN} && instrument != "LOAN"`,
      `&& (customer.personType == "NATURAL" ? ${beyond('param.pf * profile.monthlyIncome', 'profile.monthlyIncome')}`,
      `  : ${beyond('param.pj * profile.monthlyRevenue', 'profile.monthlyRevenue')})`,
    ].join('\n'),
    score: { points: 45, group: 'PROFILE', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'BEYOND_INCOME' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'aggregate.received', required: true },
      { feature: 'amountBrl', required: true },
      { feature: 'profile.monthlyIncome', required: true },
      { feature: 'profile.monthlyRevenue', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {aggregate.received} em 30 dias; renda mensal {profile.monthlyIncome}, faturamento mensal {profile.monthlyRevenue}; limites {param.pf} e {param.pj} vezes.',
      en: 'Received {aggregate.received} in 30 days; monthly income {profile.monthlyIncome}, monthly revenue {profile.monthlyRevenue}; thresholds {param.pf} and {param.pj} times.',
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
  {
    ...USUAL,
    key: 'BR-BEH-35',
    name: {
      'pt-BR': 'Entradas além do salário visto e do próprio passado',
      en: 'Credits beyond the wages seen and the own past',
    },
    description: {
      'pt-BR':
        'O que uma pessoa natural recebe por transferência em 30 dias passa muito do salário que a conta viu e do que ela mesma recebia antes; o que uma empresa recebe em 15 dias, do que recebia antes. Não precisa de renda declarada; não olha contas com 2.000 operações ou mais em 90 dias.',
      en: 'What a natural person receives by transfer within 30 days far exceeds the wages that the account has seen and what it received before; what a company receives within 15 days, what it received before. Needs no declared income; does not look at accounts with 2,000 transactions or more in 90 days.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'BEHAVIOUR',
    tags: ['capacity', 'own-past'],
    appliesTo: applies({ directions: ['IN'] }),
    parameters: {
      floor: parameter(12_000, 'total mínimo', 'least sum', 'BRL'),
      wages: parameter(3, 'vezes os créditos em conta', 'times the account credits'),
      past: parameter(3, 'vezes o mês médio de antes', 'times the mean month before'),
      large: parameter(2500, 'crédito grande', 'a large credit', 'BRL'),
      company: parameter(30_000, 'total mínimo de empresa', 'least sum of a company', 'BRL'),
      history: parameter(20, 'dias de histórico de empresa', 'days of history of a company', 'DAYS'),
    },
    aggregates: {
      came30d: { function: 'sum', by: 'customer', window: '30d', where: RECEIVED_BY_TRANSFER },
      cameBefore: {
        function: 'sum',
        by: 'customer',
        window: '60d',
        offset: '30d',
        where: RECEIVED_BY_TRANSFER,
      },
      wages: { function: 'sum', by: 'customer', window: '35d', where: 'type == "ACCOUNT_CREDIT"' },
      takings: { function: 'sum', by: 'customer', window: '15d', where: EARNED },
      takingsBefore: { function: 'sum', by: 'customer', window: '45d', offset: '15d', where: EARNED },
    },
    // Two months before are read; of a younger account what is there, which is less.
    when: [
      `!${IS_OWN} && !(${IS_BUSY}) && (${IS_COMPANY}`,
      '  ? activity.historyDays >= param.history && aggregate.takings >= param.company',
      '    && aggregate.takings >= param.past * aggregate.takingsBefore / (activity.historyDays >= 60 ? 3 : (activity.historyDays - 15) / 15)',
      `  : ${BY_TRANSFER}`,
      '    && aggregate.came30d >= param.floor && aggregate.came30d >= param.wages * aggregate.wages',
      '    && aggregate.came30d >= param.past * aggregate.cameBefore / 2',
      '    && (amountBrl >= param.large || aggregate.came30d - amountBrl < param.floor))',
    ].join('\n'),
    score: { points: 45, group: 'BEHAVIOUR', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'BEYOND_OWN_PAST' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'aggregate.came30d', required: true },
      { feature: 'aggregate.cameBefore', required: true },
      { feature: 'aggregate.wages', required: true },
      { feature: 'aggregate.takings', required: true },
      { feature: 'aggregate.takingsBefore', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {aggregate.came30d} por transferência em 30 dias, {aggregate.cameBefore} nos 60 dias antes e {aggregate.wages} de créditos em conta; ao todo {aggregate.takings} em 15 dias e {aggregate.takingsBefore} nos 45 antes; limites {param.floor}, {param.company}, {param.wages} e {param.past} vezes.',
      en: 'Received {aggregate.came30d} by transfer within 30 days, {aggregate.cameBefore} in the 60 days before and {aggregate.wages} of account credits; in all {aggregate.takings} within 15 days and {aggregate.takingsBefore} in the 45 before; thresholds {param.floor}, {param.company}, {param.wages} and {param.past} times.',
    },
    legalBasis: [circular4001('IV, a', 1045), circular4001('IV, i', 1053)],
  },
];
