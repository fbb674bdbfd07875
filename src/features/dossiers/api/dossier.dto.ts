import { Field, View } from '../../../platform/http/index.js';
import { trailStatuses, type TrailStatus } from '../../audit/index.js';
import { reviewKinds, reviewStatuses } from '../../reviews/index.js';
import { outcomes } from '../../rules/index.js';
import { hitStatuses, listKinds } from '../../screening/index.js';
import { sessionOutcomes, sessionStatuses } from '../../sessions/index.js';
import { artifactKinds, artifactMimeTypes } from '../../uploads/index.js';
import { filingStatuses } from '../domain/coaf/filing.js';
import { languages, type DossierLanguage } from '../domain/language.js';
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

export class DossierLanguageQuery {
  @Field.enum(languages, 'Of the printed form.', { optional: true, default: 'pt-BR' })
  lang: DossierLanguage = 'pt-BR';
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
  @View.text('In Brazilian Portuguese.', { example: 'Recebeu R$ 18.400,00 e transferiu 97% em 24 h.' })
  'pt-BR': string;
  @View.text('In English.', { example: 'Received BRL 18,400.00 and transferred 97% within 24 h.' })
  en: string;
}

export class DossierCheckpointView implements DossierCheckpoint {
  @View.integer('How many entries there are.', { example: 5120 }) size: number;
  @View.text('The root of the Merkle tree, base64.', {
    example: 'qJ0Tzq9m5nEJ7m0Yl0vX0p3o2kQ0v6mYw6m8m0T0a1E=',
  })
  root: string;
  @View.instant('When it was signed.') signedAt: string;
}

export class IncompleteTrailView implements IncompleteTrail {
  @View.id('txn', 'What the trail is about.') subject: string;
  @View.enum(trailStatuses, 'The status of the trail.', { example: 'MISSING_EVENTS' }) status: TrailStatus;
}

export class DossierTrailView implements DossierTrail {
  @View.enum(trailStatuses, 'The gravest of all.', { example: 'COMPLETE' }) status: TrailStatus;
  @View.integer('How many trails were judged.', { example: 42 }) subjects: number;
  @View.list(IncompleteTrailView, 'At most fifty of them.') incomplete: readonly IncompleteTrailView[];
  @View.objectOrNull(DossierCheckpointView, 'A signed size and root of the audit log.')
  checkpoint: DossierCheckpointView | null;
}

/** An operator who appears in a dossier, with their current roles. */
export class DossierPersonView implements DossierPerson {
  @View.id('opr', 'The id of the person.') id: string;
  @View.text('The name of the person.', { example: 'Marina Alves' }) name: string;
  @View.texts('The roles of the operator.', { example: ['COMPLIANCE_OFFICER'] }) roles: readonly string[];
}

export class DossierInstitutionView implements DossierInstitution {
  @View.text('The name of the institution.', { example: 'Banco Exemplo S.A.' }) name: string;
  @View.textOrNull('The CNPJ.', { example: '12345678000195' }) taxId: string | null;
}

export class DossierHeadView implements DossierHead {
  @View.id('dsr', 'Names the export in the trail.') id: string;

  @View.enum(['CUSTOMER', 'REVIEW'], 'What the dossier is about.', { example: 'CUSTOMER' }) about:
    'CUSTOMER' | 'REVIEW';
  @View.id('cus', 'The id of the subject.') subjectId: string;
  @View.instant('When it was put together.') generatedAt: string;
  @View.id('opr', 'Who had it put together.') generatedBy: string;
  @View.flag('Whether every trail in it is whole.', { example: true }) auditReady: boolean;
  @View.object(DossierTrailView, 'The audit trail.') trail: DossierTrailView;
  @View.objectOrNull(DossierInstitutionView, 'Null until somebody has said who communicates to COAF.')
  institution: DossierInstitutionView | null;

  @View.list(DossierPersonView, 'The operators who stand in the dossier by id.')
  people: readonly DossierPersonView[];
}

