import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Received } from '../../uploads/index.js';
import { publicId } from '../../kernel/index.js';
import { evidenceStates, type EvidenceComponent } from '../domain/evidence.js';
import { checkNames, fieldTypes, questionTypes, stepTypes } from '../domain/flow.js';
import { sessionOutcomes, sessionStatuses, sessionTriggers, statusReasons } from '../domain/session.js';
import type { PublicSession, Submitted } from '../session-desk.js';
import type { IssuedLink } from '../sessions.service.js';
import type { SessionRow } from '../domain/records.js';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

export class IssuedLinkView {
  @ApiProperty({
    description: 'The session. Whoever has it can act in it: keep it out of logs and analytics.',
  })
  sessionId: string;

  @ApiProperty({ format: 'uri', description: 'The page for the person; as sensitive as the id.' })
  url: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  @ApiProperty({
    example: 'kys_019364d0c0de7000a000000000000001',
    description: 'Names the session without opening it: for tickets and logs.',
  })
  reference: string;

  static of({ id, sessionId, url, expiresAt }: IssuedLink): IssuedLinkView {
    return { sessionId, url, expiresAt: expiresAt.toISOString(), reference: publicId('kys', id) };
  }
}

export class OptionView {
  @ApiProperty()
  value: string;

  @ApiProperty()
  label: string;
}

export class InputConstraintsView {
  @ApiProperty({ type: 'integer', nullable: true })
  minLength: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  maxLength: number | null;
}

export class ConditionView {
  @ApiProperty({ description: 'The id of the answer it looks at.' })
  answer: string;

  @ApiPropertyOptional({ oneOf: [{ type: 'string' }, { type: 'boolean' }] })
  equals?: string | boolean;

  @ApiPropertyOptional({ type: [String] })
  in?: readonly string[];
}

export class FieldView {
  @ApiProperty({ example: 'cpf' })
  id: string;

  @ApiProperty({ enum: fieldTypes })
  type: string;

  @ApiProperty()
  label: string;

  @ApiProperty({ type: String, nullable: true })
  help: string | null;

  @ApiProperty()
  required: boolean;

  @ApiProperty({ type: [OptionView] })
  options: readonly OptionView[];

  @ApiProperty({ type: InputConstraintsView })
  constraints: InputConstraintsView;
}

export class QuestionView {
  @ApiProperty({ example: 'pepSelf' })
  id: string;

  @ApiProperty({ enum: questionTypes })
  type: string;

  @ApiProperty()
  label: string;

  @ApiProperty()
  required: boolean;

  @ApiProperty({ type: [OptionView] })
  options: readonly OptionView[];

  @ApiProperty({ type: InputConstraintsView })
  constraints: InputConstraintsView;

  @ApiProperty({
    type: ConditionView,
    nullable: true,
    description: 'Only asked when it holds for the answers of this step and those before.',
  })
  showIf: ConditionView | null;
}

export class AcceptedDocumentView {
  @ApiProperty({ example: 'CNH' })
  type: string;

  @ApiProperty()
  label: string;

  @ApiProperty({ enum: ['FRONT', 'BACK'], isArray: true })
  sides: readonly ('FRONT' | 'BACK')[];
}

export class CaptureView {
  @ApiProperty({ enum: ['user', 'environment'], description: 'As in the `capture` attribute of HTML.' })
  camera: 'user' | 'environment';

  @ApiProperty({ enum: ['CAMERA', 'FILE'], isArray: true })
  modes: readonly ('CAMERA' | 'FILE')[];
}

export class UploadConstraintsView {
  @ApiProperty({ type: [String], example: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] })
  mimeTypes: readonly string[];

  @ApiProperty({ type: 'integer', example: 10_485_760 })
  maxBytes: number;

  @ApiProperty({ type: 'integer', example: 8_000 })
  maxSidePx: number;
}

export class RejectionView {
  @ApiProperty({ example: 'FILE_TYPE_UNSUPPORTED' })
  code: string;

  @ApiProperty()
  message: string;
}

export class StepView {
  @ApiProperty({ example: 'person' })
  id: string;

  @ApiProperty({ enum: stepTypes })
  type: string;

  @ApiProperty({ type: 'integer', example: 2, description: 'Place in the flow, from 1.' })
  order: number;

  @ApiProperty()
  required: boolean;

  @ApiProperty({ enum: ['TODO', 'DONE'] })
  status: 'TODO' | 'DONE';

  @ApiProperty()
  title: string;

