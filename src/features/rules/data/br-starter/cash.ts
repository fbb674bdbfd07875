import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, IS_COMPANY, norm, parameter, USUAL } from './common.js';

// All types, because cards and PIX also pay out cash; the feature `cash` is true if banknotes change hands.
const CASH = { ...USUAL, category: 'CASH', appliesTo: applies() } as const;
const LIMIT = parameter(50_000, 'limite de comunicação', 'reporting limit', 'BRL');

/** Cash: amounts that must be reported, amounts split to avoid a report, and amounts that add up over time. */
export const cashRules: readonly RuleDefinition[] = [
  {
    ...CASH,
    key: 'BR-CASH-06',
    name: { 'pt-BR': 'Operação em espécie de R$ 50.000 ou mais', en: 'Cash operation of BRL 50,000 or more' },
    description: {
      'pt-BR':
        'Operação em espécie no limite de comunicação ou acima: comunicação objetiva (COE) até o dia útil seguinte; por si só, não é suspeita.',
      en: 'A cash operation at the reporting limit or above: an objective report (COE) by the next business day; no suspicion by itself.',
    },
    severity: 'MEDIUM',
    component: 'RULES',
    tags: ['cash', 'report'],
    parameters: { limit: LIMIT },
    when: 'cash && amountBrl >= param.limit',
    score: { points: 30, group: 'CASH', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'CASH_REPORT_DUE' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'cash', required: true },
      { feature: 'amountBrl', required: true },
    ],
    flags: ['REPORT_COE'],
    message: {
      'pt-BR': 'Operação em espécie de {amountBrl}; comunicação a partir de {param.limit}.',
      en: 'Cash operation of {amountBrl}; to be reported from {param.limit} on.',
    },
    legalBasis: [
      norm('BCB Circular 3.978/2020', 'art. 49, I', 1161),
      norm('BCB Circular 3.978/2020', 'art. 49, I (saque)', 1159),
      norm('BCB Circular 3.978/2020', 'art. 49, III (provisionamento)', 1163),
    ],
  },
  {
    ...CASH,
    key: 'BR-CASH-07',
    name: { 'pt-BR': 'Fracionamento em espécie', en: 'Cash structuring' },
    description: {
      'pt-BR':
        'Em cinco dias úteis, operações em espécie abaixo do limite que juntas o alcançam, ou várias logo abaixo dele.',
      en: 'Within five business days, cash operations below the limit that reach it together, or several just below it.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    tags: ['cash', 'structuring'],
    parameters: {
      limit: LIMIT,
      minCount: parameter(
        2,
        'operações que juntas alcançam o limite',
        'operations that reach the limit together',
        'COUNT',
      ),
      nearCount: parameter(3, 'operações logo abaixo do limite', 'operations just below the limit', 'COUNT'),
      nearRatio: parameter(
        0.8,
        'parte do limite que é logo abaixo',
        'share of the limit that is just below',
        'PERCENT',
      ),
    },
    when: [
      'cash && (cash.amounts5bd.count(a, a < param.limit) >= param.minCount && cash.amounts5bd.sum(a, a < param.limit) >= param.limit',
      'cash.amounts5bd.count(a, a >= param.nearRatio * param.limit && a < param.limit) >= param.nearCount)',
    ].join('\n  || '),
    score: { points: 60, group: 'CASH', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'CASH_STRUCTURING' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'cash.amounts5bd', required: true }],
    message: {
      'pt-BR':
        '{cash.amounts5bd.count(a, a < param.limit)} operações em espécie abaixo de {param.limit} em 5 dias úteis, no total de {cash.amounts5bd.sum(a, a < param.limit) as brl}.',
      en: '{cash.amounts5bd.count(a, a < param.limit)} cash operations below {param.limit} in 5 business days, {cash.amounts5bd.sum(a, a < param.limit) as brl} in all.',
    },
    legalBasis: [
      circular4001('I, d', 1011),
      circular4001('I, e', 1012),
      circular4001('I, k', 1018),
      circular4001('I, l', 1019),
      circular4001('I, m', 1020),
    ],
  },
  {
    ...CASH,
    key: 'BR-CASH-31',
    name: { 'pt-BR': 'Espécie que se acumula', en: 'Cash that adds up slowly' },
    description: {
      'pt-BR':
        'Em 30 dias, vários depósitos em espécie abaixo do limite de comunicação que juntos passam do que o cliente declara por mês.',
      en: 'Within 30 days, several deposits of cash below the reporting limit that together exceed what the customer declares for a month.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    tags: ['cash', 'structuring'],
    appliesTo: applies({ directions: ['IN'] }),
    parameters: {
      limit: LIMIT,
      count: parameter(6, 'depósitos em 30 dias', 'deposits within 30 days', 'COUNT'),
      total: parameter(20_000, 'total mínimo', 'least sum', 'BRL'),
    },
    aggregates: {
      deposits: {
        function: 'count',
        by: 'customer',
        window: '30d',
        where: 'direction == "IN" && cash && amountBrl < param.limit',
      },
      deposited: {
        function: 'sum',
        by: 'customer',
        window: '30d',
        where: 'direction == "IN" && cash && amountBrl < param.limit',
      },
    },
    when: [
      'cash && aggregate.deposits >= param.count && aggregate.deposited >= param.total',
      `&& (${IS_COMPANY} ? aggregate.deposited >= profile.monthlyRevenue`,
      '  : !has(profile.monthlyIncome) || aggregate.deposited >= profile.monthlyIncome)',
    ].join('\n'),
    score: { points: 45, group: 'CASH', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'CASH_ADDS_UP' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'aggregate.deposits', required: true },
      { feature: 'aggregate.deposited', required: true },
    ],
    message: {
      'pt-BR':
        '{aggregate.deposits} depósitos em espécie abaixo de {param.limit} em 30 dias, no total de {aggregate.deposited}; limites {param.count} e {param.total}.',
      en: '{aggregate.deposits} deposits of cash below {param.limit} within 30 days, {aggregate.deposited} in all; thresholds {param.count} and {param.total}.',
    },
    legalBasis: [circular4001('I, d', 1011), circular4001('IV, a', 1045)],
  },
];
