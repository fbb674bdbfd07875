import type { RuleDefinition } from '../../language/index.js';
import {
  applies,
  circular4001,
  IS_BUSY,
  IS_COMPANY,
  NEW_BENEFICIARIES,
  norm,
  parameter,
  TRANSFERS,
  USUAL,
} from './common.js';

const VELOCITY = { ...USUAL, component: 'VELOCITY' } as const;

/** The amount and speed of outgoing money: bursts, spikes, card testing. */
export const velocityRules: readonly RuleDefinition[] = [
  {
    ...VELOCITY,
    key: 'BR-VEL-10',
    name: { 'pt-BR': 'Muitas saídas em pouco tempo', en: 'Burst of outgoing transfers' },
    description: {
      'pt-BR':
        'Muitas transferências enviadas em uma hora ou em 24 horas; também sinal de conta invadida. Uma empresa paga salários de uma vez: dela contam mais, e só se muitos vão a quem é novo.',
      en: 'Many transfers sent within an hour or within 24 hours; also a sign of an account taken over. A company pays its wages at once: of one more are counted, and only if many go to somebody new.',
    },
    version: 3,
    severity: 'MEDIUM',
    category: 'VELOCITY',
    tags: ['velocity', 'account-takeover'],
    appliesTo: applies({ types: [...TRANSFERS], directions: ['OUT'] }),
    parameters: {
      c1h: parameter(10, 'saídas em 1 hora', 'outgoing in 1 hour', 'COUNT'),
      c24h: parameter(30, 'saídas em 24 horas', 'outgoing in 24 hours', 'COUNT'),
      company: parameter(5, 'vezes mais de empresa', 'times as many of a company'),
    },
    aggregates: NEW_BENEFICIARIES,
    when: [
      IS_COMPANY,
      '  ? (outgoing.count1h >= param.company * param.c1h || outgoing.count24h >= param.company * param.c24h)',
      `    && (${IS_BUSY} || aggregate.beneficiaries - aggregate.beneficiariesBefore >= param.c1h)`,
      '  : outgoing.count1h >= param.c1h || outgoing.count24h >= param.c24h',
    ].join('\n'),
    score: { points: 25, group: 'VELOCITY', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'OUTGOING_BURST' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'outgoing.count1h', required: true },
      { feature: 'outgoing.count24h', required: true },
    ],
    message: {
      'pt-BR':
        '{outgoing.count1h} saídas em 1 hora e {outgoing.count24h} em 24 horas; limites {param.c1h} e {param.c24h}.',
      en: '{outgoing.count1h} outgoing in 1 hour and {outgoing.count24h} in 24 hours; thresholds {param.c1h} and {param.c24h}.',
    },
    legalBasis: [circular4001('IV, l', 1056)],
  },
  {
    ...VELOCITY,
    key: 'BR-VEL-11',
    name: { 'pt-BR': 'Pico de valor de saídas', en: 'Spike of outgoing amounts' },
    description: {
      'pt-BR':
        'O total enviado em 24 horas é alto em termos absolutos e muito acima da média diária do cliente.',
      en: 'The sum sent within 24 hours is high in absolute terms and far above the customer’s daily mean.',
    },
    severity: 'MEDIUM',
    category: 'VELOCITY',
    tags: ['velocity'],
    appliesTo: applies({ directions: ['OUT'] }),
    parameters: {
      floor: parameter(20_000, 'total mínimo', 'least sum', 'BRL'),
      factor: parameter(5, 'vezes a média diária', 'times the daily mean'),
      minHistoryDays: parameter(7, 'dias de histórico', 'days of history', 'DAYS'),
    },
    when: [
      'activity.historyDays >= param.minHistoryDays',
      'outgoing.sum24h >= param.floor',
      'outgoing.sum24h >= param.factor * outgoing.dailyMean30d',
    ].join('\n&& '),
    score: { points: 30, group: 'VELOCITY', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'OUTGOING_SPIKE' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'outgoing.sum24h', required: true },
      { feature: 'outgoing.dailyMean30d', required: true },
    ],
    message: {
      'pt-BR':
        'Enviou {outgoing.sum24h} em 24 horas; média diária {outgoing.dailyMean30d}, limite {param.factor} vezes e pelo menos {param.floor}.',
      en: 'Sent {outgoing.sum24h} in 24 hours; daily mean {outgoing.dailyMean30d}, threshold {param.factor} times and at least {param.floor}.',
    },
    legalBasis: [circular4001('IV, i', 1053)],
  },
  {
    ...VELOCITY,
    key: 'BR-CARD-24',
    name: { 'pt-BR': 'Teste de cartão', en: 'Card testing' },
    description: {
      'pt-BR':
        'Várias compras mínimas em dez minutos, várias recusas, ou algumas de ambas: ensaio antes de uma compra grande.',
      en: 'Several tiny purchases within ten minutes, several declines, or some of both: a rehearsal of a large one.',
    },
    version: 2,
    severity: 'HIGH',
    category: 'CARD',
    tags: ['fraud', 'card'],
    appliesTo: applies({ types: ['CARD_PURCHASE'], directions: ['OUT'] }),
    parameters: {
      n: parameter(5, 'compras mínimas', 'tiny purchases', 'COUNT'),
      small: parameter(10, 'valor que é mínimo', 'amount that is tiny', 'BRL'),
      m: parameter(3, 'recusas', 'declines', 'COUNT'),
      some: parameter(3, 'compras mínimas com uma recusa', 'tiny purchases with a decline', 'COUNT'),
    },
    when: [
      'card.amounts10m.count(a, a <= param.small) >= param.n || card.declines10m >= param.m',
      'card.amounts10m.count(a, a <= param.small) >= param.some && card.declines10m >= 1',
    ].join('\n|| '),
    score: { points: 35, group: 'CARD', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'CARD_TESTING' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'card.amounts10m', required: true },
      { feature: 'card.declines10m', required: true },
    ],
    message: {
      'pt-BR':
        '{card.amounts10m.count(a, a <= param.small)} compras de até {param.small} em 10 minutos e {card.declines10m} recusas; limites {param.n} e {param.m}.',
      en: '{card.amounts10m.count(a, a <= param.small)} purchases of at most {param.small} in 10 minutes and {card.declines10m} declines; thresholds {param.n} and {param.m}.',
    },
    legalBasis: [norm('Prática do setor', 'tipologia de teste de cartão')],
  },
];
