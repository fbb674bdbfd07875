import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, IS_OWN, norm, parameter, TRANSFERS, USUAL, withoutDevice } from './common.js';

/** Shared devices and addresses, and money of unknown origin. */
export const networkAndDataRules: readonly RuleDefinition[] = [
  {
    ...USUAL,
    key: 'BR-NET-23',
    name: { 'pt-BR': 'IP ou dispositivo de vários clientes', en: 'IP or device of several customers' },
    description: {
      'pt-BR':
        'Vários clientes no mesmo dispositivo; ou, de dispositivo que o cliente não cadastrou, no mesmo IP que não é de rede sabidamente compartilhada.',
      en: 'Several customers on the same device; or, from a device that the customer has not registered, on the same IP address that is not of a network known to be shared.',
    },
    version: 2,
    severity: 'MEDIUM',
    component: 'DEVICE_IP',
    category: 'NETWORK',
    tags: ['network'],
    // Types that customers submit from a device of their own, so that the device is required.
    appliesTo: applies({
      types: [...TRANSFERS, 'BOLETO_PAYMENT', 'FX_OUTBOUND', 'CRYPTO_*', 'BET_*', 'OTHER'],
    }),
    parameters: {
      n: parameter(3, 'clientes em 24 horas', 'customers in 24 hours', 'COUNT'),
      withoutDevice,
    },
    when: [
      '!(channel in param.withoutDevice)',
      // Selling an asset and betting also count: the customer acts, even if the money comes in.
      '(direction == "OUT" || instrument == "CRYPTO" || instrument == "BET")',
      // Carrier NAT: many customers share an address. With a registered device the address proves nothing.
      '(device.customers24h >= param.n || !(has(device.registered) && device.registered) && ip.customers24h >= param.n' +
        " && !list('shared-networks').has(ip.address))",
    ].join('\n&& '),
    score: { points: 30, group: 'NETWORK', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'SHARED_DEVICE_OR_IP' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'device.customers24h', required: true },
      { feature: 'ip.customers24h', required: true },
      { feature: 'ip.address', required: true },
    ],
    lists: ['shared-networks'],
    message: {
      'pt-BR':
        'Em 24 horas, {device.customers24h} clientes no mesmo dispositivo e {ip.customers24h} no mesmo IP; limite {param.n}.',
      en: 'Within 24 hours, {device.customers24h} customers on the same device and {ip.customers24h} on the same IP address; threshold {param.n}.',
    },
    legalBasis: [circular4001('III, l', 1042)],
  },
  {
    ...USUAL,
    key: 'BR-DATA-25',
    name: { 'pt-BR': 'Crédito sem origem identificada', en: 'Credit without identified origin' },
    description: {
      'pt-BR': 'Crédito em conta sem nome, documento nem conta de origem.',
      en: 'A credit to an account without name, document or account of its origin.',
    },
    severity: 'MEDIUM',
    component: 'COUNTERPARTY',
    category: 'DATA_QUALITY',
    tags: ['evidence'],
    appliesTo: applies({ types: ['ACCOUNT_CREDIT'], directions: ['IN'] }),
    parameters: { min: parameter(10_000, 'valor mínimo', 'least amount', 'BRL') },
    when: 'amountBrl >= param.min && !origin.nameGiven && !origin.documentGiven && !origin.accountGiven',
    score: { points: 30, group: 'DATA_QUALITY', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'CREDIT_WITHOUT_ORIGIN' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'amountBrl', required: true }],
    flags: ['EVIDENCE_GAP'],
    message: {
      'pt-BR': 'Crédito de {amountBrl} sem origem identificada; a partir de {param.min}.',
      en: 'Credit of {amountBrl} without identified origin; from {param.min} on.',
    },
    legalBasis: [
      norm('BCB Circular 3.978/2020', 'arts. 28 a 30 (registro de origem e destino)'),
      circular4001('IV, l', 1056),
    ],
  },
  {
    ...USUAL,
    key: 'BR-NET-36',
    name: { 'pt-BR': 'Vários clientes, uma pessoa', en: 'Several customers, one person' },
    description: {
      'pt-BR':
        'Em sete dias, vários clientes pagam à mesma pessoa natural: bem mais clientes do que antes e um valor alto em conjunto, ou cada um quase o mesmo valor semana após semana.',
      en: 'Within seven days several customers pay the same natural person: far more customers than before and a large sum together, or each nearly the same amount week after week.',
    },
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'NETWORK',
    tags: ['network', 'mule', 'extortion'],
    appliesTo: applies({ types: [...TRANSFERS], directions: ['OUT'] }),
    parameters: {
      n: parameter(3, 'clientes em 7 dias', 'customers within 7 days', 'COUNT'),
      // Whom more pay sells to the public; how many paid before is cut off there.
      most: parameter(100, 'clientes em 7 dias, no máximo', 'customers within 7 days, at most', 'COUNT'),
      sum: parameter(3000, 'total em 7 dias', 'sum of 7 days', 'BRL'),
      least: parameter(150, 'pagamento mínimo', 'least payment', 'BRL'),
      weekly: parameter(3, 'clientes, se o valor se repete', 'customers, if the amount repeats', 'COUNT'),
      weeks: parameter(3, 'vezes o mesmo valor em 35 dias', 'times the same amount within 35 days', 'COUNT'),
      times: parameter(2, 'vezes os clientes de antes', 'times the customers before'),
      low: parameter(0.85, 'valor parecido, ao menos', 'similar amount, at least', 'PERCENT'),
      high: parameter(1.15, 'valor parecido, no máximo', 'similar amount, at most', 'PERCENT'),
    },
    aggregates: {
      payingCustomers: {
        function: 'distinct',
        of: 'customer',
        by: 'counterparty',
        window: '7d',
        where: 'direction == "OUT" && amountBrl >= param.least',
      },
      paidByAll: {
        function: 'sum',
        by: 'counterparty',
        window: '7d',
        where: 'direction == "OUT" && amountBrl >= param.least',
      },
      payingBefore: {
        function: 'distinct',
        of: 'customer',
        by: 'counterparty',
        window: '14d',
        offset: '7d',
        where: 'direction == "OUT" && amountBrl >= param.least',
      },
      sameAmount: {
        function: 'count',
        by: 'pair',
        window: '35d',
        where: [
          'direction == "OUT"',
          'amountBrl >= param.low * now.amountBrl && amountBrl <= param.high * now.amountBrl',
        ].join('\n&& '),
      },
      allPayments: { function: 'count', by: 'pair', window: '35d', where: 'direction == "OUT"' },
    },
    when: [
      `!${IS_OWN} && has(counterparty.personType) && counterparty.personType == "NATURAL" && amountBrl >= param.least`,
      'aggregate.payingCustomers <= param.most',
      '(aggregate.payingCustomers >= param.n && aggregate.paidByAll >= param.sum' +
        ' && aggregate.payingCustomers >= param.times * aggregate.payingBefore' +
        ' || aggregate.payingCustomers >= param.weekly && aggregate.sameAmount >= param.weeks && aggregate.sameAmount == aggregate.allPayments)',
    ].join('\n&& '),
    score: { points: 45, group: 'NETWORK', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'SEVERAL_PAY_ONE_PERSON' },
    // Without a counterparty the component COUNTERPARTY names what is missing.
    onIndeterminate: 'RECORD',
    evidence: [
      { feature: 'counterparty.personType', required: false },
      { feature: 'aggregate.payingCustomers', required: false },
      { feature: 'aggregate.paidByAll', required: false },
    ],
    message: {
      'pt-BR':
        'Em 7 dias, {aggregate.payingCustomers} clientes pagaram {aggregate.paidByAll} a esta pessoa; este cliente, {aggregate.sameAmount} vezes o mesmo valor em 35 dias; limites {param.n} e {param.sum}.',
      en: 'Within 7 days, {aggregate.payingCustomers} customers paid {aggregate.paidByAll} to this person; this customer {aggregate.sameAmount} times the same amount within 35 days; thresholds {param.n} and {param.sum}.',
    },
    legalBasis: [circular4001('III, l', 1042), circular4001('IV, n', 1058)],
  },
];
