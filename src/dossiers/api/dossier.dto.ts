import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { trailStatuses } from '../../audit/index.js';
import { languages, type Language } from '../domain/dossier.js';

const TIME = { type: String, format: 'date-time' } as const;
const MAYBE_TIME = { ...TIME, nullable: true } as const;
const MAYBE_TEXT = { type: String, nullable: true } as const;

export class LanguageQuery {
  @ApiPropertyOptional({ enum: languages, default: 'pt-BR', description: 'Of the printed form.' })
  @IsOptional()
  @IsIn(languages)
  lang: Language = 'pt-BR';
}

export class DossierQuery extends LanguageQuery {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Refuse with AUDIT_TRAIL_INCOMPLETE unless every trail in it is whole.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  auditReady = false;
}

export class LocalisedView {
  @ApiProperty({ example: 'Recebeu R$ 18.400,00 e transferiu 97% em 24 h.' })
  'pt-BR': string;

  @ApiProperty({ example: 'Received BRL 18,400.00 and transferred 97% within 24 h.' })
  en: string;
}

export class DossierCheckpointView {
  @ApiProperty({ type: 'integer', example: 5120 })
  size: number;

  @ApiProperty({ example: 'qJ0Tzq9m5nEJ7m0Yl0vX0p3o2kQ0v6mYw6m8m0T0a1E=' })
  root: string;

  @ApiProperty(TIME)
  signedAt: string;
}

export class IncompleteTrailView {
  @ApiProperty({ example: 'txn_019364d0c0de7000a000000000000001' })
  subject: string;

  @ApiProperty({ enum: trailStatuses, example: 'MISSING_EVENTS' })
  status: string;
}

export class DossierTrailView {
  @ApiProperty({ enum: trailStatuses, example: 'COMPLETE', description: 'The gravest of all.' })
  status: string;

  @ApiProperty({ type: 'integer', example: 42, description: 'How many trails were judged.' })
  subjects: number;

  @ApiProperty({ type: [IncompleteTrailView], description: 'At most fifty of them.' })
  incomplete: readonly IncompleteTrailView[];

  @ApiProperty({ type: DossierCheckpointView, nullable: true })
  checkpoint: DossierCheckpointView | null;
}

export class DossierHeadView {
  @ApiProperty({
    example: 'dsr_019364d0c0de7000a000000000000012',
    description: 'Names the export in the trail.',
  })
  id: string;

  @ApiProperty({ enum: ['CUSTOMER', 'REVIEW'], example: 'CUSTOMER' })
  about: string;

  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000002' })
  subjectId: string;

  @ApiProperty(TIME)
  generatedAt: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000009' })
  generatedBy: string;

  @ApiProperty({ example: true })
  auditReady: boolean;

  @ApiProperty({ type: DossierTrailView })
  trail: DossierTrailView;
}

export class DossierCustomerView {
  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000002' })
  id: string;

  @ApiProperty({ ...MAYBE_TEXT, example: 'Maria Exemplo' })
  name: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: '***.982.247-**' })
  documentMasked: string | null;

  @ApiProperty(MAYBE_TEXT)
  externalCustomerId: string | null;

  @ApiProperty(MAYBE_TEXT)
  birthDate: string | null;

  @ApiProperty({ type: [String], example: ['BR'] })
  nationalities: readonly string[];

  @ApiProperty({ ...MAYBE_TEXT, example: 'NATURAL' })
  personType: string | null;

  @ApiProperty({ example: 'DOCUMENT' })
  assurance: string;

  @ApiProperty({ example: 'KYT' })
  identifiedBy: string;

  @ApiProperty(TIME)
  identifiedAt: string;

  @ApiProperty({ ...MAYBE_TEXT, example: 'LOW' })
  riskLevel: string | null;

  @ApiProperty({ example: false })
  legalHold: boolean;

  @ApiProperty({ example: false })
  erased: boolean;
}

export class DossierStepView {
  @ApiProperty(TIME)
  at: string;

  @ApiProperty({ example: 'review.opened' })
  action: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000009' })
  actor: string;
}

