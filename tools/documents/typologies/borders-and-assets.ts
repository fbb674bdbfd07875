import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { localised, circular4001, fatf, norm, parameter, typology } from './common.js';

const VIRTUAL_ASSETS = fatf(
  'Virtual Assets Red Flag Indicators of Money Laundering and Terrorist Financing',
  2020,
);

/** Money that leaves the country, and virtual assets. */
export const borderTypologies: readonly RuleDefinition[] = [
  typology({
    key: 'TYP-21',
    name: localised('Espécie e logo remessa ao exterior', 'Cash, then at once a transfer abroad'),
    description: localised(
      'O que foi depositado em espécie nas últimas 48 horas segue quase todo ao exterior.',
      'What was deposited in cash within the last 48 hours goes abroad nearly whole.',
    ),
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'FLOW',
    tags: ['cash', 'cross-border'],
    to: { types: ['FX_OUTBOUND'], directions: ['OUT'] },
    parameters: {
      least: parameter(5000, 'espécie em 48 horas', 'cash of 48 hours', 'BRL'),
      share: parameter(0.8, 'parte que segue', 'share that goes on', 'PERCENT'),
    },
    aggregates: {
      cash: { function: 'sum', by: 'customer', window: '48h', where: 'direction == "IN" && cash' },
    },
    when: 'aggregate.cash >= param.least && amountBrl >= param.share * aggregate.cash',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'CASH_THEN_ABROAD',
    required: ['amountBrl'],
    message: localised(
      'Remessa de {amountBrl} ao exterior; {aggregate.cash} em espécie nas 48 horas anteriores. Limites {param.least} e {param.share}.',
      'Transfer of {amountBrl} abroad; {aggregate.cash} in cash within the 48 hours before. Thresholds {param.least} and {param.share}.',
    ),
    legalBasis: [fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021)],
  }),
  typology({
    key: 'TYP-22',
    name: localised(
      'País de risco alto, valor alto ou muitos países',
      'High-risk country, large or one of many',
    ),
    description: localised(
      'Envio a país sob chamada à ação ou monitoramento do GAFI, de valor alto ou por quem em 30 dias enviou a vários países.',
      'A transfer to a country under a FATF call for action or monitoring, large or by a customer who sent to several countries within 30 days.',
    ),
    severity: 'HIGH',
    component: 'COUNTERPARTY',
    category: 'GEO',
    tags: ['country'],
    to: { directions: ['OUT'] },
    parameters: {
      large: parameter(10_000, 'valor alto', 'large amount', 'BRL'),
      places: parameter(3, 'países estrangeiros', 'foreign countries', 'COUNT'),
      home: parameter('BR', 'país de casa', 'home country'),
    },
    aggregates: {
      places: {
        function: 'distinct',
        of: 'destination.country',
        by: 'customer',
        window: '30d',
        where: 'direction == "OUT" && destination.country != param.home',
      },
    },
    when: [
      'countries.exists(c,',
      "  list('fatf-call-for-action').has(c) || list('fatf-increased-monitoring').has(c)",
      ') && (amountBrl >= param.large || aggregate.places >= param.places)',
    ].join('\n'),
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'HIGH_RISK_COUNTRY_FLOW',
    required: ['countries', 'amountBrl'],
    lists: ['fatf-call-for-action', 'fatf-increased-monitoring'],
    message: localised(
      '{amountBrl}, países {countries}; em 30 dias {aggregate.places} países estrangeiros. Limites {param.large} e {param.places}.',
      '{amountBrl}, countries {countries}; {aggregate.places} foreign countries within 30 days. Thresholds {param.large} and {param.places}.',
    ),
    legalBasis: [circular4001('X, a', 1110), norm('FATF', 'Recommendation 19, higher-risk countries')],
  }),
  typology({
    key: 'TYP-23',
    name: localised('Dinheiro que só atravessa criptoativos', 'Money that only crosses virtual assets'),
    description: localised(
      'O que entra em 24 horas compra criptoativos, que saem em até duas horas para uma carteira.',
      'What comes in within 24 hours buys virtual assets, which leave for a wallet within two hours.',
    ),
    severity: 'HIGH',
    component: 'VELOCITY',
    category: 'FLOW',
    tags: ['crypto', 'layering'],
    to: { types: ['CRYPTO_TRANSFER'], directions: ['OUT'] },
    parameters: {
      least: parameter(5000, 'compra mínima', 'least purchase', 'BRL'),
      share: parameter(0.8, 'parte que passa', 'share that passes', 'PERCENT'),
    },
    aggregates: {
      received: {
        function: 'sum',
        by: 'customer',
        window: '24h',
        where: 'direction == "IN" && instrument != "CRYPTO"',
      },
      bought: { function: 'sum', by: 'customer', window: '2h', where: 'type == "CRYPTO_BUY"' },
    },
    when: [
      'aggregate.bought >= param.least && aggregate.received >= param.share * aggregate.bought',
      'amountBrl >= param.share * aggregate.bought',
    ].join('\n&& '),
    points: 50,
    minOutcome: 'REVIEW',
    reasonCode: 'CRYPTO_IN_AND_OUT',
    required: ['amountBrl'],
    message: localised(
      'Recebeu {aggregate.received} em 24 horas, comprou {aggregate.bought} em criptoativos em 2 horas e retirou {amountBrl}; limites {param.least} e {param.share}.',
      'Received {aggregate.received} in 24 hours, bought {aggregate.bought} of virtual assets in 2 hours and withdrew {amountBrl}; thresholds {param.least} and {param.share}.',
    ),
    legalBasis: [VIRTUAL_ASSETS],
  }),
  typology({
    key: 'TYP-24',
    name: localised('Várias carteiras autocustodiadas', 'Several unhosted wallets'),
    description: localised(
      'Em 7 dias, retiradas de criptoativos para várias carteiras, e esta é autocustodiada e sem dono verificado.',
      'Within 7 days, virtual assets go to several wallets, and this one is self-hosted without a verified owner.',
    ),
    severity: 'HIGH',
    component: 'COUNTERPARTY',
    category: 'FLOW',
    tags: ['crypto', 'wallet'],
    to: { types: ['CRYPTO_TRANSFER'], directions: ['OUT'] },
    parameters: { wallets: parameter(3, 'carteiras', 'wallets', 'COUNT') },
    aggregates: {
      wallets: {
        function: 'distinct',
        of: 'counterparty',
        by: 'customer',
        window: '7d',
        where: 'type == "CRYPTO_TRANSFER" && direction == "OUT"',
      },
    },
    // A missing custody leaves the rule undecided; a missing verification of the owner counts as none.
    when: [
      'wallet.custody == "SELF_HOSTED" && !(has(wallet.ownerVerified) && wallet.ownerVerified)',
      'aggregate.wallets >= param.wallets',
    ].join('\n&& '),
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'UNHOSTED_WALLETS',
    required: ['wallet.custody'],
    message: localised(
      '{aggregate.wallets} carteiras em 7 dias; esta é autocustodiada e sem dono verificado. Limite {param.wallets}.',
      '{aggregate.wallets} wallets within 7 days; this one is self-hosted without a verified owner. Threshold {param.wallets}.',
    ),
    legalBasis: [VIRTUAL_ASSETS, norm('FinCEN', 'Advisory FIN-2019-A003, convertible virtual currency')],
  }),
];
