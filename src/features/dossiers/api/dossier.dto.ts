import { Field, View } from '../../../platform/http/index.js';
import { trailStatuses, type TrailStatus } from '../../audit/index.js';
import { reviewKinds, reviewStatuses } from '../../reviews/index.js';
import { outcomes } from '../../rules/index.js';
import { hitStatuses, listKinds } from '../../screening/index.js';
import { sessionOutcomes, sessionStatuses } from '../../sessions/index.js';
import { artifactKinds, artifactMimeTypes } from '../../uploads/index.js';
import { languages, type Language } from '../domain/language.js';
import type {
  LocalisedText,
  DossierCheckpoint,
  IncompleteTrail,
  DossierTrail,
  DossierPerson,
  DossierInstitution,
  DossierHead,
  DossierCustomer,
  DossierStep,
  DossierNote,
  DossierCase,
  DossierHit,
  DossierCommunication,
  DossierSession,
  DossierArtifact,
  DossierParty,
  DossierReason,
  DossierTerms,
  DossierDecision,
  DossierEvaluation,
  DossierTransaction,
  Dossier,
} from '../domain/dossier.js';
import type {
  SubjectPerson,
  SubjectFile,
  OwnDeclaration,
  OwnAnswer,
  OwnSession,
  SubjectParty,
  OwnTransaction,
  SubjectExport,
} from '../domain/subject-export.js';

export class DossierLanguageQuery {
  @Field.enum(languages, 'Of the printed form.', { optional: true, default: 'pt-BR' })
  lang: Language = 'pt-BR';
}

export class DossierQuery extends DossierLanguageQuery {
  @Field.flag('Refuse with AUDIT_TRAIL_INCOMPLETE unless every trail in it is whole.', {
    url: true,
    optional: true,
    default: false,
  })
  auditReady = false;
}

const PICTURES =
  'Shows the pictures of files on the paper; needs `artifacts:read` too. Each is in the trail of its file.';

export class SubjectPaperQuery extends DossierLanguageQuery {
  @Field.flag(PICTURES, { url: true, optional: true, default: false }) pictures = false;
}

export class DossierPaperQuery extends DossierQuery {
  @Field.flag(PICTURES, { url: true, optional: true, default: false }) pictures = false;
}

export class LocalisedView implements LocalisedText {
  @View.text({ example: 'Recebeu R$ 18.400,00 e transferiu 97% em 24 h.' }) 'pt-BR': string;
  @View.text({ example: 'Received BRL 18,400.00 and transferred 97% within 24 h.' }) en: string;
}

export class DossierCheckpointView implements DossierCheckpoint {
  @View.integer({ example: 5120 }) size: number;
  @View.text({ example: 'qJ0Tzq9m5nEJ7m0Yl0vX0p3o2kQ0v6mYw6m8m0T0a1E=' }) root: string;
  @View.instant() signedAt: string;
}

export class IncompleteTrailView implements IncompleteTrail {
  @View.id('txn') subject: string;
  @View.enum(trailStatuses, { example: 'MISSING_EVENTS' }) status: TrailStatus;
}

export class DossierTrailView implements DossierTrail {
  @View.enum(trailStatuses, 'The gravest of all.', { example: 'COMPLETE' }) status: TrailStatus;
  @View.integer('How many trails were judged.', { example: 42 }) subjects: number;
  @View.list(IncompleteTrailView, 'At most fifty of them.') incomplete: readonly IncompleteTrailView[];
  @View.objectOrNull(DossierCheckpointView) checkpoint: DossierCheckpointView | null;
}

/** An operator who acts in a dossier, with their present roles. */
export class DossierPersonView implements DossierPerson {
  @View.id('opr', { example: 'opr_019364d0c0de7000a000000000000009' }) id: string;
  @View.text({ example: 'Marina Alves' }) name: string;
  @View.texts({ example: ['COMPLIANCE_OFFICER'] }) roles: readonly string[];
}

