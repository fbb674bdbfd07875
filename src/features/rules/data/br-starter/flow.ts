import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, fatf, IS_COMPANY, IS_OWN, parameter, TRANSFERS, USUAL } from './common.js';

const FEW_TO_FEW = 'outgoing.sum24h <= param.most * incoming.sum24h && incoming.payers24h <= param.fewPayers';

const FLOW = { ...USUAL, component: 'VELOCITY', category: 'FLOW' } as const;

/** Money that only passes through an account: within a day, from many payers, to many payees, or there and back. */
export const flowRules: readonly RuleDefinition[] = [
  {
    ...FLOW,
    key: 'BR-FLOW-12',
    name: { 'pt-BR': 'Conta de passagem', en: 'Pass-through account' },
    description: {
      'pt-BR':
        'Uma saída leva quase tudo o que entrou nas 24 horas antes dela. De empresa, só o que veio de poucos pagadores e em valor parecido; salário que vai para conta própria não conta.',
      en: 'A payment takes away nearly all that came in within the 24 hours before it. Of a company only what came from few payers and in a similar amount; a salary moved to an own account does not count.',
    },
    version: 2,
    severity: 'HIGH',
    tags: ['mule'],
    appliesTo: applies({ types: [...TRANSFERS, 'CRYPTO_*'], directions: ['OUT'] }),
    parameters: {
      minIn: parameter(5000, 'entrada mínima', 'least incoming sum', 'BRL'),
      ratio: parameter(0.8, 'parte que sai', 'share that goes out', 'PERCENT'),
      most: parameter(
        1.2,
        'parte que sai de empresa, no máximo',
        'largest share that goes out of a company',
        'PERCENT',
      ),
      fewPayers: parameter(2, 'pagadores de empresa, no máximo', 'payers of a company, at most', 'COUNT'),
    },
    when: [
      'incoming.sum24h >= param.minIn && outgoing.sum24h >= param.ratio * incoming.sum24h',
      `(${IS_COMPANY} ? ${FEW_TO_FEW} : incoming.payers24h > 1 || !${IS_OWN})`,
    ].join('\n&& '),
    score: { points: 45, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'PASS_THROUGH' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'incoming.sum24h', required: true },
      { feature: 'outgoing.sum24h', required: true },
      { feature: 'incoming.payers24h', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {incoming.sum24h} e transferiu {outgoing.sum24h} ({outgoing.sum24h / incoming.sum24h as percent}) em 24 h; limite {param.ratio}.',
      en: 'Received {incoming.sum24h} and transferred {outgoing.sum24h} ({outgoing.sum24h / incoming.sum24h as percent}) in 24 h; threshold {param.ratio}.',
    },
    legalBasis: [circular4001('IV, ad', 1074), circular4001('IV, k', 1055)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-13',
    name: { 'pt-BR': 'Muitos pagadores', en: 'Fan-in: many payers' },
    description: {
      'pt-BR': 'Pessoa natural recebe de muitos pagadores distintos em pouco tempo.',
      en: 'A natural person receives from many distinct payers in a short time.',
    },
    severity: 'HIGH',
    tags: ['mule'],
    appliesTo: applies({ directions: ['IN'] }),
    parameters: {
      p24: parameter(10, 'pagadores em 24 horas', 'payers in 24 hours', 'COUNT'),
      p7: parameter(25, 'pagadores em 7 dias', 'payers in 7 days', 'COUNT'),
      minSum: parameter(10_000, 'total mínimo', 'least sum', 'BRL'),
    },
    when: [
      'customer.personType == "NATURAL"',
      '(incoming.payers24h >= param.p24 && incoming.sum24h >= param.minSum' +
        ' || incoming.payers7d >= param.p7 && incoming.sum7d >= param.minSum)',
    ].join('\n&& '),
    score: { points: 40, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'FAN_IN' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'incoming.payers24h', required: true },
      { feature: 'incoming.payers7d', required: true },
      { feature: 'incoming.sum7d', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {incoming.sum24h} de {incoming.payers24h} pagadores em 24 horas e {incoming.sum7d} de {incoming.payers7d} em 7 dias; limites {param.p24} e {param.p7}, a partir de {param.minSum}.',
      en: 'Received {incoming.sum24h} from {incoming.payers24h} payers in 24 hours and {incoming.sum7d} from {incoming.payers7d} in 7 days; thresholds {param.p24} and {param.p7}, from {param.minSum} on.',
    },
    legalBasis: [circular4001('IV, n', 1058)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-14',
    name: { 'pt-BR': 'Muitos beneficiários', en: 'Fan-out: many beneficiaries' },
    description: {
      'pt-BR':
        'Envia a muitos beneficiários distintos em 24 horas; uma empresa, o que entrou nas mesmas 24 horas: salários são pagos do que já havia.',
      en: 'Sends to many distinct beneficiaries within 24 hours; a company, what came in within the same 24 hours: wages are paid out of what was there.',
    },
    version: 2,
    severity: 'MEDIUM',
    tags: ['layering'],
    appliesTo: applies({ directions: ['OUT'] }),
    parameters: {
      n: parameter(10, 'beneficiários em 24 horas', 'beneficiaries in 24 hours', 'COUNT'),
      minSum: parameter(10_000, 'total mínimo', 'least sum', 'BRL'),
      fresh: parameter(
        0.8,
        'parte que acaba de entrar em empresa',
        'share that has just come in to a company',
        'PERCENT',
      ),
    },
    when: [
      'outgoing.beneficiaries24h >= param.n && outgoing.sum24h >= param.minSum',
      `(!${IS_COMPANY} || incoming.sum24h >= param.fresh * outgoing.sum24h)`,
    ].join('\n&& '),
    score: { points: 35, group: 'FLOW', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'FAN_OUT' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'outgoing.beneficiaries24h', required: true },
      { feature: 'outgoing.sum24h', required: true },
    ],
    message: {
      'pt-BR':
        'Enviou {outgoing.sum24h} a {outgoing.beneficiaries24h} beneficiários em 24 horas; limites {param.n} e {param.minSum}.',
      en: 'Sent {outgoing.sum24h} to {outgoing.beneficiaries24h} beneficiaries in 24 hours; thresholds {param.n} and {param.minSum}.',
    },
    legalBasis: [circular4001('IV, c', 1047), circular4001('IV, l', 1056)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-30',
    name: { 'pt-BR': 'Vai e volta', en: 'There and back' },
    description: {
      'pt-BR': 'Valores quase iguais vão e voltam entre o cliente e a mesma contraparte.',
      en: 'Nearly equal amounts go to and fro between the customer and one counterparty.',
    },
    severity: 'HIGH',
    tags: ['layering'],
    appliesTo: applies({ types: [...TRANSFERS] }),
    parameters: {
      floor: parameter(10_000, 'valor mínimo', 'least amount', 'BRL'),
      low: parameter(0.9, 'valor parecido, ao menos', 'similar amount, at least', 'PERCENT'),
      high: parameter(1.1, 'valor parecido, no máximo', 'similar amount, at most', 'PERCENT'),
      times: parameter(
        2,
        'vezes no sentido contrário em 30 dias',
        'times the other way within 30 days',
        'COUNT',
      ),
    },
    aggregates: {
      back: {
        function: 'count',
        by: 'pair',
        window: '30d',
        current: false,
        where: [
          'direction != now.direction',
          'amountBrl >= param.low * now.amountBrl && amountBrl <= param.high * now.amountBrl',
        ].join('\n&& '),
      },
    },
    when: 'amountBrl >= param.floor && aggregate.back >= param.times',
    score: { points: 60, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'ROUND_TRIP' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'aggregate.back', required: true },
    ],
    message: {
      'pt-BR':
        '{amountBrl} com a mesma contraparte depois de {aggregate.back} operações de valor parecido no sentido contrário em 30 dias; limite {param.times}.',
      en: '{amountBrl} with the same counterparty after {aggregate.back} of a similar amount the other way within 30 days; threshold {param.times}.',
    },
    legalBasis: [fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021)],
  },
];
