import type { RuleDefinition } from '../../language/index.js';
import {
  applies,
  circular4001,
  IS_OWN,
  IS_BUSY,
  IS_COMPANY,
  norm,
  parameter,
  SENT_BY_TRANSFER,
  stepUp,
  TRANSFERS,
  USUAL,
  withoutDevice,
} from './common.js';

const PIX_OUT = { ...USUAL, appliesTo: applies({ types: ['PIX_*'], directions: ['OUT'] }) } as const;

/** Payees of 90 days; of two such figures with an hour between them the difference is the new payees of that hour. */
const DISTINCT_PAYEES = {
  function: 'distinct',
  of: 'counterparty',
  by: 'customer',
  window: '90d',
  where: SENT_BY_TRANSFER,
} as const;

/** PIX: fraud markers of DICT, the limits of night and of unregistered devices, first payments of high value. */
export const pixRules: readonly RuleDefinition[] = [
  {
    ...PIX_OUT,
    key: 'BR-PIX-05',
    name: { 'pt-BR': 'Marcações de fraude no DICT', en: 'Fraud markers in DICT' },
    description: {
      'pt-BR':
        'A chave, o titular ou a conta de destino tem fraudes confirmadas ou relatadas no DICT em 30 dias.',
      en: 'The key, owner or account of the destination has frauds confirmed or reported in DICT in 30 days.',
    },
    severity: 'CRITICAL',
    component: 'DICT',
    category: 'DEVICE_FRAUD',
    tags: ['fraud', 'pix'],
    parameters: {
      confirmed: parameter(1, 'fraudes confirmadas', 'confirmed frauds', 'COUNT'),
      reported: parameter(3, 'fraudes relatadas', 'reported frauds', 'COUNT'),
    },
    // A refund returns to its payer, who is not looked up in DICT.
    when: 'type != "PIX_REFUND" && (dict.confirmedFrauds30d >= param.confirmed || dict.reportedFrauds30d >= param.reported)',
    score: { points: 85, group: 'DEVICE_FRAUD', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'DICT_FRAUD_MARKERS' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'dict.confirmedFrauds30d', required: true },
      { feature: 'dict.reportedFrauds30d', required: true },
    ],
    message: {
      'pt-BR':
        'Destino com {dict.confirmedFrauds30d} fraudes confirmadas e {dict.reportedFrauds30d} relatadas no DICT em 30 dias; limites {param.confirmed} e {param.reported}.',
      en: 'The destination has {dict.confirmedFrauds30d} frauds confirmed and {dict.reportedFrauds30d} reported in DICT in 30 days; thresholds {param.confirmed} and {param.reported}.',
    },
    legalBasis: [
      norm('Resolução BCB 501/2025', 'fundada suspeita'),
      norm('Regulamento do Pix', 'marcação de fraude no DICT'),
    ],
  },
  {
    ...PIX_OUT,
    key: 'BR-PIX-15',
    name: { 'pt-BR': 'PIX noturno acima do limite', en: 'Night PIX above the limit' },
    description: {
      'pt-BR':
        'Pessoa natural envia PIX acima do limite noturno, o próprio ou o padrão, entre o início da noite e as 6 horas.',
      en: 'A natural person sends a PIX above the night limit, their own or the default one, between the beginning of the night and 6 o’clock.',
    },
    severity: 'MEDIUM',
    component: 'RULES',
    category: 'LIMITS',
    tags: ['pix', 'night'],
    parameters: {
      limit: parameter(1000, 'limite noturno padrão', 'default night limit', 'BRL'),
      nightStart: parameter(20, 'hora em que a noite começa', 'hour at which the night begins'),
      nightEnd: parameter(6, 'hora em que a noite termina', 'hour at which the night ends'),
      timeZone: parameter('America/Sao_Paulo', 'fuso horário', 'time zone'),
    },
    when: [
      `customer.personType == "NATURAL" && !${IS_OWN}`,
      'amountBrl > (has(profile.nightLimit) ? profile.nightLimit : param.limit)',
      '(occurredAt.localHour(param.timeZone) >= (has(profile.nightStartHour) ? profile.nightStartHour : param.nightStart)' +
        ' || occurredAt.localHour(param.timeZone) < param.nightEnd)',
    ].join('\n&& '),
    score: {
      points: 20,
      group: 'LIMITS',
      groupMax: null,
      tiers: [{ when: '!counterparty.seenBefore', points: 35 }],
    },
    effect: { minOutcome: null, recommend: 'STEP_UP', reasonCode: 'PIX_NIGHT_LIMIT' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'occurredAt', required: true },
      { feature: 'counterparty.seenBefore', required: false },
    ],
    actions: [stepUp],
    message: {
      'pt-BR':
        'PIX de {amountBrl} às {occurredAt.localHour(param.timeZone)} h; limite noturno {has(profile.nightLimit) ? profile.nightLimit : param.limit as brl}.',
      en: 'PIX of {amountBrl} at hour {occurredAt.localHour(param.timeZone)}; night limit {has(profile.nightLimit) ? profile.nightLimit : param.limit as brl}.',
    },
    legalBasis: [norm('Resolução BCB 142/2021', 'limite noturno')],
  },
  {
    ...PIX_OUT,
    key: 'BR-PIX-16',
    name: { 'pt-BR': 'PIX por dispositivo não cadastrado', en: 'PIX from an unregistered device' },
    description: {
      'pt-BR':
        'PIX acima dos limites por transação ou por dia a partir de dispositivo que o cliente não cadastrou.',
      en: 'A PIX above the limits per transaction or per day from a device that the customer has not registered.',
    },
    severity: 'MEDIUM',
    component: 'DEVICE_IP',
    category: 'LIMITS',
    tags: ['pix', 'device'],
    parameters: {
      perTx: parameter(200, 'limite por transação', 'limit per transaction', 'BRL'),
      perDay: parameter(1000, 'limite por dia', 'limit per day', 'BRL'),
      withoutDevice,
    },
    when: [
      '!(channel in param.withoutDevice) && !device.registered',
      '(amountBrl > param.perTx || device.pixOutSumDay > param.perDay)',
    ].join('\n&& '),
    score: { points: 30, group: 'LIMITS', groupMax: null },
    effect: { minOutcome: null, recommend: 'STEP_UP', reasonCode: 'PIX_UNREGISTERED_DEVICE' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'device.registered', required: true },
      { feature: 'device.pixOutSumDay', required: true },
    ],
    actions: [stepUp],
    message: {
      'pt-BR':
        'PIX de {amountBrl} por dispositivo não cadastrado, {device.pixOutSumDay} no dia; limites {param.perTx} por transação e {param.perDay} por dia.',
      en: 'PIX of {amountBrl} from an unregistered device, {device.pixOutSumDay} today; limits {param.perTx} per transaction and {param.perDay} per day.',
    },
    legalBasis: [norm('Resolução BCB 403/2024', 'R$ 200 por transação e R$ 1.000 por dia')],
  },
  {
    ...USUAL,
    key: 'BR-PIX-17',
    name: { 'pt-BR': 'Primeiro pagamento de alto valor', en: 'First payment of high value' },
    description: {
      'pt-BR': 'Primeiro pagamento a um beneficiário, alto em termos absolutos e para o cliente.',
      en: 'The first payment to a beneficiary, high in absolute terms and for the customer.',
    },
    severity: 'MEDIUM',
    component: 'COUNTERPARTY',
    category: 'DEVICE_FRAUD',
    tags: ['fraud', 'social-engineering'],
    appliesTo: applies({ types: [...TRANSFERS, 'CRYPTO_*'], directions: ['OUT'] }),
    parameters: {
      floor: parameter(5000, 'valor mínimo', 'least amount', 'BRL'),
      factor: parameter(3, 'vezes o percentil 95', 'times the 95th percentile'),
    },
    when: '!counterparty.seenBefore && amountBrl >= param.floor && amountBrl >= param.factor * outgoing.p95Amount30d',
    score: { points: 20, group: 'DEVICE_FRAUD', groupMax: null },
    effect: { minOutcome: null, recommend: 'STEP_UP', reasonCode: 'FIRST_PAYMENT_HIGH_VALUE' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'outgoing.p95Amount30d', required: true },
    ],
    actions: [stepUp],
    message: {
      'pt-BR':
        'Primeiro pagamento ao beneficiário: {amountBrl}; mínimo {param.floor} e {param.factor} vezes {outgoing.p95Amount30d} (percentil 95 de 30 dias).',
      en: 'First payment to the beneficiary: {amountBrl}; least amount {param.floor} and {param.factor} times {outgoing.p95Amount30d} (95th percentile of 30 days).',
    },
    legalBasis: [circular4001('IV, i', 1053)],
  },
  {
    ...USUAL,
    key: 'BR-PIX-29',
    name: { 'pt-BR': 'Pessoa idosa paga a quem não conhece', en: 'An elderly person pays somebody new' },
    description: {
      'pt-BR':
        'Pessoa idosa paga, de uma vez ou aos poucos em 15 dias, valor alto para a renda dela a quem não pagava antes.',
      en: 'An elderly person pays, at once or bit by bit within 15 days, much for their income to somebody whom they did not pay before.',
    },
    severity: 'MEDIUM',
    component: 'PROFILE',
    category: 'DEVICE_FRAUD',
    tags: ['fraud', 'social-engineering', 'elderly'],
    appliesTo: applies({ types: [...TRANSFERS, 'CRYPTO_*'], directions: ['OUT'] }),
    parameters: {
      age: parameter(60, 'idade a partir de', 'age from', 'COUNT'),
      floor: parameter(500, 'valor mínimo', 'least amount', 'BRL'),
      part: parameter(0.25, 'parte da renda mensal', 'share of the monthly income', 'PERCENT'),
      unknown: parameter(5000, 'valor com renda desconhecida', 'amount with an unknown income', 'BRL'),
    },
    aggregates: {
      paid: { function: 'sum', by: 'pair', window: '15d', where: 'direction == "OUT"' },
      before: { function: 'count', by: 'pair', window: '75d', offset: '15d' },
    },
    // Other rules cover customers of unknown age.
    when: [
      `has(profile.age) && profile.age >= param.age && !${IS_OWN} && aggregate.before == 0`,
      '(has(profile.monthlyIncome)' +
        ' ? aggregate.paid >= param.floor && aggregate.paid >= param.part * profile.monthlyIncome' +
        ' : aggregate.paid >= param.unknown)',
    ].join('\n&& '),
    score: {
      points: 20,
      group: 'DEVICE_FRAUD',
      groupMax: null,
      // A month's income is gone: somebody speaks with the customer before more of it goes.
      tiers: [
        {
          when: 'aggregate.paid >= (has(profile.monthlyIncome) ? profile.monthlyIncome : param.unknown)',
          points: 60,
        },
      ],
    },
    effect: { minOutcome: null, recommend: 'STEP_UP', reasonCode: 'ELDERLY_PAYS_SOMEBODY_NEW' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'profile.age', required: false },
      { feature: 'profile.monthlyIncome', required: false },
      { feature: 'aggregate.paid', required: true },
      { feature: 'aggregate.before', required: true },
    ],
    actions: [stepUp],
    message: {
      'pt-BR':
        'Pessoa de {param.age} anos ou mais pagou {aggregate.paid} em 15 dias a quem não pagava antes; a partir de {param.floor} e {param.part} da renda mensal.',
      en: 'A person of {param.age} years or more has paid {aggregate.paid} within 15 days to somebody whom they did not pay before; from {param.floor} and {param.part} of the monthly income on.',
    },
    legalBasis: [norm('Lei 10.741/2003', 'art. 102'), circular4001('IV, i', 1053)],
  },
  {
    ...USUAL,
    key: 'BR-PIX-32',
    name: { 'pt-BR': 'Vários beneficiários novos em uma hora', en: 'Several new payees within an hour' },
    description: {
      'pt-BR':
        'Em uma hora, pessoa natural paga a vários beneficiários a quem não pagava antes, muito mais do que costuma pagar em um dia: sinal de quem paga sob orientação de golpista, mesmo do próprio aparelho. Não olha contas com 2.000 operações ou mais em 90 dias.',
      en: 'Within an hour a natural person pays several payees whom they did not pay before, far more than they usually pay in a day: a sign of somebody whom a fraudster directs, even from their own device. Does not look at accounts with 2,000 transactions or more in 90 days.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'DEVICE_FRAUD',
    tags: ['fraud', 'social-engineering', 'account-takeover'],
    appliesTo: applies({ types: [...TRANSFERS], directions: ['OUT'] }),
    parameters: {
      n: parameter(3, 'beneficiários novos', 'new payees', 'COUNT'),
      floor: parameter(2500, 'total mínimo', 'least sum', 'BRL'),
      factor: parameter(6, 'vezes a média diária', 'times the daily mean'),
    },
    aggregates: {
      payeesBefore: { ...DISTINCT_PAYEES, offset: '1h' },
      payees: DISTINCT_PAYEES,
      sentHour: { function: 'sum', by: 'customer', window: '1h', where: SENT_BY_TRANSFER },
    },
    when: [
      `!${IS_COMPANY} && !${IS_OWN} && !(${IS_BUSY}) && aggregate.payees - aggregate.payeesBefore >= param.n`,
      'aggregate.sentHour >= param.floor && aggregate.sentHour >= param.factor * outgoing.dailyMean30d',
    ].join('\n&& '),
    score: { points: 60, group: 'DEVICE_FRAUD', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'SEVERAL_NEW_PAYEES' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'aggregate.payees', required: true },
      { feature: 'aggregate.payeesBefore', required: true },
      { feature: 'aggregate.sentHour', required: true },
      { feature: 'outgoing.dailyMean30d', required: true },
    ],
    message: {
      'pt-BR':
        'Em uma hora, {aggregate.sentHour} em transferências e {aggregate.payees - aggregate.payeesBefore as count} beneficiários novos; média diária {outgoing.dailyMean30d}; limites {param.n}, {param.floor} e {param.factor} vezes.',
      en: 'Within an hour, {aggregate.sentHour} in transfers and {aggregate.payees - aggregate.payeesBefore as count} new payees; daily mean {outgoing.dailyMean30d}; thresholds {param.n}, {param.floor} and {param.factor} times.',
    },
    legalBasis: [norm('Resolução BCB 501/2025', 'fundada suspeita'), circular4001('IV, i', 1053)],
  },
  {
    ...USUAL,
    key: 'BR-PIX-33',
    name: { 'pt-BR': 'Valores crescentes a quem é novo', en: 'Rising sums to somebody new' },
    description: {
      'pt-BR':
        'Pessoa natural paga, em semanas, valores cada vez maiores a um beneficiário a quem não pagava antes: sinal de golpe de relacionamento ou de investimento falso.',
      en: 'Over weeks a natural person pays larger and larger amounts to a payee whom they did not pay before: a sign of a romance scam or a false investment.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'DEVICE_FRAUD',
    tags: ['fraud', 'social-engineering'],
    appliesTo: applies({ types: [...TRANSFERS, 'CRYPTO_*', 'FX_OUTBOUND'], directions: ['OUT'] }),
    parameters: {
      count: parameter(4, 'pagamentos', 'payments', 'COUNT'),
      floor: parameter(2000, 'total mínimo', 'least sum', 'BRL'),
      growth: parameter(2.5, 'vezes o primeiro valor', 'times the first amount'),
      mean: parameter(1.4, 'vezes o valor médio', 'times the mean amount'),
      recent: parameter(0.5, 'parte nos últimos 15 dias', 'share of the last 15 days', 'PERCENT'),
    },
    aggregates: {
      given: { function: 'sum', by: 'pair', window: '60d', where: 'direction == "OUT"' },
      givenTimes: { function: 'count', by: 'pair', window: '60d', where: 'direction == "OUT"' },
      firstGiven: {
        function: 'first',
        of: 'amountBrl',
        by: 'pair',
        window: '60d',
        where: 'direction == "OUT"',
      },
      largestGiven: {
        function: 'max',
        by: 'pair',
        window: '60d',
        where: 'direction == "OUT"',
        current: false,
      },
      paid: { function: 'sum', by: 'pair', window: '15d', where: 'direction == "OUT"' },
      givenBefore: { function: 'count', by: 'pair', window: '30d', offset: '60d' },
    },
    when: [
      `customer.personType == "NATURAL" && !${IS_OWN} && aggregate.givenBefore == 0`,
      'aggregate.givenTimes >= param.count && aggregate.given >= param.floor',
      'amountBrl >= aggregate.largestGiven && amountBrl >= param.growth * aggregate.firstGiven',
      'amountBrl * aggregate.givenTimes >= param.mean * aggregate.given',
      'aggregate.paid >= param.recent * aggregate.given',
    ].join('\n&& '),
    score: { points: 60, group: 'DEVICE_FRAUD', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'RISING_SUMS_TO_SOMEBODY_NEW' },
    // Without a counterparty the component COUNTERPARTY names what is missing.
    onIndeterminate: 'RECORD',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'aggregate.given', required: true },
      { feature: 'aggregate.firstGiven', required: false },
      { feature: 'aggregate.largestGiven', required: false },
    ],
    message: {
      'pt-BR':
        '{aggregate.givenTimes} pagamentos em 60 dias a quem não recebia antes, de {aggregate.firstGiven} a {amountBrl}, no total de {aggregate.given}; limites {param.count}, {param.growth} vezes e {param.floor}.',
      en: '{aggregate.givenTimes} payments within 60 days to somebody who was not paid before, from {aggregate.firstGiven} to {amountBrl}, {aggregate.given} in all; thresholds {param.count}, {param.growth} times and {param.floor}.',
    },
    legalBasis: [norm('Resolução BCB 501/2025', 'fundada suspeita'), circular4001('IV, i', 1053)],
  },
];
