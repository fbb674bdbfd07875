import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, IS_COMPANY, parameter, TRANSFERS, USUAL } from './common.js';

const STRUCTURING = { ...USUAL, component: 'VELOCITY', category: 'STRUCTURING' } as const;

/** Amounts chosen to stay below a limit, and split transfers. */
export const structuringRules: readonly RuleDefinition[] = [
  {
    ...STRUCTURING,
    key: 'BR-STR-08',
    name: {
      'pt-BR': 'Valores redondos ou logo abaixo de limites',
      en: 'Round amounts, or just below limits',
    },
    description: {
      'pt-BR':
        'Em sete dias, pessoa natural faz várias operações de milhares redondos ou logo abaixo de um limite.',
      en: 'Within seven days, a natural person makes several operations of round thousands or just below a limit.',
    },
    version: 2,
    severity: 'MEDIUM',
    tags: ['structuring'],
    appliesTo: applies(),
    parameters: {
      count: parameter(5, 'operações', 'operations', 'COUNT'),
      roundTo: parameter(1000, 'múltiplo redondo', 'round multiple', 'BRL'),
      roundMin: parameter(5000, 'menor valor redondo', 'least round amount', 'BRL'),
      nearRatio: parameter(
        0.9,
        'parte do limite que é logo abaixo',
        'share of a limit that is just below',
        'PERCENT',
      ),
      middle: parameter(10_000, 'limite médio', 'middle limit', 'BRL'),
      high: parameter(50_000, 'limite alto', 'high limit', 'BRL'),
    },
    // The traffic of a company has such amounts every week.
    when: [
      `!${IS_COMPANY} && activity.amounts7d.count(a,`,
      '  a >= param.roundMin && a.isRound(param.roundTo)',
      '  || a >= param.nearRatio * param.middle && a < param.middle',
      '  || a >= param.nearRatio * param.high && a < param.high',
      ') >= param.count',
    ].join('\n'),
    score: { points: 25, group: 'STRUCTURING', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'ROUND_OR_JUST_BELOW' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'activity.amounts7d', required: true }],
    message: {
      'pt-BR':
        'Em 7 dias, {param.count} ou mais operações em milhares redondos ou logo abaixo de {param.middle} ou {param.high}.',
      en: 'Within 7 days, {param.count} or more operations in round thousands or just below {param.middle} or {param.high}.',
    },
    legalBasis: [circular4001('IV, b', 1046)],
  },
  {
    ...STRUCTURING,
    key: 'BR-STR-09',
    name: { 'pt-BR': 'Transferências fracionadas no dia', en: 'Split transfers in one day' },
    description: {
      'pt-BR':
        'Em 24 horas, várias transferências pequenas de pessoa natural que juntas são grandes; para um mesmo beneficiário bastam menos, também de empresa.',
      en: 'Within 24 hours, several small transfers of a natural person that are large together; to one beneficiary fewer are enough, of a company as well.',
    },
    version: 2,
    severity: 'HIGH',
    tags: ['structuring'],
    appliesTo: applies({ types: [...TRANSFERS, 'BOLETO_PAYMENT'], directions: ['OUT'] }),
    parameters: {
      each: parameter(10_000, 'cada uma abaixo de', 'each below', 'BRL'),
      count: parameter(5, 'transferências', 'transfers', 'COUNT'),
      total: parameter(50_000, 'total', 'total', 'BRL'),
      pairCount: parameter(3, 'transferências a um beneficiário', 'transfers to one beneficiary', 'COUNT'),
      // Three transfers below 10,000 cannot reach 50,000, so one beneficiary has a total of its own.
      pairTotal: parameter(15_000, 'total a um beneficiário', 'total to one beneficiary', 'BRL'),
    },
    when: [
      `!${IS_COMPANY} && outgoing.amounts24h.count(a, a < param.each) >= param.count` +
        ' && outgoing.amounts24h.sum(a, a < param.each) >= param.total',
      'has(pair.amounts24h) && pair.amounts24h.count(a, a < param.each) >= param.pairCount' +
        ' && pair.amounts24h.sum(a, a < param.each) >= param.pairTotal',
    ].join('\n|| '),
    score: { points: 45, group: 'STRUCTURING', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'SPLIT_TRANSFERS' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'outgoing.amounts24h', required: true },
      { feature: 'pair.amounts24h', required: false },
    ],
    message: {
      'pt-BR':
        '{outgoing.amounts24h.count(a, a < param.each)} transferências abaixo de {param.each} em 24 horas, no total de {outgoing.amounts24h.sum(a, a < param.each) as brl}; limites {param.count} e {param.total}, ou {param.pairCount} e {param.pairTotal} a um beneficiário.',
      en: '{outgoing.amounts24h.count(a, a < param.each)} transfers below {param.each} in 24 hours, {outgoing.amounts24h.sum(a, a < param.each) as brl} in all; thresholds {param.count} and {param.total}, or {param.pairCount} and {param.pairTotal} to one beneficiary.',
    },
    legalBasis: [circular4001('IV, b', 1046), circular4001('IV, l', 1056)],
  },
  {
    ...STRUCTURING,
    key: 'BR-STR-28',
    name: { 'pt-BR': 'Fracionamento em vários dias', en: 'Splitting over several days' },
    description: {
      'pt-BR':
        'Em sete dias, várias operações logo abaixo de um limite que juntas são grandes; de empresa, com a mesma contraparte: salários da semana vão a muitas.',
      en: 'Within seven days, several operations just below a limit that are large together; of a company with one counterparty: wages of a week go to many.',
    },
    version: 2,
    severity: 'HIGH',
    tags: ['structuring'],
    appliesTo: applies(),
    parameters: {
      limit: parameter(10_000, 'limite', 'limit', 'BRL'),
      nearRatio: parameter(
        0.9,
        'parte do limite que é logo abaixo',
        'share of the limit that is just below',
        'PERCENT',
      ),
      count: parameter(6, 'operações', 'operations', 'COUNT'),
      total: parameter(50_000, 'total', 'total', 'BRL'),
    },
    aggregates: {
      nearLimit: {
        function: 'count',
        by: 'pair',
        window: '7d',
        where: 'amountBrl >= param.nearRatio * param.limit && amountBrl < param.limit',
      },
    },
    when: [
      'activity.amounts7d.count(a, a >= param.nearRatio * param.limit && a < param.limit) >= param.count',
      'activity.amounts7d.sum(a, a >= param.nearRatio * param.limit && a < param.limit) >= param.total',
      `(!${IS_COMPANY} || aggregate.nearLimit >= param.count)`,
    ].join('\n&& '),
    score: { points: 45, group: 'STRUCTURING', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'SPLIT_OVER_DAYS' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'activity.amounts7d', required: true }],
    message: {
      'pt-BR':
        'Em 7 dias, {activity.amounts7d.count(a, a >= param.nearRatio * param.limit && a < param.limit)} operações logo abaixo de {param.limit}; limites {param.count} e {param.total}.',
      en: 'Within 7 days, {activity.amounts7d.count(a, a >= param.nearRatio * param.limit && a < param.limit)} operations just below {param.limit}; thresholds {param.count} and {param.total}.',
    },
    legalBasis: [circular4001('IV, b', 1046), circular4001('IV, l', 1056)],
  },
  {
    ...STRUCTURING,
    key: 'BR-STR-39',
    name: { 'pt-BR': 'Remessas fracionadas ao exterior', en: 'Split remittances abroad' },
    description: {
      'pt-BR':
        'Em dez dias, pessoa natural faz várias remessas ao exterior que juntas são grandes, ou várias pessoas as fazem ao mesmo beneficiário.',
      en: 'Within ten days a natural person makes several remittances abroad that are large together, or several people make them to one payee.',
    },
    severity: 'HIGH',
    tags: ['structuring', 'remittance'],
    appliesTo: applies({ types: ['FX_OUTBOUND'], directions: ['OUT'] }),
    parameters: {
      count: parameter(3, 'remessas', 'remittances', 'COUNT'),
      total: parameter(12_000, 'total', 'total', 'BRL'),
    },
    aggregates: {
      remittances: { function: 'count', by: 'customer', window: '10d', where: 'type == "FX_OUTBOUND"' },
      remitted: { function: 'sum', by: 'customer', window: '10d', where: 'type == "FX_OUTBOUND"' },
      payeeRemittances: {
        function: 'count',
        by: 'counterparty',
        window: '10d',
        where: 'type == "FX_OUTBOUND"',
      },
      payeeRemitted: { function: 'sum', by: 'counterparty', window: '10d', where: 'type == "FX_OUTBOUND"' },
    },
    when: [
      `!${IS_COMPANY} && (aggregate.remittances >= param.count && aggregate.remitted >= param.total`,
      '  || aggregate.payeeRemittances >= param.count && aggregate.payeeRemitted >= param.total)',
    ].join('\n'),
    score: { points: 45, group: 'STRUCTURING', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'SPLIT_REMITTANCES' },
    // Without a counterparty the component COUNTERPARTY names what is missing.
    onIndeterminate: 'RECORD',
    evidence: [
      { feature: 'aggregate.remittances', required: true },
      { feature: 'aggregate.remitted', required: true },
      { feature: 'aggregate.payeeRemittances', required: false },
    ],
    message: {
      'pt-BR':
        'Em 10 dias, {aggregate.remittances} remessas do cliente no total de {aggregate.remitted}, e {aggregate.payeeRemittances} a este beneficiário no total de {aggregate.payeeRemitted}; limites {param.count} e {param.total}.',
      en: 'Within 10 days, {aggregate.remittances} remittances of the customer, {aggregate.remitted} in all, and {aggregate.payeeRemittances} to this payee, {aggregate.payeeRemitted} in all; thresholds {param.count} and {param.total}.',
    },
    legalBasis: [circular4001('IV, b', 1046)],
  },
];
