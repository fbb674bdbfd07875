import type { RuleDefinition } from '../../language/index.js';
import { applies, circular4001, norm, parameter, USUAL } from './common.js';

const LISTED = { ...USUAL, component: 'LISTS', category: 'LISTS', appliesTo: applies() } as const;

/** Hits on lists: sanctions, politically exposed persons, the institution's own blocklist, debarments. */
export const listRules: readonly RuleDefinition[] = [
  {
    ...LISTED,
    key: 'BR-LIST-01',
    name: { 'pt-BR': 'Lista de sanções', en: 'Sanctions list hit' },
    description: {
      'pt-BR':
        'O cliente ou um participante consta em lista de sanções, pelo documento ou por nome semelhante sem contradição de nascimento ou país.',
      en: 'The customer or a participant is on a sanctions list, by document, or by a name that is alike and not contradicted by birth date or country.',
    },
    severity: 'CRITICAL',
    tags: ['sanctions', 'mandatory'],
    parameters: {
      nameScore: parameter(0.85, 'semelhança mínima do nome', 'least likeness of the name', 'PERCENT'),
    },
    when: 'sanctions.documentMatch || sanctions.nameScore >= param.nameScore',
    score: { points: 100, group: 'LISTS', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'SANCTIONS_HIT' },
    onIndeterminate: 'PARTIAL',
    evidence: [
      { feature: 'sanctions.lists', required: true },
      { feature: 'sanctions.nameScore', required: true },
    ],
    message: {
      'pt-BR':
        'Correspondência em lista de sanções: {sanctions.lists} (documento: {sanctions.documentMatch}; nome: {sanctions.nameScore as percent}, limite {param.nameScore}).',
      en: 'Match on a sanctions list: {sanctions.lists} (document: {sanctions.documentMatch}; name: {sanctions.nameScore as percent}, threshold {param.nameScore}).',
    },
    legalBasis: [circular4001('IX', null), norm('Lei 13.810/2019', 'arts. 6º e 9º')],
  },
  {
    ...LISTED,
    key: 'BR-LIST-02',
    name: { 'pt-BR': 'Pessoa politicamente exposta', en: 'Politically exposed person' },
    description: {
      'pt-BR':
        'Documento mascarado igual e nome semelhante aos de uma pessoa politicamente exposta, no cargo ou em carência.',
      en: 'The masked document equals, and the name is like, that of a politically exposed person in office or in the period of grace.',
    },
    severity: 'HIGH',
    tags: ['pep', 'mandatory'],
    parameters: {
      // A masked CPF shows six digits, which hundreds of people share, so the name must also match.
      nameScore: parameter(0.88, 'semelhança mínima do nome', 'least likeness of the name', 'PERCENT'),
    },
    when: 'pep.documentMatch && pep.active && pep.nameScore >= param.nameScore',
    score: { points: 40, group: 'LISTS', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'PEP_HIT' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'pep.nameScore', required: true }],
    message: {
      'pt-BR':
        'Pessoa politicamente exposta: documento corresponde e nome {pep.nameScore as percent} semelhante; limite {param.nameScore}.',
      en: 'Politically exposed person: the document fits and the name is {pep.nameScore as percent} alike; threshold {param.nameScore}.',
    },
    legalBasis: [circular4001('IV, s', 1063), norm('BCB Circular 3.978/2020', 'arts. 19, 27, 38 § 3º')],
  },
  {
    ...LISTED,
    key: 'BR-LIST-03',
    name: { 'pt-BR': 'Lista interna de bloqueio', en: 'Internal blocklist' },
    description: {
      'pt-BR': 'Documento, conta, chave PIX, carteira, dispositivo ou IP em lista interna de bloqueio.',
      en: 'A document, account, PIX key, wallet, device or IP address is on the internal blocklist.',
    },
    severity: 'CRITICAL',
    tags: ['fraud', 'mandatory'],
    parameters: {
      keys: parameter(
        ['DOCUMENT', 'ACCOUNT', 'PIX_KEY', 'WALLET', 'DEVICE', 'IP'],
        'chaves que bloqueiam',
        'keys that block',
      ),
    },
    when: 'blocklist.matches.exists(key, key in param.keys)',
    score: { points: 90, group: 'LISTS', groupMax: null },
    effect: { minOutcome: 'REVIEW', recommend: 'DECLINE', reasonCode: 'BLOCKLIST_HIT' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'blocklist.matches', required: true }],
    message: {
      'pt-BR': 'Consta em lista interna de bloqueio: {blocklist.matches}.',
      en: 'On the internal blocklist: {blocklist.matches}.',
    },
    legalBasis: [norm('Resolução BCB 501/2025', 'rejeição por fundada suspeita de fraude')],
  },
  {
    ...LISTED,
    key: 'BR-LIST-04',
    name: { 'pt-BR': 'Impedidos do setor público', en: 'Public-sector debarment' },
    description: {
      'pt-BR':
        'Documento em sanção vigente de CEIS, CNEP, TCU ou lista de trabalho escravo, a partir do valor mínimo.',
      en: 'A document has a sanction in force in CEIS, CNEP, TCU or the slave-labour list, from a least amount on.',
    },
    severity: 'MEDIUM',
    tags: ['debarment'],
    parameters: { minAmount: parameter(5000, 'valor mínimo', 'least amount', 'BRL') },
    when: 'debarment.documentMatch && amountBrl >= param.minAmount',
    score: { points: 25, group: 'LISTS', groupMax: null },
    effect: { minOutcome: null, recommend: 'NONE', reasonCode: 'DEBARMENT_HIT' },
    onIndeterminate: 'PARTIAL',
    evidence: [{ feature: 'amountBrl', required: true }],
    message: {
      'pt-BR':
        'Participante impedido pelo setor público em operação de {amountBrl}; a partir de {param.minAmount}.',
      en: 'A participant is debarred by the public sector, in a transaction of {amountBrl}; from {param.minAmount} on.',
    },
    legalBasis: [circular4001('VII, d', 1092)],
  },
];
