import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import {
  localised,
  circular4001,
  fatf,
  norm,
  parameter,
  stepUp,
  TRANSFERS,
  typology,
  withoutDevice,
} from './common.js';

const NETWORK = { component: 'DEVICE_IP', category: 'NETWORK' } as const;
const CARD = { component: 'VELOCITY', category: 'CARD' } as const;
const VIRTUAL_ASSETS = fatf(
  'Virtual Assets Red Flag Indicators of Money Laundering and Terrorist Financing',
  2020,
);
const STRIPE = norm('Stripe', 'documentation, common types of online fraud: card testing');

/** Devices, addresses and cards that too many customers use, or that a customer changes too often. */
export const networkTypologies: readonly RuleDefinition[] = [
  typology({
    ...NETWORK,
    key: 'TYP-12',
    name: localised(
      'Um dispositivo, vários clientes, um beneficiário',
      'One device, several customers, one payee',
    ),
    description: localised(
      'Em 24 horas, vários clientes pagam o mesmo beneficiário a partir do mesmo dispositivo.',
      'Within 24 hours, several customers pay the same payee from the same device.',
    ),
    severity: 'HIGH',
    tags: ['device', 'mule'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: { customers: parameter(3, 'clientes', 'customers', 'COUNT'), withoutDevice },
    aggregates: {
      customers: {
        function: 'distinct',
        of: 'customer',
        by: 'device',
        window: '24h',
        where: 'direction == "OUT" && same.counterparty',
      },
    },
    // Devices of branches and call centres serve many customers.
    when: '!(channel in param.withoutDevice) && has(device.id) && aggregate.customers >= param.customers',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'SHARED_DEVICE_ONE_PAYEE',
    required: [],
    optional: ['device.id', 'aggregate.customers'],
    message: localised(
      '{aggregate.customers} clientes pagaram este beneficiário pelo mesmo dispositivo em 24 horas; limite {param.customers}.',
      '{aggregate.customers} customers paid this payee from the same device within 24 hours; threshold {param.customers}.',
    ),
    legalBasis: [circular4001('III, l', 1042), VIRTUAL_ASSETS],
  }),
  typology({
    ...NETWORK,
    key: 'TYP-13',
    name: localised(
      'Dispositivo novo, beneficiário novo, valor alto',
      'New device, then a new payee, then a large amount',
    ),
    description: localised(
      'De dispositivo que o cliente não usou em 90 dias sai valor alto para quem ele nunca pagou.',
      'From a device that the customer has not used in 90 days a large amount goes to somebody they never paid.',
    ),
    severity: 'HIGH',
    tags: ['fraud', 'account-takeover'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      least: parameter(3000, 'valor mínimo', 'least amount', 'BRL'),
      history: parameter(7, 'dias de histórico', 'days of history', 'DAYS'),
      withoutDevice,
    },
    aggregates: {
      onDevice: {
        function: 'count',
        by: 'customer',
        window: '90d',
        current: false,
        where: 'same.device',
      },
    },
    when: [
      '!(channel in param.withoutDevice) && has(device.id)',
      'amountBrl >= param.least && !counterparty.seenBefore',
      'activity.historyDays >= param.history && aggregate.onDevice == 0',
    ].join('\n&& '),
    points: 45,
    recommend: 'STEP_UP',
    actions: [stepUp],
    reasonCode: 'NEW_DEVICE_NEW_PAYEE',
    required: ['amountBrl', 'counterparty.seenBefore'],
    optional: ['device.id', 'aggregate.onDevice'],
    message: localised(
      'Primeiro uso do dispositivo em 90 dias e primeiro pagamento ao beneficiário: {amountBrl}; a partir de {param.least}.',
      'First use of the device in 90 days and first payment to the payee: {amountBrl}; from {param.least} on.',
    ),
    legalBasis: [
      norm('FinCEN', 'Advisory FIN-2011-A016, account takeover activity'),
      norm('Tazama', 'rule 030, transfer to unfamiliar creditor account (debtor)'),
      fatf('Illicit Financial Flows from Cyber-Enabled Fraud (with Egmont Group and INTERPOL)', 2023),
    ],
  }),
  typology({
    ...NETWORK,
    key: 'TYP-14',
    name: localised('Muitos endereços IP', 'Many IP addresses'),
    description: localised(
      'Em 24 horas, o cliente movimenta a conta a partir de muitos endereços IP.',
      'Within 24 hours, the customer moves money from many IP addresses.',
    ),
    severity: 'MEDIUM',
    tags: ['ip', 'account-takeover'],
    to: { directions: ['OUT'] },
    parameters: { addresses: parameter(5, 'endereços IP', 'IP addresses', 'COUNT') },
    aggregates: {
      addresses: {
        function: 'distinct',
        of: 'ip',
        by: 'customer',
        window: '24h',
        where: 'direction == "OUT"',
      },
    },
    when: 'aggregate.addresses >= param.addresses',
    points: 25,
    reasonCode: 'MANY_IP_ADDRESSES',
    required: ['outgoing.count24h'],
    message: localised(
      '{outgoing.count24h} saídas em 24 horas, de {aggregate.addresses} endereços IP; limite {param.addresses}.',
      '{outgoing.count24h} outgoing transactions within 24 hours, from {aggregate.addresses} IP addresses; threshold {param.addresses}.',
    ),
    legalBasis: [VIRTUAL_ASSETS],
  }),
  typology({
    ...CARD,
    key: 'TYP-15',
    name: localised('Teste de cartão e compra grande', 'Card testing, then a large purchase'),
    description: localised(
      'Depois de várias compras mínimas em uma hora, o mesmo cartão faz uma compra grande.',
      'After several tiny purchases within an hour the same card makes a large one.',
    ),
    severity: 'HIGH',
    tags: ['fraud', 'card'],
    to: { types: ['CARD_PURCHASE'], directions: ['OUT'] },
    parameters: {
      small: parameter(10, 'valor que é mínimo', 'amount that is tiny', 'BRL'),
      count: parameter(3, 'compras mínimas', 'tiny purchases', 'COUNT'),
      large: parameter(500, 'compra grande', 'large purchase', 'BRL'),
    },
    aggregates: {
      small: {
        function: 'count',
        by: 'card',
        window: '1h',
        current: false,
        where: 'type == "CARD_PURCHASE" && amountBrl <= param.small',
      },
    },
    when: 'amountBrl >= param.large && aggregate.small >= param.count',
    points: 60,
    minOutcome: 'REVIEW',
    recommend: 'HOLD',
    reasonCode: 'CARD_TESTED_THEN_USED',
    required: ['amountBrl'],
    optional: ['aggregate.small'],
    message: localised(
      'Compra de {amountBrl} depois de {aggregate.small} compras de até {param.small} no mesmo cartão em uma hora; limites {param.large} e {param.count}.',
      'Purchase of {amountBrl} after {aggregate.small} purchases of at most {param.small} on the same card within an hour; thresholds {param.large} and {param.count}.',
    ),
    legalBasis: [STRIPE],
  }),
  typology({
    ...CARD,
    key: 'TYP-16',
    name: localised('Vários cartões em um dispositivo', 'Several cards on one device'),
    description: localised(
      'Em 24 horas, compras com vários cartões a partir do mesmo dispositivo.',
      'Within 24 hours, purchases with several cards from the same device.',
    ),
    severity: 'HIGH',
    tags: ['fraud', 'card', 'device'],
    to: { types: ['CARD_PURCHASE'], directions: ['OUT'] },
    parameters: { cards: parameter(4, 'cartões', 'cards', 'COUNT') },
    aggregates: {
      cards: {
        function: 'distinct',
        of: 'card',
        by: 'device',
        window: '24h',
        where: 'type == "CARD_PURCHASE"',
      },
    },
    when: 'has(device.id) && aggregate.cards >= param.cards',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'MANY_CARDS_ON_DEVICE',
    required: [],
    optional: ['device.id', 'aggregate.cards'],
    message: localised(
      '{aggregate.cards} cartões usados no mesmo dispositivo em 24 horas; limite {param.cards}.',
      '{aggregate.cards} cards used on the same device within 24 hours; threshold {param.cards}.',
    ),
    legalBasis: [STRIPE],
  }),
];
