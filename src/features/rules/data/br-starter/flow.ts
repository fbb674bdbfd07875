import type { RuleDefinition } from '../../language/index.js';
import {
  applies,
  circular4001,
  fatf,
  IS_BUSY,
  IS_COMPANY,
  IS_OWN,
  NEW_BENEFICIARIES,
  NOT_OWN,
  parameter,
  RECEIVED_BY_TRANSFER,
  TRANSFERS,
  USUAL,
} from './common.js';

const FEW_TO_FEW =
  'outgoing.sum24h <= param.most * aggregate.came24h && aggregate.payers24h <= param.fewPayers';

const FLOW = { ...USUAL, component: 'VELOCITY', category: 'FLOW' } as const;

/** Money that only passes through an account: within a day, from many payers, to many payees, or there and back. */
export const flowRules: readonly RuleDefinition[] = [
  {
    ...FLOW,
    key: 'BR-FLOW-12',
    name: { 'pt-BR': 'Conta de passagem', en: 'Pass-through account' },
    description: {
      'pt-BR':
        'Uma saída leva quase tudo o que entrou nas 24 horas antes dela, ou em valor parecido o que entrou por transferência nas seis horas antes. De empresa, só o que veio de poucos pagadores e em valor parecido; o que vem de conta própria não conta, nem salário ou poupança que vai para ela.',
      en: 'A payment takes away nearly all that came in within the 24 hours before it, or in a similar amount what came by transfer within the six hours before. Of a company only what came from few payers and in a similar amount; what comes from an own account does not count, nor does a salary or savings moved to one.',
    },
    version: 3,
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
      quickIn: parameter(1000, 'entrada mínima em 6 horas', 'least incoming sum of 6 hours', 'BRL'),
    },
    aggregates: {
      came24h: { function: 'sum', by: 'customer', window: '24h', where: `direction == "IN" && ${NOT_OWN}` },
      payers24h: {
        function: 'distinct',
        of: 'counterparty',
        by: 'customer',
        window: '24h',
        where: `direction == "IN" && ${NOT_OWN}`,
      },
      came6h: { function: 'sum', by: 'customer', window: '6h', where: RECEIVED_BY_TRANSFER },
    },
    when: [
      '(aggregate.came24h >= param.minIn && outgoing.sum24h >= param.ratio * aggregate.came24h',
      `  && (${IS_COMPANY} ? ${FEW_TO_FEW} : aggregate.payers24h > 1 || !${IS_OWN})`,
      `|| !${IS_COMPANY} && !${IS_OWN} && aggregate.came6h >= param.quickIn`,
      '  && amountBrl >= param.ratio * aggregate.came6h && amountBrl <= param.most * aggregate.came6h)',
    ].join('\n'),
    score: { points: 45, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'PASS_THROUGH' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'aggregate.came24h', required: true },
      { feature: 'outgoing.sum24h', required: true },
      { feature: 'aggregate.payers24h', required: true },
      { feature: 'aggregate.came6h', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {aggregate.came24h} de outros em 24 h, {aggregate.came6h} por transferência nas últimas 6 h, e transferiu {outgoing.sum24h} em 24 h, agora {amountBrl}; limite {param.ratio}.',
      en: 'Received {aggregate.came24h} from others in 24 h, {aggregate.came6h} by transfer in the last 6 h, and transferred {outgoing.sum24h} in 24 h, {amountBrl} now; threshold {param.ratio}.',
    },
    legalBasis: [circular4001('IV, ad', 1074), circular4001('IV, k', 1055)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-13',
    name: { 'pt-BR': 'Muitos pagadores', en: 'Fan-in: many payers' },
    description: {
      'pt-BR':
        'Pessoa natural recebe de muitos pagadores distintos em pouco tempo, sem contar o maior crédito; ou de bem mais pagadores do que antes.',
      en: 'A natural person receives from many distinct payers in a short time, the largest credit left out; or from far more payers than before.',
    },
    version: 2,
    severity: 'HIGH',
    tags: ['mule'],
    appliesTo: applies({ directions: ['IN'] }),
    parameters: {
      p24: parameter(10, 'pagadores em 24 horas', 'payers in 24 hours', 'COUNT'),
      p7: parameter(25, 'pagadores em 7 dias', 'payers in 7 days', 'COUNT'),
      minSum: parameter(10_000, 'total mínimo', 'least sum', 'BRL'),
      grown: parameter(
        10,
        'pagadores em 7 dias, se antes eram poucos',
        'payers in 7 days, if few before',
        'COUNT',
      ),
      grownSum: parameter(7_000, 'total mínimo, se antes eram poucos', 'least sum, if few before', 'BRL'),
      times: parameter(2, 'vezes os pagadores de antes', 'times the payers before'),
    },
    // A car sold among many small sales is one credit of one payer.
    aggregates: {
      largest24h: { function: 'max', by: 'customer', window: '24h', where: 'direction == "IN"' },
      largest7d: { function: 'max', by: 'customer', window: '7d', where: 'direction == "IN"' },
      payersEarlier: {
        function: 'distinct',
        of: 'counterparty',
        by: 'customer',
        window: '21d',
        offset: '7d',
        where: 'direction == "IN"',
      },
    },
    when: [
      'customer.personType == "NATURAL"',
      '(incoming.payers24h >= param.p24 && incoming.sum24h - aggregate.largest24h >= param.minSum' +
        ' || incoming.payers7d >= param.p7 && incoming.sum7d - aggregate.largest7d >= param.minSum' +
        ' || incoming.payers7d >= param.grown && incoming.payers7d >= param.times * aggregate.payersEarlier' +
        ' && incoming.sum7d - aggregate.largest7d >= param.grownSum)',
    ].join('\n&& '),
    score: { points: 40, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'FAN_IN' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'incoming.payers24h', required: true },
      { feature: 'incoming.payers7d', required: true },
      { feature: 'incoming.sum7d', required: true },
      { feature: 'aggregate.largest7d', required: true },
    ],
    message: {
      'pt-BR':
        'Recebeu {incoming.sum24h} de {incoming.payers24h} pagadores em 24 horas e {incoming.sum7d} de {incoming.payers7d} em 7 dias; o maior crédito {aggregate.largest7d} não conta; limites {param.p24} e {param.p7}, a partir de {param.minSum}.',
      en: 'Received {incoming.sum24h} from {incoming.payers24h} payers in 24 hours and {incoming.sum7d} from {incoming.payers7d} in 7 days; the largest credit {aggregate.largest7d} does not count; thresholds {param.p24} and {param.p7}, from {param.minSum} on.',
    },
    legalBasis: [circular4001('IV, n', 1058)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-14',
    name: { 'pt-BR': 'Muitos beneficiários', en: 'Fan-out: many beneficiaries' },
    description: {
      'pt-BR':
        'Envia a muitos beneficiários distintos em 24 horas; uma empresa, a muitos que são novos e o que entrou nas mesmas 24 horas: salários, também os da semana, vão a quem já os recebia.',
      en: 'Sends to many distinct beneficiaries within 24 hours; a company, to many who are new and what came in within the same 24 hours: wages, those of a week as well, go to whom they went before.',
    },
    version: 3,
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
    aggregates: NEW_BENEFICIARIES,
    when: [
      'outgoing.beneficiaries24h >= param.n && outgoing.sum24h >= param.minSum',
      `(!${IS_COMPANY} || incoming.sum24h >= param.fresh * outgoing.sum24h` +
        ` && (${IS_BUSY} || aggregate.beneficiaries - aggregate.beneficiariesBefore >= param.n))`,
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
      'pt-BR':
        'Valores quase iguais vão e voltam entre o cliente e a mesma contraparte; ou uma pessoa natural manda dinheiro várias vezes a uma empresa, como uma casa de apostas, e recebe de volta a maior parte.',
      en: 'Nearly equal amounts go to and fro between the customer and one counterparty; or a natural person sends money to a company, such as a bookmaker, several times and gets most of it back.',
    },
    version: 2,
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
      company: parameter(4000, 'enviado a uma empresa em 30 dias', 'sent to a company within 30 days', 'BRL'),
      part: parameter(0.7, 'parte que volta dela', 'share that comes back from it', 'PERCENT'),
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
      sent: { function: 'sum', by: 'pair', window: '30d', where: 'direction == "OUT"' },
      sentTimes: { function: 'count', by: 'pair', window: '30d', where: 'direction == "OUT"' },
      returned: { function: 'sum', by: 'pair', window: '30d', where: 'direction == "IN"' },
      returnedTimes: { function: 'count', by: 'pair', window: '30d', where: 'direction == "IN"' },
    },
    when: [
      'amountBrl >= param.floor && aggregate.back >= param.times',
      '|| customer.personType == "NATURAL" && has(counterparty.personType) && counterparty.personType == "LEGAL"',
      '  && aggregate.sentTimes >= param.times && aggregate.returnedTimes >= param.times',
      '  && aggregate.sent >= param.company && aggregate.returned >= param.part * aggregate.sent',
    ].join('\n'),
    score: { points: 60, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'ROUND_TRIP' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'aggregate.back', required: true },
    ],
    message: {
      'pt-BR':
        '{amountBrl} com a mesma contraparte depois de {aggregate.back} operações de valor parecido no sentido contrário em 30 dias; enviado {aggregate.sent}, recebido de volta {aggregate.returned}; limites {param.times} vezes e {param.part}.',
      en: '{amountBrl} with the same counterparty after {aggregate.back} of a similar amount the other way within 30 days; sent {aggregate.sent}, got back {aggregate.returned}; thresholds {param.times} times and {param.part}.',
    },
    legalBasis: [fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-34',
    name: { 'pt-BR': 'Juntado e repassado', en: 'Gathered and sent on' },
    description: {
      'pt-BR':
        'Pessoa natural envia de uma vez quase tudo o que várias pessoas lhe transferiram em 20 dias, também para pagar um empréstimo ou apostar.',
      en: 'A natural person sends at once nearly all that several people have transferred to them within 20 days, also to repay a loan or to bet.',
    },
    severity: 'HIGH',
    tags: ['mule', 'layering'],
    appliesTo: applies({ directions: ['OUT'] }),
    parameters: {
      payers: parameter(2, 'pagadores', 'payers', 'COUNT'),
      floor: parameter(3000, 'total mínimo', 'least sum', 'BRL'),
      low: parameter(0.7, 'parte que sai, ao menos', 'share that goes out, at least', 'PERCENT'),
      high: parameter(1.1, 'parte que sai, no máximo', 'share that goes out, at most', 'PERCENT'),
    },
    aggregates: {
      gathered: { function: 'sum', by: 'customer', window: '20d', where: RECEIVED_BY_TRANSFER },
      gatheredFrom: {
        function: 'distinct',
        of: 'counterparty',
        by: 'customer',
        window: '20d',
        where: RECEIVED_BY_TRANSFER,
      },
    },
    when: [
      `customer.personType == "NATURAL" && !${IS_OWN} && !cash`,
      'aggregate.gathered >= param.floor && aggregate.gatheredFrom >= param.payers',
      'amountBrl >= param.low * aggregate.gathered && amountBrl <= param.high * aggregate.gathered',
    ].join('\n&& '),
    score: { points: 45, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'GATHERED_AND_SENT_ON' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountBrl', required: true },
      { feature: 'aggregate.gathered', required: true },
      { feature: 'aggregate.gatheredFrom', required: true },
    ],
    message: {
      'pt-BR':
        '{amountBrl} de uma vez depois de {aggregate.gathered} de {aggregate.gatheredFrom} pagadores em 20 dias; limites {param.payers} pagadores, {param.floor} e {param.low}.',
      en: '{amountBrl} at once after {aggregate.gathered} from {aggregate.gatheredFrom} payers within 20 days; thresholds {param.payers} payers, {param.floor} and {param.low}.',
    },
    legalBasis: [circular4001('IV, ad', 1074), circular4001('IV, n', 1058)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-37',
    name: {
      'pt-BR': 'Receita de empresa vai a uma pessoa nova',
      en: 'A company’s takings go to one new person',
    },
    description: {
      'pt-BR':
        'Em sete dias, empresa envia grande parte do que recebeu a uma pessoa natural a quem não pagava antes: sinal de loja que vende para sumir.',
      en: 'Within seven days a company sends a large part of what it received to a natural person whom it did not pay before: a sign of a merchant about to vanish.',
    },
    severity: 'HIGH',
    tags: ['bust-out'],
    appliesTo: applies({ types: [...TRANSFERS, 'CRYPTO_*'], directions: ['OUT'] }),
    parameters: {
      floor: parameter(15_000, 'total mínimo', 'least sum', 'BRL'),
      part: parameter(0.4, 'parte do que entrou', 'share of what came in', 'PERCENT'),
      count: parameter(2, 'pagamentos', 'payments', 'COUNT'),
    },
    aggregates: {
      takenOut: { function: 'sum', by: 'pair', window: '7d', where: 'direction == "OUT"' },
      takenTimes: { function: 'count', by: 'pair', window: '7d', where: 'direction == "OUT"' },
      takenBefore: { function: 'count', by: 'pair', window: '60d', offset: '15d' },
    },
    when: [
      `${IS_COMPANY} && has(counterparty.personType) && counterparty.personType == "NATURAL"`,
      'aggregate.takenBefore == 0 && aggregate.takenTimes >= param.count && aggregate.takenOut >= param.floor',
      'aggregate.takenOut >= param.part * incoming.sum7d',
    ].join('\n&& '),
    score: { points: 60, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'TAKINGS_TO_ONE_NEW_PERSON' },
    // Without a counterparty the component COUNTERPARTY names what is missing.
    onIndeterminate: 'RECORD',
    evidence: [
      { feature: 'aggregate.takenOut', required: true },
      { feature: 'aggregate.takenBefore', required: true },
      { feature: 'incoming.sum7d', required: true },
    ],
    message: {
      'pt-BR':
        'Em 7 dias, {aggregate.takenOut} em {aggregate.takenTimes} pagamentos a uma pessoa que não recebia antes, de {incoming.sum7d} que entraram; limites {param.floor} e {param.part}.',
      en: 'Within 7 days, {aggregate.takenOut} in {aggregate.takenTimes} payments to a person who was not paid before, of {incoming.sum7d} that came in; thresholds {param.floor} and {param.part}.',
    },
    legalBasis: [circular4001('IV, ad', 1074), circular4001('IV, k', 1055)],
  },
  {
    ...FLOW,
    key: 'BR-FLOW-38',
    name: { 'pt-BR': 'Depósito e saque sem aposta', en: 'Deposited and withdrawn without play' },
    description: {
      'pt-BR': 'Em sete dias, o cliente de uma casa de apostas saca quase o mesmo que depositou.',
      en: 'Within seven days a customer of a bookmaker withdraws nearly what they deposited.',
    },
    severity: 'HIGH',
    tags: ['bets', 'layering'],
    appliesTo: applies({ types: ['BET_*'], directions: ['OUT'] }),
    parameters: {
      floor: parameter(3000, 'depósitos, ao menos', 'deposits, at least', 'BRL'),
      low: parameter(0.75, 'parte sacada, ao menos', 'share withdrawn, at least', 'PERCENT'),
      high: parameter(1.2, 'parte sacada, no máximo', 'share withdrawn, at most', 'PERCENT'),
    },
    aggregates: {
      staked: {
        function: 'sum',
        by: 'customer',
        window: '7d',
        where: 'instrument == "BET" && direction == "IN"',
      },
      withdrawn: {
        function: 'sum',
        by: 'customer',
        window: '7d',
        where: 'instrument == "BET" && direction == "OUT"',
      },
    },
    when: [
      'aggregate.staked >= param.floor && aggregate.withdrawn >= param.low * aggregate.staked',
      'aggregate.withdrawn <= param.high * aggregate.staked',
    ].join('\n&& '),
    score: { points: 45, group: 'FLOW', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'BETS_WITHOUT_PLAY' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'aggregate.staked', required: true },
      { feature: 'aggregate.withdrawn', required: true },
    ],
    message: {
      'pt-BR':
        'Depositou {aggregate.staked} e sacou {aggregate.withdrawn} em 7 dias; limites {param.floor}, {param.low} e {param.high}.',
      en: 'Deposited {aggregate.staked} and withdrew {aggregate.withdrawn} within 7 days; thresholds {param.floor}, {param.low} and {param.high}.',
    },
    legalBasis: [circular4001('IV, ad', 1074)],
  },
];