export class DossierNoteView {
  @ApiProperty(TIME)
  writtenAt: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000009' })
  author: string;

  @ApiProperty(MAYBE_TEXT)
  text: string | null;
}

export class DossierCaseView {
  @ApiProperty({ example: 'rev_019364d0c0de7000a000000000000003' })
  id: string;

  @ApiProperty({ example: 'SCORE' })
  kind: string;

  @ApiProperty({ example: 'CLOSED' })
  status: string;

  @ApiProperty({ type: 'integer', example: 2, description: '1 is the most urgent.' })
  priority: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 72 })
  riskScore: number | null;

  @ApiProperty({ type: 'integer', example: 3 })
  transactions: number;

  @ApiProperty(TIME)
  openedAt: string;

  @ApiProperty({ example: 'system:kyt.pipeline' })
  openedBy: string;

  @ApiProperty(TIME)
  selectionDeadline: string;

  @ApiProperty(TIME)
  analysisDeadline: string;

  @ApiProperty(MAYBE_TIME)
  reportDeadline: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: 'REJECTED' })
  resolution: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: 'COMMUNICATE' })
  report: string | null;

  @ApiProperty(MAYBE_TEXT)
  justification: string | null;

  @ApiProperty(MAYBE_TEXT)
  proposedBy: string | null;

  @ApiProperty(MAYBE_TIME)
  proposedAt: string | null;

  @ApiProperty(MAYBE_TEXT)
  closedBy: string | null;

  @ApiProperty(MAYBE_TIME)
  closedAt: string | null;

  @ApiProperty(MAYBE_TEXT)
  reopenedFrom: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: '2037-01-01' })
  retainUntil: string | null;

  @ApiProperty({ type: [DossierNoteView] })
  notes: readonly DossierNoteView[];

  @ApiProperty({ type: [DossierStepView] })
  steps: readonly DossierStepView[];
}

export class DossierHitView {
  @ApiProperty({ example: 'hit_019364d0c0de7000a000000000000004' })
  id: string;

  @ApiProperty({ example: 'un-consolidated' })
  list: string;

  @ApiProperty({ example: 'SANCTIONS' })
  listKind: string;

  @ApiProperty({ example: 'QDi.001' })
  entry: string;

  @ApiProperty(MAYBE_TEXT)
  foundName: string | null;

  @ApiProperty({ example: 'STRONG' })
  strength: string;

  @ApiProperty({ example: 0.94 })
  score: number;

  @ApiProperty({ example: true })
  mandatory: boolean;

  @ApiProperty({ example: 'DISMISSED_FALSE_POSITIVE' })
  status: string;

  @ApiProperty(TIME)
  foundAt: string;

  @ApiProperty(MAYBE_TEXT)
  decidedBy: string | null;

  @ApiProperty(MAYBE_TIME)
  decidedAt: string | null;

  @ApiProperty(MAYBE_TEXT)
  justification: string | null;
}

export class DossierCommunicationView {
  @ApiProperty({ example: 'com_019364d0c0de7000a000000000000011' })
  id: string;

  @ApiProperty({ enum: ['SUSPICION', 'CASH'], example: 'CASH' })
  kind: string;

  @ApiProperty({ enum: ['DRAFT', 'RECORDED', 'FILED'], example: 'FILED' })
  status: string;

  @ApiProperty(TIME)
  dueAt: string;

  @ApiProperty(MAYBE_TEXT)
  filingNumber: string | null;

  @ApiProperty(MAYBE_TIME)
  receivedAt: string | null;
}

export class DossierSessionView {
  @ApiProperty({ example: 'kys_019364d0c0de7000a000000000000001', description: 'Does not open the session.' })
  id: string;

  @ApiProperty({ example: 'standard@1' })
  flow: string;

  @ApiProperty({ example: 'OPERATOR' })
  trigger: string;

  @ApiProperty({ example: 'COMPLETED' })
  status: string;

