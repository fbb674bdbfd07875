import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { localised, circular4001, fatf, norm, parameter, TRANSFERS, typology } from './common.js';

const BEHAVIOUR = { component: 'VELOCITY', category: 'BEHAVIOUR' } as const;
const FLOOR = parameter(5000, 'valor mínimo', 'least amount', 'BRL');

/** Customers whose behaviour changes. Baselines leave out the last day, so that a spike does not raise its own. */
export const behaviourTypologies: readonly RuleDefinition[] = [
  typology({
    ...BEHAVIOUR,
    key: 'TYP-17',
    name: localised('Conta parada desperta de uma vez', 'Dormant account wakes in a burst'),
    description: localised(
      'Depois de 180 dias sem movimento, várias operações e um total alto em 24 horas.',
      'After 180 days without activity, several transactions and a large sum within 24 hours.',
    ),
    severity: 'HIGH',
    tags: ['dormancy', 'velocity'],
    to: {},
    parameters: {
      dormant: parameter(180, 'dias sem movimento', 'days without activity', 'DAYS'),
      count: parameter(3, 'operações em 24 horas', 'transactions in 24 hours', 'COUNT'),
      total: parameter(10_000, 'total em 24 horas', 'sum of 24 hours', 'BRL'),
    },
    aggregates: {
      before: { function: 'count', by: 'customer', window: '179d', offset: '1d' },
      count: { function: 'count', by: 'customer', window: '24h' },
      total: { function: 'sum', by: 'customer', window: '24h' },
    },
    // An account younger than the dormant period was never dormant. A window cannot read a parameter: whoever changes
    // the number of days has to change the window as well.
    when: [
      'activity.historyDays >= param.dormant && aggregate.before == 0',
      'aggregate.count >= param.count && aggregate.total >= param.total',
    ].join('\n&& '),
    points: 40,
    reasonCode: 'DORMANT_BURST',
    required: ['activity.historyDays'],
    message: localised(
      'Sem movimento desde {param.dormant} dias antes; agora {aggregate.count} operações e {aggregate.total} em 24 horas; limites {param.count} e {param.total}.',
      'No activity since {param.dormant} days before; now {aggregate.count} transactions and {aggregate.total} within 24 hours; thresholds {param.count} and {param.total}.',
    ),
    legalBasis: [circular4001('IV, e', 1049), norm('Tazama', 'rules 003 and 004, account dormancy')],
  }),
  typology({
    ...BEHAVIOUR,
    key: 'TYP-18',
    name: localised('Madrugada que não é do cliente', 'Night activity unlike the customer'),
    description: localised(
      'De madrugada sai valor relevante da conta de quem em 90 dias nunca movimentou nessas horas.',
      'By night a notable amount leaves the account of a customer who in 90 days was never active at these hours.',
    ),
    severity: 'MEDIUM',
    tags: ['night', 'account-takeover'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      least: parameter(1000, 'valor mínimo', 'least amount', 'BRL'),
      until: parameter(6, 'hora em que a madrugada termina', 'hour at which the night ends'),
      usual: parameter(
        10,
        'operações que mostram o costume',
        'transactions that show what is usual',
        'COUNT',
      ),
      timeZone: parameter('America/Sao_Paulo', 'fuso horário', 'time zone'),
    },
    aggregates: {
      usual: { function: 'count', by: 'customer', window: '90d', offset: '12h' },
      nights: {
        function: 'count',
        by: 'customer',
        window: '90d',
        offset: '12h',
        where: 'occurredAt.localHour(param.timeZone) < param.until',
      },
    },
    when: [
      'occurredAt.localHour(param.timeZone) < param.until && amountBrl >= param.least',
      'aggregate.usual >= param.usual && aggregate.nights == 0',
    ].join('\n&& '),
    points: 25,
    recommend: 'STEP_UP',
    reasonCode: 'UNUSUAL_NIGHT',
    required: ['amountBrl', 'occurredAt'],
    message: localised(
      '{amountBrl} às {occurredAt.localHour(param.timeZone)} h; nenhuma das {aggregate.usual} operações de 90 dias foi antes das {param.until} h.',
      '{amountBrl} at hour {occurredAt.localHour(param.timeZone)}; none of the {aggregate.usual} transactions of 90 days was before hour {param.until}.',
    ),
    legalBasis: [circular4001('IV, i', 1053)],
  }),
  typology({
    ...BEHAVIOUR,
    key: 'TYP-19',
    name: localised('Mudança súbita ante a própria média', 'Sudden change against the own mean'),
    description: localised(
      'Um envio acima da média do cliente em 90 dias, mais vários desvios padrão.',
      "A transfer above the customer's mean of 90 days plus several standard deviations.",
    ),
    severity: 'MEDIUM',
    tags: ['statistics'],
    to: { types: [...TRANSFERS], directions: ['OUT'] },
    parameters: {
      least: parameter(1000, 'valor mínimo', 'least amount', 'BRL'),
      count: parameter(10, 'envios que mostram o costume', 'transfers that show what is usual', 'COUNT'),
      k: parameter(4, 'desvios padrão', 'standard deviations'),
    },
    aggregates: {
      count: { function: 'count', by: 'customer', window: '90d', offset: '1d', where: 'direction == "OUT"' },
      mean: { function: 'mean', by: 'customer', window: '90d', offset: '1d', where: 'direction == "OUT"' },
      sd: { function: 'sd', by: 'customer', window: '90d', offset: '1d', where: 'direction == "OUT"' },
    },
    when: [
      'amountBrl >= param.least && aggregate.count >= param.count',
      'amountBrl > aggregate.mean + param.k * aggregate.sd',
    ].join('\n&& '),
    points: 30,
    reasonCode: 'ABOVE_OWN_DEVIATION',
    required: ['amountBrl'],
    message: localised(
      'Envio de {amountBrl}; média de {aggregate.mean} e desvio de {aggregate.sd} em {aggregate.count} envios de 90 dias; limite {param.k} desvios.',
      'Transfer of {amountBrl}; mean {aggregate.mean} and deviation {aggregate.sd} of {aggregate.count} transfers of 90 days; threshold {param.k} deviations.',
    ),
    legalBasis: [
      circular4001('IV, i', 1053),
      norm('Tazama', 'rule 048, large transaction amount vs history (debtor)'),
    ],
  }),
  typology({
    ...BEHAVIOUR,
    key: 'TYP-20',
    name: localised('Entrada muito acima do percentil', 'Incoming amount far above the percentile'),
    description: localised(
      'Uma entrada de várias vezes o percentil 95 do que o cliente recebeu em 180 dias.',
      'An incoming amount of several times the 95th percentile of what the customer received in 180 days.',
    ),
    severity: 'MEDIUM',
    tags: ['statistics'],
    to: { directions: ['IN'] },
    parameters: {
      least: FLOOR,
      count: parameter(10, 'entradas que mostram o costume', 'amounts that show what is usual', 'COUNT'),
      factor: parameter(5, 'vezes o percentil 95', 'times the 95th percentile'),
    },
    aggregates: {
      count: { function: 'count', by: 'customer', window: '180d', offset: '1d', where: 'direction == "IN"' },
      p95: {
        function: 'percentile',
        percentile: 95,
        by: 'customer',
        window: '180d',
        offset: '1d',
        where: 'direction == "IN"',
      },
    },
    when: [
      'amountBrl >= param.least && aggregate.count >= param.count',
      'amountBrl >= param.factor * aggregate.p95',
    ].join('\n&& '),
    points: 30,
    reasonCode: 'ABOVE_OWN_PERCENTILE',
    required: ['amountBrl'],
    message: localised(
      'Entrada de {amountBrl}; percentil 95 de {aggregate.p95} em {aggregate.count} entradas de 180 dias; limite {param.factor} vezes.',
      'Received {amountBrl}; 95th percentile {aggregate.p95} of {aggregate.count} amounts of 180 days; threshold {param.factor} times.',
    ),
    legalBasis: [
      circular4001('IV, i', 1053),
      norm('Tazama', 'rule 020, large transaction amount vs history (creditor)'),
      fatf('Trade-Based Money Laundering: Risk Indicators (with Egmont Group)', 2021),
    ],
  }),
];
