import { ApiProperty } from '@nestjs/swagger';
import { eventTypes, type EventType } from '../domain/event.js';

const at = (example: string): object => ({ format: 'date-time', example });

/** The envelope of every event. The body that is signed is exactly the bytes received. */
/** A signed checkpoint (c2sp.org/tlog-checkpoint), taken apart. */
export class AuditCheckpointView {
  @ApiProperty({ example: 'vigia/sandbox/t/01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071/i/1' })
  origin: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 4711, description: 'Number of entries in the log.' })
  size: number;

  @ApiProperty({
    example: 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=',
    description: 'Root of the Merkle tree over them, base64.',
  })
  root: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:01.000Z' })
  signedAt: string;

  @ApiProperty({
    example: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
    description:
      'Base64 of four bytes of key hash and the Ed25519 signature over the lines origin, size, root and ' +
      '`time <signedAt>`, each with its newline.',
  })
  signature: string;
}

export class WebhookEnvelope {
  @ApiProperty({
    example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80',
    description: 'Stable over retries and replays, and equal to the header webhook-id: process each id once.',
  })
  id: string;

  @ApiProperty({ enum: eventTypes })
  type: EventType;

  @ApiProperty({ ...at('2026-11-20T12:00:01.254Z'), description: 'When it happened.' })
  timestamp: string;

  @ApiProperty({ example: '2026-11-01' })
  apiVersion: string;

  @ApiProperty({ example: 'sandbox', description: 'The environment that sent it.' })
  environment: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 2,
    description:
      'Grows per resource. Order is not guaranteed: drop an event that is older than the last one seen.',
  })
  sequence: number;

  @ApiProperty({ example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11' })
  correlationId: string;

  @ApiProperty({
    example: false,
    description: 'True for an event that an operator sent to try the endpoint.',
  })
  test: boolean;

  @ApiProperty({
    type: () => AuditCheckpointView,
    nullable: true,
    description:
      'The newest signed checkpoint of the audit log when the event was made; null before the first. Keep it: with it ' +
      'you can prove later that the log was not shortened or rewritten.',
  })
  audit: AuditCheckpointView | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: Record<string, unknown>;
}

export class TransactionQueuedData {
  @ApiProperty({ example: 'pix-2026-000001' })
  transactionId: string;

  @ApiProperty({ enum: ['QUEUED'] })
  status: string;

  @ApiProperty({ type: String, nullable: true, example: 'customer-4711' })
  externalCustomerId: string | null;

  @ApiProperty({ example: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  requestId: string;

  @ApiProperty({ example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11' })
  correlationId: string;

  @ApiProperty(at('2026-11-20T12:00:01.240Z'))
  receivedAt: string;
}

export class ReasonMessage {
  @ApiProperty({ example: 'Muitas transações em 24 horas' })
  'pt-BR': string;

  @ApiProperty({ example: 'Many transactions within 24 hours' })
  en: string;
}

export class ReasonLegalBasis {
  @ApiProperty({ example: 'BCB Circular 3.978/2020' })
  norm: string;

  @ApiProperty({ example: 'art. 39' })
  item: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  siscoafCode: number | null;
}

export class ScoreReason {
  @ApiProperty({ example: 'velocity-count-24h' })
  ruleId: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ type: 'integer', example: 20 })
  points: number;

  @ApiProperty({ type: String, nullable: true, example: '14' })
  observed: string | null;

  @ApiProperty({ example: '10' })
  threshold: string;

  @ApiProperty({ type: String, nullable: true, example: '24h' })
  window: string | null;

  @ApiProperty({ example: false, description: 'True when the observed value is a lower bound.' })
  saturated: boolean;

  @ApiProperty({ type: ReasonMessage })
  message: ReasonMessage;

  @ApiProperty({ type: [ReasonLegalBasis] })
  legalBasis: ReasonLegalBasis[];
}

export class PersonsDecisionPayload {
  @ApiProperty({ enum: ['PERSON'] })
  by: string;

  @ApiProperty({ enum: ['APPROVED', 'REJECTED'], example: 'APPROVED' })
  outcome: string;

  @ApiProperty(at('2026-11-20T15:00:00.000Z'))
  decidedAt: string;
}

export class TransactionCompletedData {
  @ApiProperty({ example: 'pix-2026-000001' })
  transactionId: string;

  @ApiProperty({ enum: ['COMPLETED'] })
  status: string;

  @ApiProperty({
    enum: ['APPROVED', 'REVIEW', 'REJECTED'],
    description:
      'REVIEW: an analyst has to decide; the decision comes as this event again, with the next sequence.',
  })
  outcome: string;

  @ApiProperty({ enum: ['NONE', 'STEP_UP', 'HOLD', 'DECLINE'] })
  recommendedAction: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    example: 42,
    description: 'Informational only unless defensible is true; null when there was nothing to score with.',
  })
  riskScore: number | null;

  @ApiProperty({
    type: String,
    enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
    nullable: true,
    example: 'MEDIUM',
  })
  riskLevel: string | null;

  @ApiProperty({ example: false })
  defensible: boolean;

  @ApiProperty({ enum: ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'], example: 'PARTIAL' })
  composition: string;

  @ApiProperty({ type: [String], example: ['DEVICE_IP_MISSING_INPUT'] })
  nonDefensibleReasons: string[];

  @ApiProperty({ type: [ScoreReason] })
  reasons: ScoreReason[];

  @ApiProperty({ example: true })
  reviewRequired: boolean;

  @ApiProperty({ required: false, example: 'rev_01999e8e7c5b7d0f9a3c5f2d1b4e6a99' })
  reviewId?: string;

  @ApiProperty({
    required: false,
    type: () => PersonsDecisionPayload,
    description: 'When a person has decided: `outcome` is theirs, the evaluation stays what it was.',
  })
  decision?: PersonsDecisionPayload;

  @ApiProperty({ required: false, description: 'The session that a rule asked for.' })
  stepUpSessionId?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    example: [{ ruleId: 'BR-PIX-16', type: 'STEP_UP_SESSION', flowKey: 'step-up', expiresIn: 'PT30M' }],
    description: 'What rules ask for beside a review.',
  })
  requestedActions: Record<string, string>[];

  @ApiProperty({ type: String, nullable: true, example: 'br-starter@1' })
  rulesetVersion: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'SHA-256 of the ruleset, in hexadecimal.' })
  rulesetHash: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  evaluationVersion: number;

  @ApiProperty(at('2026-11-20T12:00:01.254Z'))
  evaluatedAt: string;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the decision receipt.' })
  receiptHash: string;
}