  @ApiProperty(MAYBE_TEXT)
  statusReason: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: 'APPROVED' })
  outcome: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 12 })
  score: number | null;

  @ApiProperty({ ...MAYBE_TEXT, example: 'COMPLETE' })
  composition: string | null;

  @ApiProperty({ type: Boolean, nullable: true, example: true })
  defensible: boolean | null;

  @ApiProperty({ type: [String] })
  nonDefensibleReasons: readonly string[];

  @ApiProperty(TIME)
  createdAt: string;

  @ApiProperty(MAYBE_TIME)
  submittedAt: string | null;

  @ApiProperty(MAYBE_TIME)
  endedAt: string | null;
}

export class DossierArtifactView {
  @ApiProperty({ example: 'art_019364d0c0de7000a000000000000006' })
  id: string;

  @ApiProperty({ example: 'DOCUMENT' })
  kind: string;

  @ApiProperty(MAYBE_TEXT)
  documentType: string | null;

  @ApiProperty(MAYBE_TEXT)
  side: string | null;

  @ApiProperty({ example: 'image/jpeg' })
  mimeType: string;

  @ApiProperty({ type: 'integer', example: 184320 })
  sizeBytes: number;

  @ApiProperty(MAYBE_TEXT)
  sha256: string | null;

  @ApiProperty({ example: 'STORED' })
  state: string;

  @ApiProperty(TIME)
  receivedAt: string;

  @ApiProperty({ example: 'session' })
  receivedBy: string;
}

export class DossierPartyView {
  @ApiProperty(MAYBE_TEXT)
  name: string | null;

  @ApiProperty({ ...MAYBE_TEXT, example: '***.982.247-**' })
  documentMasked: string | null;

  @ApiProperty(MAYBE_TEXT)
  account: string | null;

  @ApiProperty(MAYBE_TEXT)
  country: string | null;
}

export class DossierReasonView {
  @ApiProperty({ example: 'BR-FLOW-12' })
  ruleId: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ example: 40 })
  points: number;

  @ApiProperty(MAYBE_TEXT)
  observed: string | null;

  @ApiProperty({ example: 'limit 80%' })
  threshold: string;

  @ApiProperty({ type: LocalisedView })
  message: LocalisedView;

  @ApiProperty({ type: [String], example: ['Carta Circular BCB 4.001/2020, IV-n'] })
  legalBasis: readonly string[];
}

export class DossierEvaluationView {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty(TIME)
  evaluatedAt: string;

