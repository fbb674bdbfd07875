import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { localised, circular4001, fatf, norm, parameter, TRANSFERS, typology } from './common.js';

const STRUCTURING = { component: 'VELOCITY', category: 'STRUCTURING' } as const;
const EACH = parameter(10_000, 'valor abaixo do qual se fraciona', 'amount below which it is split', 'BRL');

/** Amounts split to stay below a limit: by one customer, over weeks, on one day, or by many for one payee. */
export const structuringTypologies: readonly RuleDefinition[] = [
  typology({
    ...STRUCTURING,
    key: 'TYP-01',
    name: localised('Depósitos em espécie logo abaixo do limite', 'Cash deposits just below the limit'),
    description: localised(
      'Em cinco dias úteis, vários depósitos em espécie logo abaixo do limite de comunicação.',
      'Within five business days, several cash deposits just below the reporting limit.',
    ),
    severity: 'HIGH',
    tags: ['cash', 'structuring'],
    to: { types: ['CASH_DEPOSIT'], directions: ['IN'] },
    parameters: {
      from: parameter(40_000, 'a partir de', 'from', 'BRL'),
      limit: parameter(50_000, 'limite de comunicação', 'reporting limit', 'BRL'),
      count: parameter(3, 'depósitos', 'deposits', 'COUNT'),
    },
    aggregates: {
      near: {
        function: 'count',
        by: 'customer',
        window: '5bd',
        where: 'direction == "IN" && cash && amountBrl >= param.from && amountBrl < param.limit',
      },
    },
    when: 'amountBrl >= param.from && amountBrl < param.limit && aggregate.near >= param.count',
    points: 60,
    minOutcome: 'REVIEW',
    reasonCode: 'CASH_JUST_BELOW_LIMIT',
    required: ['amountBrl'],
    message: localised(
      '{aggregate.near} depósitos em espécie de {param.from} até menos de {param.limit} em 5 dias úteis; limite {param.count}.',
      '{aggregate.near} cash deposits from {param.from} to below {param.limit} within 5 business days; threshold {param.count}.',
    ),
    legalBasis: [
      circular4001('I, d', 1011),
      circular4001('I, k', 1018),
      fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021),
    ],
  }),
  typology({
    ...STRUCTURING,
    key: 'TYP-02',
    name: localised('Fracionamento lento em espécie', 'Slow structuring in cash'),
    description: localised(
      'Em 30 dias, depósitos pequenos em espécie, em vários dias, que juntos alcançam o limite.',
      'Within 30 days, small cash deposits on several days that reach the limit together.',
    ),
    severity: 'HIGH',
    tags: ['cash', 'structuring'],
    to: { types: ['CASH_DEPOSIT'], directions: ['IN'] },
    parameters: {
      each: EACH,
      total: parameter(50_000, 'total em 30 dias', 'sum of 30 days', 'BRL'),
      days: parameter(5, 'dias com depósito', 'days with a deposit', 'COUNT'),
    },
    aggregates: {
      total: {
        function: 'sum',
        by: 'customer',
        window: '30d',
        where: 'direction == "IN" && cash && amountBrl < param.each',
      },
      days: {
        function: 'distinct',
        of: 'day',
        by: 'customer',
        window: '30d',
        where: 'direction == "IN" && cash && amountBrl < param.each',
      },
    },
    when: 'amountBrl < param.each && aggregate.total >= param.total && aggregate.days >= param.days',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'CASH_SLOW_STRUCTURING',
    required: ['amountBrl'],
    message: localised(
      'Depósitos em espécie de menos de {param.each} somam {aggregate.total} em {aggregate.days} dias diferentes de 30; limites {param.total} e {param.days} dias.',
      'Cash deposits below {param.each} add up to {aggregate.total} on {aggregate.days} different days of 30; thresholds {param.total} and {param.days} days.',
    ),
    legalBasis: [
      circular4001('I, d', 1011),
      fatf('Money Laundering through Money Remittance and Currency Exchange Providers', 2010),
    ],
  }),
  typology({
    ...STRUCTURING,
    key: 'TYP-03',
    name: localised('Uma conta dividida no mesmo dia', 'One invoice split on the same day'),
    description: localised(
      'No mesmo dia local, vários pagamentos pequenos ao mesmo beneficiário, que juntos são um grande.',
      'On the same local day, several small payments to the same payee that together are a large one.',
    ),
    severity: 'MEDIUM',
    tags: ['structuring'],
    to: { types: [...TRANSFERS, 'BOLETO_PAYMENT'], directions: ['OUT'] },
    parameters: {
      each: EACH,
      count: parameter(3, 'pagamentos no dia', 'payments on the day', 'COUNT'),
      total: parameter(20_000, 'total no dia', 'sum of the day', 'BRL'),
    },
    aggregates: {
      count: {
        function: 'count',
        by: 'pair',
        window: 'day',
        where: 'direction == "OUT" && amountBrl < param.each',
      },
      total: {
        function: 'sum',
        by: 'pair',
        window: 'day',
        where: 'direction == "OUT" && amountBrl < param.each',
      },
    },
    when: 'amountBrl < param.each && aggregate.count >= param.count && aggregate.total >= param.total',
    points: 35,
    reasonCode: 'INVOICE_SPLIT',
    required: ['amountBrl'],
    message: localised(
      '{aggregate.count} pagamentos de menos de {param.each} ao mesmo beneficiário no dia, no total de {aggregate.total}; limites {param.count} e {param.total}.',
      '{aggregate.count} payments below {param.each} to the same payee on the day, {aggregate.total} in all; thresholds {param.count} and {param.total}.',
    ),
    legalBasis: [circular4001('IV, b', 1046), circular4001('IV, l', 1056)],
  }),
  typology({
    ...STRUCTURING,
    key: 'TYP-04',
    name: localised('Quase só valores redondos', 'Nearly all amounts are round'),
    description: localised(
      'Em 30 dias, quase todos os envios de certo valor para cima são de milhares redondos.',
      'Within 30 days, nearly all transfers from an amount on are of round thousands.',
    ),
    severity: 'MEDIUM',
    tags: ['structuring', 'round'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      from: parameter(5000, 'a partir de', 'from', 'BRL'),
      step: parameter(1000, 'múltiplo redondo', 'round multiple', 'BRL'),
      count: parameter(5, 'envios redondos', 'round transfers', 'COUNT'),
      share: parameter(0.8, 'parte que é redonda', 'share that is round', 'PERCENT'),
    },
    aggregates: {
      round: {
        function: 'count',
        by: 'customer',
        window: '30d',
        where: 'direction == "OUT" && amountBrl >= param.from && amountBrl.isRound(param.step)',
      },
      all: {
        function: 'count',
        by: 'customer',
        window: '30d',
        where: 'direction == "OUT" && amountBrl >= param.from',
      },
      share: { function: 'ratio', of: ['round', 'all'] },
    },
    when: 'aggregate.round >= param.count && aggregate.share >= param.share',
    points: 25,
    reasonCode: 'ROUND_AMOUNTS',
    required: ['amountBrl'],
    message: localised(
      '{aggregate.round} de {aggregate.all} envios a partir de {param.from} em 30 dias são redondos ({aggregate.share}); limites {param.count} e {param.share}.',
      '{aggregate.round} of {aggregate.all} transfers from {param.from} on within 30 days are round ({aggregate.share}); thresholds {param.count} and {param.share}.',
    ),
    legalBasis: [
      circular4001('IV, b', 1046),
      fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021),
      norm('FFIEC BSA/AML Examination Manual', 'Appendix F, red flags: funds transfers'),
    ],
  }),
  typology({
    ...STRUCTURING,
    key: 'TYP-05',
    name: localised('Muitos clientes pagam pouco a um beneficiário', 'Smurfing: many customers, one payee'),
    description: localised(
      'Em 24 horas, vários clientes pagam valores pequenos ao mesmo beneficiário, que somam um grande.',
      'Within 24 hours, several customers pay small amounts to the same payee that add up to a large one.',
    ),
    severity: 'HIGH',
    tags: ['structuring', 'mule'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      each: EACH,
      payers: parameter(5, 'clientes que pagam', 'customers who pay', 'COUNT'),
      total: parameter(20_000, 'total em 24 horas', 'sum of 24 hours', 'BRL'),
    },
    aggregates: {
      payers: {
        function: 'distinct',
        of: 'customer',
        by: 'counterparty',
        window: '24h',
        where: 'direction == "OUT" && amountBrl < param.each',
      },
      total: {
        function: 'sum',
        by: 'counterparty',
        window: '24h',
        where: 'direction == "OUT" && amountBrl < param.each',
      },
    },
    when: 'amountBrl < param.each && aggregate.payers >= param.payers && aggregate.total >= param.total',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'SMURFING',
    required: ['amountBrl'],
    message: localised(
      '{aggregate.payers} clientes pagaram {aggregate.total} ao mesmo beneficiário em 24 horas, cada vez menos de {param.each}; limites {param.payers} e {param.total}.',
      '{aggregate.payers} customers paid {aggregate.total} to the same payee within 24 hours, below {param.each} each time; thresholds {param.payers} and {param.total}.',
    ),
    legalBasis: [
      circular4001('IV, n', 1058),
      fatf('Professional Money Laundering', 2018),
      norm('Tazama', 'rule 016, transaction convergence (creditor)'),
    ],
  }),
];