export class DossierCustomerView implements DossierCustomer {
  @View.id('cus', 'The id of the customer.') id: string;
  @View.textOrNull('The name of the customer.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull('Your id of the customer.') externalCustomerId: string | null;
  @View.textOrNull('The date of birth, as `YYYY-MM-DD`.') birthDate: string | null;
  @View.texts('The nationalities, ISO 3166 alpha-2.', { example: ['BR'] }) nationalities: readonly string[];
  @View.textOrNull('A natural or a legal person.', { example: 'NATURAL' }) personType: string | null;
  @View.text('How sure it is that this is the person.', { example: 'DOCUMENT' }) assurance: string;
  @View.text('What identified the customer.', { example: 'KYT' }) identifiedBy: string;
  @View.instant('When it became known whose record this is.') identifiedAt: string;
  @View.textOrNull('The level of risk of the customer.', { example: 'LOW' }) riskLevel: string | null;
  @View.flag('Whether the records have to be kept.', { example: false }) legalHold: boolean;
  @View.flag('Whether the data of the person was erased.', { example: false }) erased: boolean;
}

export class DossierStepView implements DossierStep {
  @View.instant('When it happened.') at: string;
  @View.text('What was done.', { example: 'review.opened' }) action: string;
  @View.id('opr', 'Who did it.') actor: string;
}

export class DossierNoteView implements DossierNote {
  @View.instant('When it was written.') writtenAt: string;
  @View.id('opr', 'Who wrote it.') author: string;
  @View.textOrNull('The text.') text: string | null;
}

export class DossierCaseView implements DossierCase {
  @View.id('rev', 'The id of the case.') id: string;
  @View.enum(reviewKinds, 'The kind of case.', { example: 'SCORE' }) kind: string;
  @View.enum(reviewStatuses, 'The status of the case.', { example: 'CLOSED' }) status: string;
  @View.integer('1 is the most urgent.', { example: 2 }) priority: number;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.', { example: 72 }) riskScore:
    number | null;
  @View.integer('How many transactions.', { example: 3 }) transactions: number;
  @View.instant('When it was opened.') openedAt: string;
  @View.text('Who opened it.', { example: 'system:kyt.pipeline' }) openedBy: string;
  @View.instant('Until when it has to be selected for analysis or not.') selectionDeadline: string;
  @View.instant('Until when the analysis has to be finished.') analysisDeadline: string;
  @View.instantOrNull('Until when it has to be communicated.') reportDeadline: string | null;
  @View.textOrNull('What the case ends with.', { example: 'REJECTED' }) resolution: string | null;
  @View.textOrNull('Whether it is communicated to COAF.', { example: 'COMMUNICATE' }) report: string | null;
  @View.textOrNull('Why it was decided.') justification: string | null;
  @View.textOrNull('Who proposed it.') proposedBy: string | null;
  @View.instantOrNull('When it was proposed.') proposedAt: string | null;
  @View.textOrNull('Who closed it.') closedBy: string | null;
  @View.instantOrNull('When it was closed; null while it is open.') closedAt: string | null;
  @View.textOrNull('The closed case that this one takes up again.') reopenedFrom: string | null;
  @View.textOrNull('Until when it has to be kept.', { example: '2037-01-01' }) retainUntil: string | null;
  @View.list(DossierNoteView, 'The notes.') notes: readonly DossierNoteView[];
  @View.list(DossierStepView, 'The steps, in their order.') steps: readonly DossierStepView[];
}

export class DossierHitView implements DossierHit {
  @View.id('hit', 'The id of the hit.') id: string;
  @View.text('The list, by its key.', { example: 'un-consolidated' }) list: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) listKind: string;
  @View.text('The entry of the list.', { example: 'QDi.001' }) entry: string;
  @View.textOrNull('The name on the list that resembles.') foundName: string | null;
  @View.text('How strong the hit is.', { example: 'STRONG' }) strength: string;
  @View.number('The score, from 0 to 100.', { example: 0.94 }) score: number;
  @View.flag('Whether a person has to decide about it.', { example: true }) mandatory: boolean;
  @View.enum(hitStatuses, 'The status of the hit.', { example: 'DISMISSED_FALSE_POSITIVE' }) status: string;
  @View.instant('When it was found.') foundAt: string;
  @View.textOrNull('Who decided about the hit; null before.') decidedBy: string | null;
  @View.instantOrNull('When the hit was decided; null before.') decidedAt: string | null;
  @View.textOrNull('Why it was decided.') justification: string | null;
}

