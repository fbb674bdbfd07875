import { describe, expect, it } from '@jest/globals';
import { roles } from '../../../platform/http/index.js';
import { channels } from '../../kyt/domain/submission/channels.js';
import { transactionTypes } from '../../../platform/kernel/reference/transaction-types.js';
import { priorities, reportDecisions, resolutions } from '../../reviews/domain/review.js';
import { reviewKinds, reviewStatuses } from '../../reviews/index.js';
import { componentNames } from '../../rules/domain/scoring/component.js';
import { outcomes, type Composition } from '../../rules/index.js';
import { hitStatuses, listKinds } from '../../screening/index.js';
import { sessionTriggers, statusReasons } from '../../sessions/domain/session.js';
import { sessionOutcomes, sessionStatuses } from '../../sessions/index.js';
import { artifactKinds, artifactMimeTypes, artifactSides } from '../../uploads/index.js';
import type { CustomerEntity } from '../../customers/index.js';
import type { KytTransactionEntity } from '../../kyt/index.js';
import type { TransactionStatus } from '../../kyt/domain/status.js';
import type { MatchStrength } from '../../screening/index.js';
import { filingStatuses } from '../domain/coaf/filing.js';
import { languages } from '../domain/language.js';
import { PrintFormatter } from '../files/rendered-text.js';
import { segments } from './siscoaf-layout.js';
import { dossierLabels } from './dossier-labels.js';
import { type PrintedKind, printedWords } from './printed-words.js';

type Column<Row, Name extends keyof Row> = Extract<Row[Name], string>;
/** The codes of a type that no list at run time names. */
const codesOf = <Code extends string>(all: Readonly<Record<Code, true>>): string[] => Object.keys(all);
const composition = codesOf<Composition>({
  COMPLETE: true,
  PARTIAL: true,
  MISSING: true,
  INCONSISTENT: true,
});

const shown: readonly (readonly [PrintedKind, readonly string[]])[] = [
  ['outcome', [...outcomes, ...sessionOutcomes]],
  ['transactionType', Object.keys(transactionTypes)],
  ['channel', channels],
  ['caseKind', reviewKinds],
  ['caseStatus', reviewStatuses],
  ['priority', priorities],
  ['resolution', resolutions],
  ['report', reportDecisions],
  ['hitStatus', hitStatuses],
  ['listKind', listKinds],
  ['sessionStatus', sessionStatuses],
  ['sessionTrigger', sessionTriggers],
  ['statusReason', statusReasons],
  ['component', componentNames],
  ['fileKind', artifactKinds],
  ['fileSide', artifactSides],
  ['fileType', artifactMimeTypes],
  ['role', roles],
  ['composition', composition],
  ['communicationKind', Object.keys(segments)],
  ['communicationStatus', filingStatuses],
  ['strength', codesOf<MatchStrength>({ DOCUMENT: true, STRONG: true, NAME: true, CONTRADICTED: true })],
  [
    'transactionStatus',
    codesOf<TransactionStatus>({ QUEUED: true, PROCESSING: true, COMPLETED: true, DEAD_LETTERED: true }),
  ],
  ['direction', codesOf<Column<KytTransactionEntity, 'direction'>>({ IN: true, OUT: true })],
  [
    'assurance',
    codesOf<Column<CustomerEntity, 'assurance'>>({ DECLARED: true, DOCUMENT: true, VERIFIED: true }),
  ],
  [
    'identifiedBy',
    codesOf<Column<CustomerEntity, 'identifiedBy'>>({ KYT: true, SESSION: true, OPERATOR: true }),
  ],
  ['personType', codesOf<Column<CustomerEntity, 'personType'>>({ NATURAL: true, LEGAL: true })],
  ['risk', codesOf<Column<CustomerEntity, 'riskLevel'>>({ LOW: true, MEDIUM: true, HIGH: true })],
];

describe.each(languages)('The words of a paper in %s', (language) => {
  const show = new PrintFormatter(dossierLabels[language], language, [
    { id: 'opr_1', name: 'Marina Alves', roles: ['COMPLIANCE_OFFICER', 'ANALYST'] },
  ]);

  it.each(shown)('say what every %s is', (kind, codes) => {
    for (const code of codes) expect([code, code in printedWords[kind][language]]).toEqual([code, true]);
  });

  it('say who acted, and what speaks against a result', () => {
    const pt = language === 'pt-BR';
    expect(show.person('opr_1')).toBe(
      pt ? 'Marina Alves, responsável por compliance, analista' : 'Marina Alves, compliance officer, analyst',
    );
    expect(show.person('system:kyt.pipeline')).toBe(pt ? 'o serviço' : 'the service');
    expect(show.formatDefensibilityReason('DEVICE_IP_MISSING_INPUT')).toBe(
      pt ? 'dispositivo e IP: faltou dado' : 'device and IP: lacked data',
    );
    expect(show.formatSuppression('BR-PIX-16: SNOOZED')).toBe(
      pt ? 'BR-PIX-16: silenciada por uma pessoa' : 'BR-PIX-16: silenced by a person',
    );
    expect(show.country('BR')).toBe(pt ? 'Brasil' : 'Brazil');
  });

  it('write days, times and sums as the country reads them', () => {
    const pt = language === 'pt-BR';
    expect(show.day('1980-05-17')).toBe('17/05/1980');
    expect(show.time('2026-11-21T02:04:05Z')).toBe('20/11/2026, 23:04:05');
    expect(show.amount('18400.5', 'BRL')).toBe(pt ? 'R$ 18.400,50' : 'R$ 18,400.50');
    expect(show.formatDeclared('monthlyIncome', '4800')).toBe(pt ? 'R$ 4.800,00' : 'R$ 4,800.00');
    expect(show.formatDeclared('pep', 'true')).toBe(pt ? 'Sim' : 'Yes');
  });
});