  @ApiPropertyOptional({ description: 'CONSENT, INFO.' })
  text?: string;

  @ApiPropertyOptional({ description: 'CONSENT: which version of the notice is shown.' })
  noticeVersion?: string;

  @ApiPropertyOptional({ type: [FieldView], description: 'DATA_FORM.' })
  fields?: readonly FieldView[];

  @ApiPropertyOptional({ type: [QuestionView], description: 'QUESTIONNAIRE.' })
  questions?: readonly QuestionView[];

  @ApiPropertyOptional({ type: [AcceptedDocumentView], description: 'DOCUMENT_CAPTURE, PROOF_OF_ADDRESS.' })
  acceptedDocuments?: readonly AcceptedDocumentView[];

  @ApiPropertyOptional({ type: CaptureView, description: 'Steps that take a file.' })
  capture?: CaptureView;

  @ApiPropertyOptional({ type: UploadConstraintsView, description: 'Steps that take a file.' })
  constraints?: UploadConstraintsView;

  @ApiProperty({ type: 'integer', description: 'How often something was sent for it.' })
  attempts: number;

  @ApiProperty({ type: RejectionView, nullable: true, description: 'Why the last file was not taken.' })
  lastRejection: RejectionView | null;
}

export class SessionBrandingView {
  @ApiProperty({ example: 'Loja Exemplo' })
  name: string;

  @ApiProperty({ type: String, format: 'uri', nullable: true })
  logoUrl: string | null;

  @ApiProperty({ type: String, nullable: true, example: '#0B5FFF' })
  primaryColor: string | null;
}

export class ProgressView {
  @ApiProperty({ type: 'integer', example: 1 })
  done: number;

  @ApiProperty({ type: 'integer', example: 5 })
  total: number;
}

/** What the page draws. Nothing that was given is in it. */
export class PublicSessionView {
  @ApiProperty({ type: [StepView], description: 'Empty once the session was submitted or is over.' })
  steps: readonly StepView[];

  @ApiProperty({ example: 'Cadastro de pessoa física' })
  flowName: string;

  @ApiProperty({ type: SessionBrandingView })
  branding: SessionBrandingView;

  @ApiProperty({ enum: sessionStatuses })
  status: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'While PENDING.' })
  expiresAt?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'person',
    description: 'Where to go on; null when everything is done. While PENDING.',
  })
  currentStepId?: string | null;

  @ApiPropertyOptional({ type: ProgressView, description: 'While PENDING.' })
  progress?: ProgressView;

  static of(session: PublicSession): PublicSessionView {
    return session;
  }
}

export class SubmittedView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ enum: ['PROCESSING'] })
  status: 'PROCESSING';

  @ApiProperty({ format: 'date-time' })
  submittedAt: string;

  static of(sessionId: string, { submittedAt }: Submitted): SubmittedView {
    return { sessionId, status: 'PROCESSING', submittedAt: submittedAt.toISOString() };
  }
}

export class UploadedView {
  @ApiProperty({ example: 'art_019364d0c0de7000a000000000000001' })
  artifactId: string;

  @ApiProperty({ type: String, nullable: true, example: 'document' })
  stepId: string | null;

  @ApiProperty({ enum: ['DOCUMENT', 'SELFIE', 'PROOF_OF_ADDRESS', 'ATTACHMENT'] })
  kind: string;

  @ApiProperty({ enum: ['FRONT', 'BACK', null], nullable: true, type: String })
  side: string | null;

  @ApiProperty({ enum: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] })
  mimeType: string;

  @ApiProperty({ type: 'integer' })
  sizeBytes: number;

  @ApiProperty({ description: 'Of the bytes as they came, in hexadecimal.' })
  sha256: string;

  @ApiProperty({ description: 'Whether it is in the dossier; false: an operator links it.' })
  linked: boolean;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  static of({ artifact }: Received): UploadedView {
    const { id, stepId, kind, side, mimeType, sizeBytes, facts, customerId, createdAt } = artifact;
    return {
      artifactId: publicId('art', id),
      stepId,
      kind,
      side,
      mimeType,
      sizeBytes,
      sha256: facts.sha256,
      linked: customerId !== null,
      receivedAt: createdAt.toISOString(),
    };
  }
}

export class EvidenceView {
  @ApiProperty({ enum: checkNames })
  name: string;

  @ApiProperty({ enum: evidenceStates })
  state: string;

