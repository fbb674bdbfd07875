import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { localised, circular4001, fatf, norm, parameter, TRANSFERS, typology } from './common.js';

const FLOW = { component: 'VELOCITY', category: 'FLOW' } as const;
const CREDIT = [...TRANSFERS, 'ACCOUNT_CREDIT'] as const;

/** Money that only passes through: in and out again, collected from many, spread to many, or there and back. */
export const flowTypologies: readonly RuleDefinition[] = [
  typology({
    ...FLOW,
    key: 'TYP-06',
    name: localised('Entra e sai em minutos', 'In and out again within minutes'),
    description: localised(
      'O que entrou há menos de 30 minutos sai, nesta ordem e em valor quase igual.',
      'What came in less than 30 minutes ago goes out, in this order and in nearly the same amount.',
    ),
    severity: 'HIGH',
    tags: ['mule', 'layering'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      floor: parameter(1000, 'entrada mínima', 'least incoming amount', 'BRL'),
      low: parameter(0.9, 'parte que sai, ao menos', 'least share that goes out', 'PERCENT'),
    },
    aggregates: {
      matched: {
        function: 'count',
        by: 'customer',
        window: '30m',
        current: false,
        where: [
          'direction == "IN" && occurredAt < now.occurredAt && amountBrl >= param.floor',
          'now.amountBrl >= param.low * amountBrl && now.amountBrl <= amountBrl',
        ].join('\n&& '),
      },
    },
    when: 'aggregate.matched >= 1',
    points: 45,
    minOutcome: 'REVIEW',
    reasonCode: 'PASS_THROUGH_IN_MINUTES',
    required: ['amountBrl'],
    message: localised(
      'Envio de {amountBrl} menos de 30 minutos depois de entrada de valor quase igual (de {param.low} a 100%).',
      'Transfer of {amountBrl} less than 30 minutes after an incoming one of nearly the same amount ({param.low} to 100%).',
    ),
    legalBasis: [
      circular4001('IV, ad', 1074),
      circular4001('IV, k', 1055),
      fatf('Illicit Financial Flows from Cyber-Enabled Fraud (with Egmont Group and INTERPOL)', 2023),
      norm('Tazama', 'rule 027, commissioned transaction mirroring (debtor)'),
    ],
  }),
  typology({
    ...FLOW,
    key: 'TYP-07',
    name: localised('Conta-funil', 'Funnel account'),
    description: localised(
      'Em 7 dias, espécie depositada em várias agências vai quase toda a um só beneficiário. Pede o campo personalizado `branch`, com história.',
      'Within 7 days, cash deposited at several branches goes nearly whole to one payee. Needs the custom field `branch`, with history.',
    ),
    severity: 'HIGH',
    tags: ['cash', 'mule'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      branches: parameter(3, 'agências', 'branches', 'COUNT'),
      least: parameter(20_000, 'espécie em 7 dias', 'cash in 7 days', 'BRL'),
      share: parameter(0.8, 'parte que sai', 'share that goes out', 'PERCENT'),
    },
    aggregates: {
      branches: {
        function: 'distinct',
        of: 'custom.branch',
        by: 'customer',
        window: '7d',
        where: 'type == "CASH_DEPOSIT"',
      },
      cash: { function: 'sum', by: 'customer', window: '7d', where: 'type == "CASH_DEPOSIT"' },
      sent: { function: 'sum', by: 'customer', window: '7d', where: 'direction == "OUT"' },
      payees: {
        function: 'distinct',
        of: 'counterparty',
        by: 'customer',
        window: '7d',
        where: 'direction == "OUT"',
      },
    },
    customFields: {
      branch: {
        number: 1,
        name: 'branch',
        path: 'branch',
        type: 'string',
        types: ['CASH_DEPOSIT'],
        personal: false,
        history: 'VALUE',
        label: localised('a agência', 'the branch'),
      },
    },
    when: [
      'aggregate.branches >= param.branches && aggregate.cash >= param.least',
      'aggregate.sent >= param.share * aggregate.cash && aggregate.payees == 1',
    ].join('\n&& '),
    points: 50,
    minOutcome: 'REVIEW',
    reasonCode: 'FUNNEL_ACCOUNT',
    required: ['amountBrl'],
    message: localised(
      'Espécie de {aggregate.cash} depositada em {aggregate.branches} agências em 7 dias; {aggregate.sent} a um só beneficiário. Limites {param.branches} agências, {param.least} e {param.share}.',
      'Cash of {aggregate.cash} deposited at {aggregate.branches} branches within 7 days; {aggregate.sent} to one payee alone. Thresholds {param.branches} branches, {param.least} and {param.share}.',
    ),
    legalBasis: [norm('FinCEN', 'Advisory FIN-2014-A005, funnel accounts'), circular4001('IV, k', 1055)],
  }),
  typology({
    ...FLOW,
    key: 'TYP-08',
    name: localised('Uma entrada espalhada por muitos', 'One receipt scattered over many'),
    description: localised(
      'Em 24 horas, uma entrada grande sai dividida por vários beneficiários.',
      'Within 24 hours, one large incoming amount goes out split over several payees.',
    ),
    severity: 'HIGH',
    tags: ['layering'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      least: parameter(10_000, 'maior entrada, ao menos', 'largest incoming amount, at least', 'BRL'),
      payees: parameter(5, 'beneficiários', 'payees', 'COUNT'),
      share: parameter(0.8, 'parte que sai', 'share that goes out', 'PERCENT'),
    },
    aggregates: {
      received: { function: 'max', by: 'customer', window: '24h', where: 'direction == "IN"' },
    },
    // Without incoming money there is no largest amount, and nothing to scatter.
    when: [
      'has(aggregate.received) && aggregate.received >= param.least',
      'outgoing.beneficiaries24h >= param.payees && outgoing.sum24h >= param.share * aggregate.received',
    ].join('\n&& '),
    points: 40,
    minOutcome: 'REVIEW',
    reasonCode: 'SCATTERED_RECEIPT',
    required: ['outgoing.beneficiaries24h', 'outgoing.sum24h'],
    optional: ['aggregate.received'],
    message: localised(
      'Entrada de {aggregate.received}; {outgoing.sum24h} a {outgoing.beneficiaries24h} beneficiários em 24 horas. Limites {param.least}, {param.payees} e {param.share}.',
      'Received {aggregate.received}; {outgoing.sum24h} to {outgoing.beneficiaries24h} payees within 24 hours. Thresholds {param.least}, {param.payees} and {param.share}.',
    ),
    legalBasis: [
      circular4001('IV, c', 1047),
      fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021),
      norm('Tazama', 'rule 017, transaction divergence (debtor)'),
    ],
  }),
  typology({
    ...FLOW,
    key: 'TYP-09',
    name: localised('Vai e volta entre dois', 'Back and forth between a pair'),
    description: localised(
      'Em 7 dias, cliente e contraparte trocam várias vezes quase o mesmo total.',
      'Within 7 days, a customer and a counterparty exchange nearly the same sum several times.',
    ),
    severity: 'MEDIUM',
    tags: ['layering', 'round-trip'],
    to: { types: [...TRANSFERS] },
    parameters: {
      times: parameter(2, 'vezes em cada sentido', 'times in each direction', 'COUNT'),
      least: parameter(10_000, 'total enviado, ao menos', 'sum sent, at least', 'BRL'),
      low: parameter(0.9, 'parte que volta, ao menos', 'least share that returns', 'PERCENT'),
      high: parameter(1.1, 'parte que volta, no máximo', 'largest share that returns', 'PERCENT'),
    },
    aggregates: {
      outs: { function: 'count', by: 'pair', window: '7d', where: 'direction == "OUT"' },
      ins: { function: 'count', by: 'pair', window: '7d', where: 'direction == "IN"' },
      sent: { function: 'sum', by: 'pair', window: '7d', where: 'direction == "OUT"' },
      returned: { function: 'sum', by: 'pair', window: '7d', where: 'direction == "IN"' },
    },
    when: [
      'aggregate.outs >= param.times && aggregate.ins >= param.times && aggregate.sent >= param.least',
      'aggregate.returned >= param.low * aggregate.sent && aggregate.returned <= param.high * aggregate.sent',
    ].join('\n&& '),
    points: 35,
    reasonCode: 'ROUND_TRIP',
    required: ['amountBrl'],
    message: localised(
      'Em 7 dias, {aggregate.sent} enviados em {aggregate.outs} vezes à mesma contraparte, que devolveu {aggregate.returned} em {aggregate.ins}; faixa de {param.low} a {param.high}.',
      'Within 7 days, {aggregate.sent} sent in {aggregate.outs} transfers to one counterparty, who returned {aggregate.returned} in {aggregate.ins}; band {param.low} to {param.high}.',
    ),
    legalBasis: [fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021)],
  }),
  typology({
    ...FLOW,
    key: 'TYP-10',
    name: localised('Ciclo de compras e estornos', 'Cycle of purchases and refunds'),
    description: localised(
      'Em 30 dias, vários estornos devolvem grande parte do que foi comprado com cartão.',
      'Within 30 days, several refunds return a large part of what was bought by card.',
    ),
    severity: 'MEDIUM',
    tags: ['card', 'refund'],
    to: { types: ['CARD_REFUND'], directions: ['IN'] },
    parameters: {
      count: parameter(3, 'estornos', 'refunds', 'COUNT'),
      least: parameter(1000, 'total estornado, ao menos', 'sum refunded, at least', 'BRL'),
      share: parameter(0.5, 'parte estornada', 'share that is refunded', 'PERCENT'),
    },
    aggregates: {
      count: { function: 'count', by: 'customer', window: '30d', where: 'type == "CARD_REFUND"' },
      refunded: { function: 'sum', by: 'customer', window: '30d', where: 'type == "CARD_REFUND"' },
      bought: { function: 'sum', by: 'customer', window: '30d', where: 'type == "CARD_PURCHASE"' },
    },
    when: [
      'aggregate.count >= param.count && aggregate.refunded >= param.least',
      'aggregate.refunded >= param.share * aggregate.bought',
    ].join('\n&& '),
    points: 30,
    reasonCode: 'REFUND_CYCLE',
    required: ['amountBrl'],
    message: localised(
      '{aggregate.count} estornos de {aggregate.refunded} em 30 dias, sobre compras de {aggregate.bought}; limites {param.count}, {param.least} e {param.share}.',
      '{aggregate.count} refunds of {aggregate.refunded} within 30 days, over purchases of {aggregate.bought}; thresholds {param.count}, {param.least} and {param.share}.',
    ),
    legalBasis: [norm('Stripe', 'documentation, common types of online fraud: friendly fraud')],
  }),
  typology({
    ...FLOW,
    key: 'TYP-11',
    name: localised('Boleto pago a mais e devolvido', 'Boleto overpaid and returned'),
    description: localised(
      'Em 15 dias, quem recebeu boletos do cliente lhe devolve parte por outro meio.',
      'Within 15 days, the payee of boletos of the customer returns a part of them by other means.',
    ),
    severity: 'MEDIUM',
    tags: ['boleto', 'refund'],
    to: { types: [...CREDIT], directions: ['IN'] },
    parameters: {
      least: parameter(5000, 'boletos pagos, ao menos', 'boletos paid, at least', 'BRL'),
      share: parameter(0.2, 'parte devolvida', 'share that is returned', 'PERCENT'),
    },
    aggregates: {
      paid: { function: 'sum', by: 'pair', window: '15d', where: 'type == "BOLETO_PAYMENT"' },
      returned: { function: 'sum', by: 'pair', window: '15d', where: 'direction == "IN"' },
    },
    when: 'aggregate.paid >= param.least && aggregate.returned >= param.share * aggregate.paid',
    points: 30,
    reasonCode: 'BOLETO_OVERPAID',
    required: ['amountBrl'],
    message: localised(
      'Beneficiário de boletos de {aggregate.paid} devolveu {aggregate.returned} em 15 dias; limites {param.least} e {param.share}.',
      'The payee of boletos of {aggregate.paid} returned {aggregate.returned} within 15 days; thresholds {param.least} and {param.share}.',
    ),
    legalBasis: [
      norm('Stripe', 'documentation, common types of online fraud: overpayment, alternative refunds'),
    ],
  }),
];
