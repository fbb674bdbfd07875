import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, norm, parameter, USUAL } from './common.js';

/** Rules about countries and transfers across borders. */
export const geographyRules: readonly RuleDefinition[] = [
  {
    ...USUAL,
    key: 'BR-GEO-21',
    name: { 'pt-BR': 'Jurisdição de alto risco', en: 'High-risk jurisdiction' },
    description: {
      'pt-BR':
        'Um participante está em país sob chamada à ação ou monitoramento do GAFI, ou de tributação favorecida; a partir de um valor, uma pessoa olha.',
      en: 'A participant is in a country under a FATF call for action or monitoring, or of favoured taxation; from an amount on a person looks at it.',
    },
    version: 2,
    severity: 'HIGH',
    component: 'COUNTERPARTY',
    category: 'GEO',
    tags: ['country'],
    appliesTo: applies(),
    parameters: {
      monitored: parameter(10_000, 'país monitorado, a partir de', 'country under monitoring, from', 'BRL'),
      favoured: parameter(30_000, 'tributação favorecida, a partir de', 'favoured taxation, from', 'BRL'),
    },
    when: [
      'countries.exists(c,',
      "  list('fatf-call-for-action').has(c) || list('fatf-increased-monitoring').has(c) || list('rfb-favoured-tax').has(c)",
      ')',
    ].join('\n'),
    score: {
      points: 20,
      group: 'GEO',
      groupMax: null,
      tiers: [
        { when: "countries.exists(c, list('fatf-call-for-action').has(c))", points: 60 },
        {
          when: "amountBrl >= param.monitored && countries.exists(c, list('fatf-increased-monitoring').has(c))",
          points: 60,
        },
        {
          when: "amountBrl >= param.favoured && countries.exists(c, list('rfb-favoured-tax').has(c))",
          points: 60,
        },
        { when: "countries.exists(c, list('fatf-increased-monitoring').has(c))", points: 25 },
      ],
    },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'HIGH_RISK_COUNTRY' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'countries', required: true }],
    lists: ['fatf-call-for-action', 'fatf-increased-monitoring', 'rfb-favoured-tax'],
    message: {
      'pt-BR':
        'Países dos participantes: {countries}; ao menos um sob chamada à ação ou monitoramento do GAFI, ou de tributação favorecida.',
      en: 'Countries of the participants: {countries}; at least one under a FATF call for action or monitoring, or of favoured taxation.',
    },
    legalBasis: [circular4001('X, a', 1110)],
  },
  {
    ...USUAL,
    key: 'BR-GEO-22',
    name: { 'pt-BR': 'Lacunas da Travel Rule', en: 'Travel-Rule gaps' },
    description: {
      'pt-BR':
        'Transferência internacional sem os dados que devem acompanhá-la, ou carteira autocustodiada sem dono verificado.',
      en: 'A cross-border transfer without the data that must travel with it, or a self-hosted wallet without a verified owner.',
    },
    severity: 'MEDIUM',
    component: 'COUNTERPARTY',
    category: 'DATA_QUALITY',
    tags: ['travel-rule', 'evidence'],
    appliesTo: applies(),
    parameters: { usd: parameter(1000, 'a partir de', 'from', 'USD') },
    when: [
      'amountUsd >= param.usd && (crossBorder',
      '    && !(origin.nameGiven && origin.accountGiven',
      '      && (origin.addressGiven || origin.birthDateGiven || origin.documentGiven)',
      '      && destination.nameGiven && destination.accountGiven)',
      // For virtual assets the rule stays undecided until the custody is stated.
      '  || (instrument == "CRYPTO" || has(wallet.custody)) && wallet.custody == "SELF_HOSTED"',
      '    && !(has(wallet.ownerVerified) && wallet.ownerVerified))',
    ].join('\n'),
    score: { points: 20, group: 'DATA_QUALITY', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'TRAVEL_RULE_GAP' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'amountUsd', required: true },
      { feature: 'crossBorder', required: true },
    ],
    flags: ['EVIDENCE_GAP'],
    message: {
      'pt-BR':
        'Transferência internacional de {amountUsd} sem todos os dados exigidos (nome, conta ou carteira, e endereço, nascimento ou documento); a partir de {param.usd}.',
      en: 'Cross-border transfer of {amountUsd} without all required data (name, account or wallet, and address, birth date or document); from {param.usd} on.',
    },
    legalBasis: [
      norm('GAFI', 'Recomendação 16 (2025)'),
      norm('Resolução BCB 521/2025', 'ativos virtuais no câmbio'),
      circular4001('X, f', 1115),
    ],
  },
];
