import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, parameter, TRANSFERS, USUAL } from './common.js';

const FLOW = { ...USUAL, component: 'VELOCITY', category: 'FLOW' } as const;

/** How money passes through an account: straight on, from many, to many. */
export const flowRules: readonly RuleDefinition[] = [
  {
    ...FLOW,
    key: 'BR-FLOW-12',
    name: { 'pt-BR': 'Conta de passagem', en: 'Pass-through account' },
    description: {
      'pt-BR': 'O que entra em 24 horas sai quase todo nas mesmas 24 horas.',
      en: 'Nearly all that comes in within 24 hours goes out within the same 24 hours.',
    },
    severity: 'HIGH',
    tags: ['mule'],
    appliesTo: applies({ types: [...TRANSFERS, 'ACCOUNT_CREDIT'] }),
    parameters: {
      minIn: parameter(5000, 'entrada mínima', 'least incoming sum', 'BRL'),
      ratio: parameter(0.8, 'parte que sai', 'share that goes out', 'PERCENT'),
    },
    when: 'incoming.sum24h >= param.minIn && outgoing.sum24h >= param.ratio * incoming.sum24h',
    score: { points: 45, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'PASS_THROUGH' },
    onIndeterminate: 'RECORD',
    evidence: [
      { feature: 'incoming.sum24h', required: true },
      { feature: 'outgoing.sum24h', required: true },
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
    onIndeterminate: 'RECORD',
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
      'pt-BR': 'Envia a muitos beneficiários distintos em 24 horas.',
      en: 'Sends to many distinct beneficiaries within 24 hours.',
    },
    severity: 'MEDIUM',
    tags: ['layering'],
    appliesTo: applies({ directions: ['OUT'] }),
    parameters: {
      n: parameter(10, 'beneficiários em 24 horas', 'beneficiaries in 24 hours', 'COUNT'),
      minSum: parameter(10_000, 'total mínimo', 'least sum', 'BRL'),
    },
    when: 'outgoing.beneficiaries24h >= param.n && outgoing.sum24h >= param.minSum',
    score: { points: 35, group: 'FLOW', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'FAN_OUT' },
    onIndeterminate: 'RECORD',
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
];