  @ApiProperty({ description: 'Whether the result can be defended without it.' })
  required: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'PROVIDER_ABSENT' })
  reason: string | null;

  @ApiProperty({ example: 'built-in' })
  source: string;

  @ApiProperty({ format: 'date-time' })
  asOf: string;

  @ApiProperty({ type: 'integer' })
  points: number;

  static of({ name, state, required, reason, source, asOf, points }: EvidenceComponent): EvidenceView {
    return { name, state, required, reason, source, asOf, points };
  }
}

export class SessionDecisionView {
  @ApiProperty({ enum: ['APPROVED', 'REJECTED'] })
  outcome: string;

  @ApiProperty({ enum: ['PERSON'] })
  by: 'PERSON';

  @ApiProperty({ format: 'date-time' })
  decidedAt: string;
}

export class SessionResultView {
  @ApiProperty({
    enum: sessionOutcomes,
    description: 'What a person decided, or else what the checks came to.',
  })
  outcome: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Left out where there is none.',
  })
  riskScore?: number;

  @ApiProperty({ enum: ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'] })
  composition: string;

  @ApiProperty()
  defensible: boolean;

  @ApiProperty({ type: [String], example: ['FACE_MATCH_MISSING_INPUT'] })
  nonDefensibleReasons: readonly string[];

  @ApiProperty({ type: [EvidenceView] })
  evidence: readonly EvidenceView[];
}

/** A session as its maker sees it. Answers and images are not in it. */
export class SessionView {
  @ApiProperty({ example: 'kys_019364d0c0de7000a000000000000001' })
  reference: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The capability; null for those who may not make links.',
  })
  sessionId: string | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'While PENDING; null as `sessionId`.',
  })
  url: string | null;

  @ApiProperty({ enum: sessionStatuses })
  status: string;

  @ApiProperty({ enum: statusReasons, type: String, nullable: true })
  statusReason: string | null;

  @ApiProperty({ example: 'cus_019364d0c0de7000a000000000000001' })
  customerId: string;

  @ApiProperty({ example: 'onboarding-pf' })
  flowKey: string;

  @ApiProperty({ type: 'integer' })
  flowVersion: number;

  @ApiProperty()
  flowName: string;

  @ApiProperty({ enum: sessionTriggers })
  trigger: string;

  @ApiProperty({ type: String, nullable: true, description: 'The transaction whose rule asked for it.' })
  transactionRef: string | null;

  @ApiProperty({ type: 'integer', description: '1, or more when it is another attempt.' })
  attempt: number;

  @ApiProperty({ type: String, nullable: true, description: '`reference` of the session before.' })
  previousReference: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  submittedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt: string | null;

  @ApiProperty({ type: SessionResultView, nullable: true })
  result: SessionResultView | null;

  @ApiProperty({
    type: SessionDecisionView,
    nullable: true,
    description: 'What a person decided about a session that had to be looked at.',
  })
  decision: SessionDecisionView | null;

  /** `link` for callers who may act in the session. */
  static of(
    session: SessionRow,
    link: { readonly sessionId: string; readonly url: string } | null,
  ): SessionView {
    return {
      reference: publicId('kys', session.id),
      sessionId: link?.sessionId ?? null,
      url: link && session.status === 'PENDING' ? link.url : null,
      status: session.status,
      statusReason: session.statusReason,
      customerId: publicId('cus', session.customerId),
      flowKey: session.flowKey,
      flowVersion: session.flowVersion,
      flowName: session.flow.name['pt-BR'],
      trigger: session.trigger,
      transactionRef: session.transactionRef === null ? null : publicId('txn', session.transactionRef),
      attempt: session.attempt,
      previousReference:
        session.previousSessionId === null ? null : publicId('kys', session.previousSessionId),
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      submittedAt: instant(session.submittedAt),
      endedAt: instant(session.endedAt),
      result: resultOf(session),
      decision: decisionOf(session),
    };
  }
}

function decisionOf({ decidedOutcome, decidedAt }: SessionRow): SessionDecisionView | null {
  return decidedOutcome === null || decidedAt === null
    ? null
    : { outcome: decidedOutcome, by: 'PERSON', decidedAt: decidedAt.toISOString() };
}

function resultOf(session: SessionRow): SessionResultView | null {
  const { outcome, composition, defensible, riskScore, nonDefensibleReasons, evidence } = session;
  if (outcome === null || composition === null || defensible === null) return null;
  return {
    outcome,
    ...(riskScore === null ? {} : { riskScore }),
    composition,
    defensible,
    nonDefensibleReasons,
    evidence: evidence.map((one) => EvidenceView.of(one)),
  };
}