export class DossierInstitutionView implements DossierInstitution {
  @View.text({ example: 'Banco Exemplo S.A.' }) name: string;
  @View.textOrNull({ example: '12345678000195' }) taxId: string | null;
}

export class DossierHeadView implements DossierHead {
  @View.id('dsr', 'Names the export in the trail.', { example: 'dsr_019364d0c0de7000a000000000000012' })
  id: string;

  @View.enum(['CUSTOMER', 'REVIEW'], { example: 'CUSTOMER' }) about: 'CUSTOMER' | 'REVIEW';
  @View.id('cus', { example: 'cus_019364d0c0de7000a000000000000002' }) subjectId: string;
  @View.instant() generatedAt: string;
  @View.id('opr', { example: 'opr_019364d0c0de7000a000000000000009' }) generatedBy: string;
  @View.flag({ example: true }) auditReady: boolean;
  @View.object(DossierTrailView) trail: DossierTrailView;
  @View.objectOrNull(DossierInstitutionView, 'Null until somebody has said who communicates to COAF.')
  institution: DossierInstitutionView | null;

  @View.list(DossierPersonView, 'The operators who stand in the dossier by id.')
  people: readonly DossierPersonView[];
}

export class DossierCustomerView implements DossierCustomer {
  @View.id('cus', { example: 'cus_019364d0c0de7000a000000000000002' }) id: string;
  @View.textOrNull({ example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull({ example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull() externalCustomerId: string | null;
  @View.textOrNull() birthDate: string | null;
  @View.texts({ example: ['BR'] }) nationalities: readonly string[];
  @View.textOrNull({ example: 'NATURAL' }) personType: string | null;
  @View.text({ example: 'DOCUMENT' }) assurance: string;
  @View.text({ example: 'KYT' }) identifiedBy: string;
  @View.instant() identifiedAt: string;
  @View.textOrNull({ example: 'LOW' }) riskLevel: string | null;
  @View.flag({ example: false }) legalHold: boolean;
  @View.flag({ example: false }) erased: boolean;
}

export class DossierStepView implements DossierStep {
  @View.instant() at: string;
  @View.text({ example: 'review.opened' }) action: string;
  @View.id('opr', { example: 'opr_019364d0c0de7000a000000000000009' }) actor: string;
}

export class DossierNoteView implements DossierNote {
  @View.instant() writtenAt: string;
  @View.id('opr', { example: 'opr_019364d0c0de7000a000000000000009' }) author: string;
  @View.textOrNull() text: string | null;
}

export class DossierCaseView implements DossierCase {
  @View.id('rev', { example: 'rev_019364d0c0de7000a000000000000003' }) id: string;
  @View.enum(reviewKinds, { example: 'SCORE' }) kind: string;
  @View.enum(reviewStatuses, { example: 'CLOSED' }) status: string;
  @View.integer('1 is the most urgent.', { example: 2 }) priority: number;
  @View.integerOrNull({ example: 72 }) riskScore: number | null;
  @View.integer({ example: 3 }) transactions: number;
  @View.instant() openedAt: string;
  @View.text({ example: 'system:kyt.pipeline' }) openedBy: string;
  @View.instant() selectionDeadline: string;
  @View.instant() analysisDeadline: string;
  @View.instantOrNull() reportDeadline: string | null;
  @View.textOrNull({ example: 'REJECTED' }) resolution: string | null;
  @View.textOrNull({ example: 'COMMUNICATE' }) report: string | null;
  @View.textOrNull() justification: string | null;
  @View.textOrNull() proposedBy: string | null;
  @View.instantOrNull() proposedAt: string | null;
  @View.textOrNull() closedBy: string | null;
  @View.instantOrNull() closedAt: string | null;
  @View.textOrNull() reopenedFrom: string | null;
  @View.textOrNull({ example: '2037-01-01' }) retainUntil: string | null;
  @View.list(DossierNoteView) notes: readonly DossierNoteView[];
  @View.list(DossierStepView) steps: readonly DossierStepView[];
}

export class DossierHitView implements DossierHit {
  @View.id('hit', { example: 'hit_019364d0c0de7000a000000000000004' }) id: string;
  @View.text({ example: 'un-consolidated' }) list: string;
  @View.enum(listKinds, { example: 'SANCTIONS' }) listKind: string;
  @View.text({ example: 'QDi.001' }) entry: string;
  @View.textOrNull() foundName: string | null;
  @View.text({ example: 'STRONG' }) strength: string;
  @View.number({ example: 0.94 }) score: number;
  @View.flag({ example: true }) mandatory: boolean;
  @View.enum(hitStatuses, { example: 'DISMISSED_FALSE_POSITIVE' }) status: string;
  @View.instant() foundAt: string;
  @View.textOrNull() decidedBy: string | null;
  @View.instantOrNull() decidedAt: string | null;
  @View.textOrNull() justification: string | null;
}

export class DossierCommunicationView implements DossierCommunication {
  @View.id('com', { example: 'com_019364d0c0de7000a000000000000011' }) id: string;
  @View.enum(['SUSPICION', 'CASH'], { example: 'CASH' }) kind: string;
  @View.enum(['DRAFT', 'RECORDED', 'FILED'], { example: 'FILED' }) status: string;
  @View.instant() dueAt: string;
  @View.textOrNull() filingNumber: string | null;
  @View.instantOrNull() receivedAt: string | null;
}

export class DossierSessionView implements DossierSession {
  @View.id('kys', 'Does not open the session.') id: string;
  @View.text({ example: 'standard@1' }) flow: string;
  @View.text({ example: 'OPERATOR' }) trigger: string;
  @View.enum(sessionStatuses, { example: 'COMPLETED' }) status: string;
  @View.textOrNull() statusReason: string | null;
  @View.enumOrNull(sessionOutcomes, { example: 'APPROVED' }) outcome: string | null;
  @View.integerOrNull({ example: 12 }) score: number | null;
  @View.textOrNull({ example: 'COMPLETE' }) composition: string | null;
  @View.flagOrNull({ example: true }) defensible: boolean | null;
  @View.texts() nonDefensibleReasons: readonly string[];
  @View.instant() createdAt: string;
  @View.instantOrNull() submittedAt: string | null;
  @View.instantOrNull() endedAt: string | null;
}

export class DossierArtifactView implements DossierArtifact {
  @View.id('art', { example: 'art_019364d0c0de7000a000000000000006' }) id: string;
  @View.enum(artifactKinds, { example: 'DOCUMENT' }) kind: string;
  @View.textOrNull() documentType: string | null;
  @View.textOrNull() side: string | null;
  @View.enum(artifactMimeTypes, { example: 'image/jpeg' }) mimeType: string;
  @View.integer({ example: 184320 }) sizeBytes: number;
  @View.textOrNull() sha256: string | null;
  @View.enum(['STORED', 'LOST', 'ERASED'], { example: 'STORED' }) state: string;
  @View.instant() receivedAt: string;
  @View.text({ example: 'session' }) receivedBy: string;
}

export class DossierPartyView implements DossierParty {
  @View.textOrNull() name: string | null;
  @View.textOrNull({ example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull() account: string | null;
  @View.textOrNull() country: string | null;
}

export class DossierReasonView implements DossierReason {
  @View.text({ example: 'BR-FLOW-12' }) ruleId: string;
  @View.integer({ example: 1 }) version: number;
  @View.number({ example: 40 }) points: number;
  @View.textOrNull() observed: string | null;
  @View.text({ example: 'limit 80%' }) threshold: string;
  @View.object(LocalisedView) message: LocalisedView;
  @View.texts({ example: ['Carta Circular BCB 4.001/2020, IV-n'] }) legalBasis: readonly string[];
}

export class DossierTermsView implements DossierTerms {
  @View.texts('Rules that were silenced, and why.', { example: ['BR-PIX-16: SNOOZED'] })
  silenced: readonly string[];

  @View.texts('Hits of which a dismissal was used.', { example: [] }) dismissedHits: readonly string[];
  @View.texts('Lists that were out of use.', { example: [] }) listsOff: readonly string[];
  @View.texts('Lists that were too old.', { example: [] }) listsStale: readonly string[];

  @View.texts('From which score on a name was kept, and from which it forced a decision, by list.', {
    example: ['un: 0.8, 0.85'],
  })
  thresholds: readonly string[];
}

export class DossierDecisionView implements DossierDecision {
  @View.enum(['APPROVED', 'REJECTED'], { example: 'REJECTED' }) outcome: string;
  @View.id('rev', { example: 'rev_019364d0c0de7000a000000000000003' }) reviewId: string;
  @View.instant() decidedAt: string;
  @View.flag('Nobody independent was there to approve it.', { example: false }) singleControl: boolean;
  @View.objectOrNull(DossierPersonView, 'Who proposed it.') proposedBy: DossierPersonView | null;
  @View.objectOrNull(DossierPersonView, 'Who approved it.') closedBy: DossierPersonView | null;

  @View.textOrNull('The reason; null when it was erased with the person.', {
    example: 'The origin of the money was not shown by any document.',
  })
  justification: string | null;
}

export class DossierEvaluationView implements DossierEvaluation {
  @View.integer({ example: 1 }) version: number;
  @View.instant() evaluatedAt: string;
  @View.enum(outcomes, { example: 'REVIEW' }) outcome: string;
  @View.integerOrNull({ example: 72 }) score: number | null;
  @View.textOrNull({ example: 'HIGH' }) level: string | null;
  @View.enum(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], { example: 'NONE' }) recommendedAction: string;
  @View.text({ example: 'COMPLETE' }) composition: string;
  @View.flag({ example: true }) defensible: boolean;
  @View.texts() nonDefensibleReasons: readonly string[];
  @View.textOrNull({ example: 'br-starter@3' }) ruleset: string | null;
  @View.object(DossierTermsView, 'Everything beside the rules that can weaken the result.')
  terms: DossierTermsView;

  @View.text({ example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' })
  receiptHash: string;

  @View.list(DossierReasonView) reasons: readonly DossierReasonView[];
  @View.objectOrNull(DossierDecisionView, 'Null when nobody decided about it.')
  decision: DossierDecisionView | null;
}

export class DossierTransactionView implements DossierTransaction {
  @View.id('txn') id: string;
  @View.text({ example: 'order-1001' }) transactionId: string;
  @View.text({ example: 'PIX_TRANSFER' }) type: string;
  @View.text({ example: 'MOBILE_APP' }) channel: string;
  @View.textOrNull({ example: 'OUT' }) direction: string | null;
  @View.text('Exact decimal.', { example: '120.5' }) amount: string;
  @View.text({ example: 'BRL' }) currency: string;
  @View.instant() occurredAt: string;
  @View.instant() receivedAt: string;
  @View.enum(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], { example: 'COMPLETED' })
  status: string;
  @View.enum(['OPEN', 'ERASED', 'BROKEN'], { example: 'OPEN' }) submissionState: string;
  @View.objectOrNull(DossierPartyView) origin: DossierPartyView | null;
  @View.objectOrNull(DossierPartyView) destination: DossierPartyView | null;
  @View.list(DossierEvaluationView, 'The first one first.') evaluations: readonly DossierEvaluationView[];
}

/** Documents are masked everywhere. */
export class DossierView implements Omit<Dossier, 'transactions'> {
  @View.object(DossierHeadView) head: DossierHeadView;
  @View.objectOrNull(DossierCustomerView) customer: DossierCustomerView | null;
  @View.list(DossierCaseView) cases: readonly DossierCaseView[];
  @View.list(DossierHitView) hits: readonly DossierHitView[];
  @View.list(DossierCommunicationView) communications: readonly DossierCommunicationView[];
  @View.list(DossierSessionView) sessions: readonly DossierSessionView[];
  @View.list(DossierArtifactView) artifacts: readonly DossierArtifactView[];
  @View.integer({ example: 3 }) transactionCount: number;

  @View.list(DossierTransactionView, 'In the order in which they took place.')
  transactions: readonly DossierTransactionView[];
}

export class SubjectPersonView implements SubjectPerson {
  @View.textOrNull({ example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('In full: it is the own one.') document: string | null;
  @View.textOrNull() externalCustomerId: string | null;
  @View.textOrNull() birthDate: string | null;
  @View.texts({ example: ['BR'] }) nationalities: readonly string[];
  @View.textOrNull({ example: 'NATURAL' }) personType: string | null;
  @View.instant() knownSince: string;
}

export class SubjectFileView implements SubjectFile {
  @View.id('art', { example: 'art_019364d0c0de7000a000000000000006' }) id: string;
  @View.enum(artifactKinds, { example: 'SELFIE' }) kind: string;
  @View.textOrNull() side: string | null;
  @View.enum(artifactMimeTypes, { example: 'image/jpeg' }) mimeType: string;
  @View.instant() receivedAt: string;
}

/** A declaration of the person, as the institution keeps it. */
export class OwnDeclarationView implements OwnDeclaration {
  @View.text({ example: 'monthlyIncome' }) field: string;
  @View.text({ example: '4800' }) value: string;
  @View.enum(['SESSION', 'OPERATOR', 'CLIENT', 'UPLOAD'], 'By whom it was written down.') by: string;
  @View.instant('As of when it holds.') at: string;
}

export class OwnAnswerView implements OwnAnswer {
  @View.text({ example: 'Renda mensal (R$)' }) question: string;
  @View.text({ example: '4800.00' }) answer: string;
}

export class OwnSessionView implements OwnSession {
  @View.text({ example: 'Cadastro de pessoa física' }) name: string;
  @View.instantOrNull() submittedAt: string | null;
  @View.list(OwnAnswerView) answers: readonly OwnAnswerView[];
}

export class SubjectPartyView implements SubjectParty {
  @View.textOrNull() name: string | null;
  @View.textOrNull('In full for the person, masked for others.') document: string | null;
  @View.textOrNull() account: string | null;
  @View.textOrNull() country: string | null;
}

export class OwnTransactionView implements OwnTransaction {
  @View.text({ example: 'order-1001' }) transactionId: string;
  @View.text({ example: 'PIX_TRANSFER' }) type: string;
  @View.text({ example: 'MOBILE_APP' }) channel: string;
  @View.textOrNull({ example: 'OUT' }) direction: string | null;
  @View.text({ example: '120.5' }) amount: string;
  @View.text({ example: 'BRL' }) currency: string;
  @View.instant() occurredAt: string;
  @View.object(SubjectPartyView) origin: SubjectPartyView;
  @View.object(SubjectPartyView) destination: SubjectPartyView;
}

/** The data held about a person, without any conclusion from them. */
export class SubjectExportView implements Omit<SubjectExport, 'transactions'> {
  @View.id('dsr', { example: 'dsr_019364d0c0de7000a000000000000012' }) id: string;
  @View.instant() generatedAt: string;

  @View.objectOrNull(DossierInstitutionView, 'Null until the institution has said who it is.')
  institution: DossierInstitutionView | null;

  @View.object(SubjectPersonView) person: SubjectPersonView;
  @View.list(OwnDeclarationView) declared: readonly OwnDeclarationView[];
  @View.list(OwnSessionView, 'What the person answered, in full.') sessions: readonly OwnSessionView[];
  @View.list(SubjectFileView) files: readonly SubjectFileView[];
  @View.list(OwnTransactionView) transactions: readonly OwnTransactionView[];
}