export class DossierCommunicationView implements DossierCommunication {
  @View.id('com', 'The id of the communication.') id: string;
  @View.enum(['SUSPICION', 'CASH'], 'The kind of communication.', { example: 'CASH' }) kind: string;
  @View.enum(filingStatuses, 'The status of the communication.', { example: 'FILED' })
  status: string;
  @View.instant('Until when it has to be done.') dueAt: string;
  @View.textOrNull('The number that the authority gave to it.') filingNumber: string | null;
  @View.instantOrNull('When it was received.') receivedAt: string | null;
}

export class DossierSessionView implements DossierSession {
  @View.id('kys', 'Does not open the session.') id: string;
  @View.text('The flow and its version.', { example: 'standard@1' }) flow: string;
  @View.text('What led to it.', { example: 'OPERATOR' }) trigger: string;
  @View.enum(sessionStatuses, 'The status of the session.', { example: 'COMPLETED' }) status: string;
  @View.textOrNull('Why it stands there.') statusReason: string | null;
  @View.enumOrNull(sessionOutcomes, 'The outcome.', { example: 'APPROVED' }) outcome: string | null;
  @View.integerOrNull('The score, from 0 to 100.', { example: 12 }) score: number | null;
  @View.textOrNull('Whether the score has all that it needs.', { example: 'COMPLETE' }) composition:
    string | null;
  @View.flagOrNull('Whether the score can be defended.', { example: true }) defensible: boolean | null;
  @View.texts('Why the score cannot be defended; empty when it can.') nonDefensibleReasons: readonly string[];
  @View.instant('When the session was created.') createdAt: string;
  @View.instantOrNull('When it was submitted; null before.') submittedAt: string | null;
  @View.instantOrNull('When the session ended; null while it is open.') endedAt: string | null;
}

export class DossierArtifactView implements DossierArtifact {
  @View.id('art', 'The id of the file.') id: string;
  @View.enum(artifactKinds, 'The kind of file.', { example: 'DOCUMENT' }) kind: string;
  @View.textOrNull('The kind of document.') documentType: string | null;
  @View.textOrNull('Which side of the document.') side: string | null;
  @View.enum(artifactMimeTypes, 'The type of the file.', { example: 'image/jpeg' }) mimeType: string;
  @View.integer('The size in bytes.', { example: 184320 }) sizeBytes: number;
  @View.textOrNull('The SHA-256 of the bytes, in hex.') sha256: string | null;
  @View.enum(['STORED', 'LOST', 'ERASED'], 'The state of the file.', { example: 'STORED' }) state: string;
  @View.instant('When it was received.') receivedAt: string;
  @View.text('Who received it.', { example: 'session' }) receivedBy: string;
}

export class DossierPartyView implements DossierParty {
  @View.textOrNull('The name of the party.') name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull('The account, as it was given.') account: string | null;
  @View.textOrNull('The country, ISO 3166 alpha-2.') country: string | null;
}

export class DossierReasonView implements DossierReason {
  @View.text('The key of the rule.', { example: 'BR-FLOW-12' }) ruleId: string;
  @View.integer('The version of the rule.', { example: 1 }) version: number;
  @View.number('How many points it adds to the score.', { example: 40 }) points: number;
  @View.textOrNull('What was found.') observed: string | null;
  @View.text('From where it counts.', { example: 'limit 80%' }) threshold: string;
  @View.object(LocalisedView, 'A sentence for people; its wording may change.') message: LocalisedView;
  @View.texts('The norms on which it stands.', { example: ['Carta Circular BCB 4.001/2020, IV-n'] })
  legalBasis: readonly string[];
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
  @View.enum(['APPROVED', 'REJECTED'], 'The outcome.', { example: 'REJECTED' }) outcome: string;
  @View.id('rev', 'The id of the case; null for none.') reviewId: string;
  @View.instant('When it was decided.') decidedAt: string;
  @View.flag('Nobody independent was there to approve it.', { example: false }) singleControl: boolean;
  @View.objectOrNull(DossierPersonView, 'Who proposed it.') proposedBy: DossierPersonView | null;
  @View.objectOrNull(DossierPersonView, 'Who approved it.') closedBy: DossierPersonView | null;

