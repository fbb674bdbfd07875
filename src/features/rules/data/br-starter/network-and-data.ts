import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, norm, parameter, TRANSFERS, USUAL, withoutDevice } from './common.js';

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
];