  @ApiProperty({ example: 'REVIEW' })
  outcome: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 72 })
  score: number | null;

  @ApiProperty({ ...MAYBE_TEXT, example: 'HIGH' })
  level: string | null;

  @ApiProperty({ example: 'NONE' })
  recommendedAction: string;

  @ApiProperty({ example: 'COMPLETE' })
  composition: string;

  @ApiProperty({ example: true })
  defensible: boolean;

  @ApiProperty({ type: [String] })
  nonDefensibleReasons: readonly string[];

  @ApiProperty({ ...MAYBE_TEXT, example: 'br-starter@3' })
  ruleset: string | null;

  @ApiProperty({ example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' })
  receiptHash: string;

  @ApiProperty({ type: [DossierReasonView] })
  reasons: readonly DossierReasonView[];
}

export class DossierTransactionView {
  @ApiProperty({ example: 'txn_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'order-1001' })
  transactionId: string;

  @ApiProperty({ example: 'PIX_TRANSFER' })
  type: string;

  @ApiProperty({ example: 'MOBILE_APP' })
  channel: string;

  @ApiProperty({ ...MAYBE_TEXT, example: 'OUT' })
  direction: string | null;

  @ApiProperty({ example: '120.5', description: 'Exact decimal.' })
  amount: string;

  @ApiProperty({ example: 'BRL' })
  currency: string;

  @ApiProperty(TIME)
  occurredAt: string;

  @ApiProperty(TIME)
  receivedAt: string;

  @ApiProperty({ example: 'COMPLETED' })
  status: string;

  @ApiProperty({ enum: ['OPEN', 'ERASED', 'BROKEN'], example: 'OPEN' })
  submissionState: string;

  @ApiProperty({ type: DossierPartyView, nullable: true })
  origin: DossierPartyView | null;

  @ApiProperty({ type: DossierPartyView, nullable: true })
  destination: DossierPartyView | null;

  @ApiProperty({ type: [DossierEvaluationView], description: 'The first one first.' })
  evaluations: readonly DossierEvaluationView[];
}

/** Documents are masked everywhere. */
export class DossierView {
  @ApiProperty({ type: DossierHeadView })
  head: DossierHeadView;

  @ApiProperty({ type: DossierCustomerView, nullable: true })
  customer: DossierCustomerView | null;

  @ApiProperty({ type: [DossierCaseView] })
  cases: readonly DossierCaseView[];

  @ApiProperty({ type: [DossierHitView] })
  hits: readonly DossierHitView[];

  @ApiProperty({ type: [DossierCommunicationView] })
  communications: readonly DossierCommunicationView[];

  @ApiProperty({ type: [DossierSessionView] })
  sessions: readonly DossierSessionView[];

  @ApiProperty({ type: [DossierArtifactView] })
  artifacts: readonly DossierArtifactView[];

  @ApiProperty({ type: 'integer', example: 3 })
  transactionCount: number;

  @ApiProperty({ type: [DossierTransactionView], description: 'In the order in which they took place.' })
  transactions: readonly DossierTransactionView[];
}

export class SubjectPersonView {
  @ApiProperty({ ...MAYBE_TEXT, example: 'Maria Exemplo' })
  name: string | null;

  @ApiProperty({ ...MAYBE_TEXT, description: 'In full: it is the own one.' })
  document: string | null;

  @ApiProperty(MAYBE_TEXT)
  externalCustomerId: string | null;

  @ApiProperty(MAYBE_TEXT)
  birthDate: string | null;

  @ApiProperty({ type: [String], example: ['BR'] })
  nationalities: readonly string[];

  @ApiProperty({ ...MAYBE_TEXT, example: 'NATURAL' })
  personType: string | null;

  @ApiProperty(TIME)
  knownSince: string;
}

export class SubjectFileView {
  @ApiProperty({ example: 'SELFIE' })
  kind: string;

  @ApiProperty(MAYBE_TEXT)
  side: string | null;

  @ApiProperty({ example: 'image/jpeg' })
  mimeType: string;

  @ApiProperty(TIME)
  receivedAt: string;
}

export class SubjectPartyView {
  @ApiProperty(MAYBE_TEXT)
  name: string | null;

  @ApiProperty({ ...MAYBE_TEXT, description: 'In full for the person, masked for others.' })
  document: string | null;

  @ApiProperty(MAYBE_TEXT)
  account: string | null;

  @ApiProperty(MAYBE_TEXT)
  country: string | null;
}

export class OwnTransactionView {
  @ApiProperty({ example: 'order-1001' })
  transactionId: string;

  @ApiProperty({ example: 'PIX_TRANSFER' })
  type: string;

  @ApiProperty({ example: 'MOBILE_APP' })
  channel: string;

  @ApiProperty({ ...MAYBE_TEXT, example: 'OUT' })
  direction: string | null;

  @ApiProperty({ example: '120.5' })
  amount: string;

  @ApiProperty({ example: 'BRL' })
  currency: string;

  @ApiProperty(TIME)
  occurredAt: string;

  @ApiProperty({ type: SubjectPartyView })
  origin: SubjectPartyView;

  @ApiProperty({ type: SubjectPartyView })
  destination: SubjectPartyView;
}

/** What is held about a person, without anything that was concluded from it. */
export class SubjectExportView {
  @ApiProperty({ example: 'dsr_019364d0c0de7000a000000000000012' })
  id: string;

  @ApiProperty(TIME)
  generatedAt: string;

  @ApiProperty({ type: SubjectPersonView })
  person: SubjectPersonView;

  @ApiProperty({ type: [SubjectFileView] })
  files: readonly SubjectFileView[];

  @ApiProperty({ type: [OwnTransactionView] })
  transactions: readonly OwnTransactionView[];
}