  @View.textOrNull('The reason; null when it was erased with the person.', {
    example: 'The origin of the money was not shown by any document.',
  })
  justification: string | null;
}

export class DossierEvaluationView implements DossierEvaluation {
  @View.integer('The version of the ruleset.', { example: 1 }) version: number;
  @View.instant('When it was evaluated.') evaluatedAt: string;
  @View.enum(outcomes, 'The outcome.', { example: 'REVIEW' }) outcome: string;
  @View.integerOrNull('The score, from 0 to 100.', { example: 72 }) score: number | null;
  @View.textOrNull('The level of risk.', { example: 'HIGH' }) level: string | null;
  @View.enum(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What the rules advise to do.', { example: 'NONE' })
  recommendedAction: string;
  @View.text('Whether the score has all that it needs.', { example: 'COMPLETE' }) composition: string;
  @View.flag('Whether the score can be defended.', { example: true }) defensible: boolean;
  @View.texts('Why the score cannot be defended; empty when it can.') nonDefensibleReasons: readonly string[];
  @View.textOrNull('The ruleset and its version.', { example: 'br-starter@3' }) ruleset: string | null;
  @View.object(DossierTermsView, 'Everything beside the rules that can weaken the result.')
  terms: DossierTermsView;

  @View.text('The hash of all that was read and decided.', {
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  receiptHash: string;

  @View.list(DossierReasonView, 'The rules that hit, each with what it saw.')
  reasons: readonly DossierReasonView[];
  @View.objectOrNull(DossierDecisionView, 'Null when nobody decided about it.')
  decision: DossierDecisionView | null;
}

export class DossierTransactionView implements DossierTransaction {
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.text('Your id of the transaction.', { example: 'order-1001' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('The channel on which the transaction came in.', { example: 'MOBILE_APP' }) channel: string;
  @View.textOrNull('Whether the money goes out or in.', { example: 'OUT' }) direction: string | null;
  @View.text('Exact decimal.', { example: '120.5' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.instant('When it was received.') receivedAt: string;
  @View.enum(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], 'The status of the transaction.', {
    example: 'COMPLETED',
  })
  status: string;
  @View.enum(['OPEN', 'ERASED', 'BROKEN'], 'Whether the submission can be read.', { example: 'OPEN' })
  submissionState: string;
  @View.objectOrNull(DossierPartyView, 'The participant who sends.') origin: DossierPartyView | null;
  @View.objectOrNull(DossierPartyView, 'The participant who receives.') destination: DossierPartyView | null;
  @View.list(DossierEvaluationView, 'The first one first.') evaluations: readonly DossierEvaluationView[];
}

/** Documents are masked everywhere. */
export class DossierView implements Omit<Dossier, 'iterateTransactions'> {
  @View.object(DossierHeadView, 'What stands at the top: what it is about, when and by whom it was made.')
  head: DossierHeadView;
  @View.objectOrNull(DossierCustomerView, 'The customer.') customer: DossierCustomerView | null;
  @View.list(DossierCaseView, 'The cases.') cases: readonly DossierCaseView[];
  @View.list(DossierHitView, 'The hits.') hits: readonly DossierHitView[];
  @View.list(DossierCommunicationView, 'The communications to COAF.')
  communications: readonly DossierCommunicationView[];
  @View.list(DossierSessionView, 'The verification sessions.') sessions: readonly DossierSessionView[];
  @View.list(DossierArtifactView, 'The uploaded files.') artifacts: readonly DossierArtifactView[];
  @View.integer('How many transactions there are.', { example: 3 }) transactionCount: number;

  @View.list(DossierTransactionView, 'In the order in which they took place.')
  transactions: readonly DossierTransactionView[];
}