export class DeadLetterFailure {
  @ApiProperty({ example: 'EVALUATION_FAILED' })
  code: string;

  @ApiProperty({ example: 'EVALUATE' })
  stage: string;

  @ApiProperty({ type: 'integer', example: 5 })
  attempts: number;
}

export class TransactionDeadLetteredData {
  @ApiProperty({ example: 'pix-2026-000001' })
  transactionId: string;

  @ApiProperty({ enum: ['DEAD_LETTERED'] })
  status: string;

  @ApiProperty({ type: DeadLetterFailure })
  failure: DeadLetterFailure;

  @ApiProperty({ example: true, description: 'True when an operator can have it processed again.' })
  replayable: boolean;
}

export class SessionCreatedData {
  @ApiProperty({ description: 'Whoever holds it can use the session: keep it on the server.' })
  sessionId: string;

  @ApiProperty({ enum: ['PENDING'] })
  status: string;

  @ApiProperty({ example: 'Cadastro completo' })
  flowName: string;

  @ApiProperty({ example: 'cus_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  customerId: string;

  @ApiProperty({ enum: ['OPERATOR', 'STEP_UP', 'API'], description: 'Who asked for the session.' })
  trigger: string;

  @ApiProperty(at('2026-11-21T12:00:00.000Z'))
  expiresAt: string;
}

export class SessionCompletedData {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ enum: ['COMPLETED', 'EXPIRED'] })
  status: string;

  @ApiProperty({ example: 'cus_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  customerId: string;

  @ApiProperty({ required: false, type: 'number', minimum: 0, maximum: 100, example: 12 })
  riskScore?: number;

  @ApiProperty({ required: false, enum: ['APPROVED', 'REVIEW', 'REJECTED'] })
  outcome?: string;

  @ApiProperty({ required: false, example: true })
  defensible?: boolean;

  @ApiProperty(at('2026-11-20T12:30:00.000Z'))
  completedAt: string;
}

export class CustomerIdentifiedData {
  @ApiProperty({ example: 'cus_01999e8e7c5b7d0f9a3c5f2d1b4e6a11' })
  customerId: string;

  @ApiProperty({ type: String, nullable: true, example: 'customer-4711' })
  externalCustomerId: string | null;

  @ApiProperty({ type: String, nullable: true, example: '***.456.789-**' })
  documentMasked: string | null;

  @ApiProperty({ enum: ['NATURAL', 'LEGAL'] })
  personType: string;

  @ApiProperty({ example: 'DOCUMENT_AND_SELFIE', description: 'How sure the identification is.' })
  assurance: string;

  @ApiProperty({ example: 'SESSION', description: 'What identified the customer.' })
  identifiedBy: string;
}
