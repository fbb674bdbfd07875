import { ApiProperty } from '@nestjs/swagger';
import { View } from '../../platform/http/index.js';
import type { PublishedCheckpoint } from '../audit/index.js';

// Each event has its payload class here and an entry in `events` below. Types of publishers, the OpenAPI document, test
// events and the SDK are derived from them. `data` never contains a document number, a name or an image. Within an API
// version fields are only added.

export class TransactionQueuedData {
  @View.text('Your id of the transaction.', { example: 'pix-2026-000001' }) transactionId: string;
  @View.enum(['QUEUED'], 'The status of the transaction.') status: 'QUEUED';
  @View.textOrNull('Your id of the customer.', { example: 'customer-4711' })
  externalCustomerId: string | null;
  @View.id('req', 'The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.', {
    example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11',
  })
  correlationId: string;
  @View.instant('When it was received.', { example: '2026-11-20T12:00:01.240Z' }) receivedAt: string;
}

export class ReasonMessage {
  @View.text('In Brazilian Portuguese.', { example: 'Muitas transações em 24 horas' }) 'pt-BR': string;
  @View.text('In English.', { example: 'Many transactions within 24 hours' }) en: string;
}

export class ReasonLegalBasis {
  @View.text('The law or rule.', { example: 'BCB Circular 3.978/2020' }) norm: string;
  @View.text('The article or number of the norm.', { example: 'art. 39' }) item: string;
  @View.integerOrNull('The code of the occurrence in Siscoaf.', { example: null }) siscoafCode: number | null;
}

export class ScoreReason {
  @View.text('The key of the rule.', { example: 'velocity-count-24h' }) ruleId: string;
  @View.integer('The version of the rule.', { example: 1 }) version: number;
  @View.object(ReasonMessage, 'The name of the rule, for people.') name: ReasonMessage;
  @View.text('The stable code of the reason.', { example: 'VELOCITY_24H' }) reasonCode: string;
  @View.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], 'How grave the rule is.', { example: 'MEDIUM' })
  severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';

  @View.text('The group of rules whose points have one cap.', { example: 'VELOCITY' }) group: string;
  @View.integer('How many points it adds to the score.', { example: 20 }) points: number;
  @View.textOrNull('What was found.', { example: '14' }) observed: string | null;
  @View.text('From where it counts.', { example: '10' }) threshold: string;
  @View.textOrNull('The time that is looked at.', { example: '24h' }) window: string | null;
  @View.flag('True when the observed value is a lower bound.', { example: false }) saturated: boolean;
  @View.texts('What the hit means beside its points.', { example: [] }) flags: readonly string[];
  @View.object(ReasonMessage, 'A sentence for people; its wording may change.') message: ReasonMessage;
  @View.list(ReasonLegalBasis, 'The norms on which it stands.') legalBasis: readonly ReasonLegalBasis[];
}

export class PersonsDecisionPayload {
  @View.enum(['PERSON'], 'Who or what decided it.') by: 'PERSON';
  @View.enum(['APPROVED', 'REJECTED'], 'The outcome.', { example: 'APPROVED' }) outcome:
    'APPROVED' | 'REJECTED';
  @View.instant('When it was decided.', { example: '2026-11-20T15:00:00.000Z' }) decidedAt: string;

  @View.flag('Whether one person decided alone, because nobody independent was there.', { example: false })
  singleControl: boolean;
}

/** A rule of the active ruleset whose condition could not be evaluated. */
export class NotEvaluatedRule {
  @View.text('The key of the rule.', { example: 'BR-PIX-05' }) ruleId: string;

  @View.texts('Features without a value, or of which only a bound is known.', {
    example: ['dict.confirmedFrauds30d'],
  })
  missing: readonly string[];
}

export class NextActionView {
  @View.enum(['STEP_UP_SESSION'], 'The type of the action.') type: 'STEP_UP_SESSION';
  @View.text('Whoever holds it can use the session: keep it on the server.') sessionId: string;

  @View.text('The page for the customer; as secret as the id.', {
    example: 'https://vigia.example.com/verify/ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5',
  })
  url: string;

  @View.instant('Until when the action is valid.', { example: '2026-11-20T12:30:01.254Z' }) expiresAt: string;
}

export class TransactionCompletedData {
  @View.text('Your id of the transaction.', { example: 'pix-2026-000001' }) transactionId: string;
  @View.enum(['COMPLETED'], 'The status of the transaction.') status: 'COMPLETED';

  @View.enum(['RELEASE', 'CHALLENGE', 'HOLD', 'DECLINE'], 'The one field to act on.', { example: 'HOLD' })
  verdict: 'RELEASE' | 'CHALLENGE' | 'HOLD' | 'DECLINE';

  @View.objectOrNull(NextActionView, 'What the customer has to do; null when nothing.')
  nextAction: NextActionView | null;

  @View.enum(
    ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'],
    'CHALLENGED: the customer has to be verified. REVIEW: an analyst has to decide. The end comes as this event again, with the next sequence.',
    { example: 'REVIEW' },
  )
  outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED';

  @View.enum(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What the rules advise to do.')
  recommendedAction: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';

  @View.integerOrNull(
    'Informational only unless defensible is true; null when there was nothing to score with.',
    { minimum: 0, maximum: 100, example: 42 },
  )
  riskScore: number | null;

  @ApiProperty({
    description: 'The band of the score.',
    type: String,
    enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
    nullable: true,
    example: 'MEDIUM',
  })
  riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null;

  @View.flag('Whether the score can be defended.', { example: false }) defensible: boolean;

  @View.enum(['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'], 'Whether the score has all that it needs.', {
    example: 'PARTIAL',
  })
  composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';

  @View.texts('Why the score cannot be defended; empty when it can.', {
    example: ['DEVICE_IP_MISSING_INPUT'],
  })
  nonDefensibleReasons: readonly string[];

  @View.list(NotEvaluatedRule, 'Live rules that could not tell, and what they lacked.')
  notEvaluated: readonly NotEvaluatedRule[];

  @View.list(ScoreReason, 'The rules that hit, each with what it saw.') reasons: readonly ScoreReason[];
  @View.flag('Whether a person has to look.', { example: true }) reviewRequired: boolean;
  @View.id('rev', 'The id of the case; absent where there is none.', { optional: true }) reviewId?: string;

  @ApiProperty({
    required: false,
    type: () => PersonsDecisionPayload,
    description: 'When a person has decided: `outcome` is theirs, the evaluation stays what it was.',
  })
  decision?: PersonsDecisionPayload;

  @View.text('The session that a rule asked for.', { optional: true }) stepUpSessionId?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    example: [{ ruleId: 'BR-PIX-16', type: 'STEP_UP_SESSION', flowKey: 'step-up', expiresIn: 'PT30M' }],
    description: 'What rules ask for beside a review.',
  })
  requestedActions: readonly Readonly<Record<string, string>>[];

  @View.textOrNull('The ruleset and its version, as `key@version`.', { example: 'br-starter@1' })
  rulesetVersion: string | null;
  @View.textOrNull('SHA-256 of the ruleset, in hexadecimal.') rulesetHash: string | null;
  @View.integer('Counts the evaluations of the transaction from 1.', { minimum: 1, example: 1 })
  evaluationVersion: number;
  @View.instant('When it was evaluated.', { example: '2026-11-20T12:00:01.254Z' }) evaluatedAt: string;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the decision receipt.' })
  receiptHash: string;
}

export class DeadLetterFailure {
  @View.text('A stable code; a program may rely on it.', { example: 'EVALUATION_FAILED' }) code: string;
  @View.text('The step at which it stopped.', { example: 'EVALUATE' }) stage: string;
  @View.integer('How many attempts there were.', { example: 5 }) attempts: number;
}

export class TransactionDeadLetteredData {
  @View.text('Your id of the transaction.', { example: 'pix-2026-000001' }) transactionId: string;
  @View.enum(['DEAD_LETTERED'], 'The status of the transaction.') status: 'DEAD_LETTERED';
  @View.object(DeadLetterFailure, 'Why it failed, where, and after how many attempts.')
  failure: DeadLetterFailure;
  @View.flag('True when an operator can have it processed again.', { example: true }) replayable: boolean;
}

export class SessionCreatedData {
  @View.text('Whoever holds it can use the session: keep it on the server.') sessionId: string;
  @View.enum(['PENDING'], 'The status of the session.') status: 'PENDING';
  @View.text('The name of the flow.', { example: 'Cadastro completo' }) flowName: string;
  @View.id('cus', 'The id of the customer.') customerId: string;

  @View.enum(['OPERATOR', 'STEP_UP', 'API', 'COMPANY', 'REVERIFICATION'], 'Who asked for the session.')
  trigger: 'OPERATOR' | 'STEP_UP' | 'API' | 'COMPANY' | 'REVERIFICATION';

  @View.instant('Until when the session is valid.', { example: '2026-11-21T12:00:00.000Z' })
  expiresAt: string;

  @View.id('kys', 'The session of the company whose owner or representative this one is for.', {
    optional: true,
  })
  parentReference?: string;
}

export class ReopenedStep {
  @View.text('The id of the step.', { example: 'document' }) stepId: string;
  @View.text('Why, as a code; the words are for the person.', { example: 'REVIEWER' }) code: string;
}

export class SessionReopenedData {
  @View.text('Whoever holds it can use the session: keep it on the server.') sessionId: string;
  @View.enum(['PENDING'], 'The status of the session.') status: 'PENDING';
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.integer('Which time this is; three at most.', { example: 1 }) round: number;
  @View.list(ReopenedStep, 'The steps that the person is asked for again, on the same link.')
  steps: readonly ReopenedStep[];

  @View.instant('Until when the session is valid.', { example: '2026-11-22T12:00:00.000Z' })
  expiresAt: string;
}

export class SessionCompletedData {
  @View.text('The id of the session.') sessionId: string;
  @View.enum(['COMPLETED', 'EXPIRED'], 'The status of the session.') status: 'COMPLETED' | 'EXPIRED';
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.number('The score, from 0 to 100; absent where there is none.', {
    optional: true,
    minimum: 0,
    maximum: 100,
    example: 12,
  })
  riskScore?: number;

  @View.enum(['APPROVED', 'REVIEW', 'REJECTED'], 'The outcome.', { optional: true })
  outcome?: 'APPROVED' | 'REVIEW' | 'REJECTED';

  @View.flag('Whether the score can be defended.', { optional: true, example: true }) defensible?: boolean;
  @View.instant('When it was completed.', { example: '2026-11-20T12:30:00.000Z' }) completedAt: string;
}

export class CustomerIdentifiedData {
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.textOrNull('Your id of the customer.', { example: 'customer-4711' })
  externalCustomerId: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.456.789-**' }) documentMasked: string | null;
  @View.enum(['NATURAL', 'LEGAL'], 'A natural or a legal person.') personType: 'NATURAL' | 'LEGAL';
  @View.text('How sure the identification is.', { example: 'DOCUMENT_AND_SELFIE' }) assurance: string;
  @View.text('What identified the customer.', { example: 'SESSION' }) identifiedBy: string;
}

export const EXAMPLE_CORRELATION = '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11';
const SESSION = 'ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5';
const CUSTOMER = 'cus_01999e8e7c5b7d0f9a3c5f2d1b4e6a11';

interface EventDefinition<Data extends object> {
  readonly summary: string;
  readonly data: new () => Data;
  /** Typical data of the event, for the documentation and for test events. */
  readonly example: Data;
}

const defineEvent = <Data extends object>(definition: EventDefinition<Data>): EventDefinition<Data> =>
  definition;

/** The event types of the interface specification. */
export const events = {
  'kyt.transaction.queued': defineEvent({
    summary: 'A submitted transaction has been queued.',
    data: TransactionQueuedData,
    example: {
      transactionId: 'pix-2026-000001',
      status: 'QUEUED',
      externalCustomerId: 'customer-4711',
      requestId: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
      correlationId: EXAMPLE_CORRELATION,
      receivedAt: '2026-11-20T12:00:01.240Z',
    },
  }),
  'kyt.transaction.pipeline.completed': defineEvent({
    summary: 'The processing pipeline for a transaction has completed.',
    data: TransactionCompletedData,
    example: {
      transactionId: 'pix-2026-000001',
      status: 'COMPLETED',
      verdict: 'HOLD',
      nextAction: null,
      outcome: 'REVIEW',
      recommendedAction: 'HOLD',
      riskScore: 20,
      riskLevel: 'LOW',
      defensible: false,
      composition: 'PARTIAL',
      nonDefensibleReasons: ['DEVICE_IP_MISSING_INPUT'],
      notEvaluated: [{ ruleId: 'BR-PIX-16', missing: ['device.registered'] }],
      reasons: [
        {
          ruleId: 'velocity-count-24h',
          version: 1,
          name: { 'pt-BR': 'Muitas transações', en: 'Many transactions' },
          reasonCode: 'VELOCITY_24H',
          severity: 'MEDIUM',
          group: 'VELOCITY',
          points: 20,
          observed: '14',
          threshold: '10',
          window: '24h',
          saturated: false,
          flags: [],
          message: { 'pt-BR': 'Muitas transações em 24 horas', en: 'Many transactions within 24 hours' },
          legalBasis: [{ norm: 'BCB Circular 3.978/2020', item: 'art. 39', siscoafCode: null }],
        },
      ],
      reviewRequired: true,
      requestedActions: [],
      rulesetVersion: 'br-starter@1',
      rulesetHash: 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
      evaluationVersion: 1,
      evaluatedAt: '2026-11-20T12:00:01.254Z',
      receiptHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  }),
  'kyt.transaction.dead_lettered': defineEvent({
    summary: 'A transaction could not be processed and was dead-lettered.',
    data: TransactionDeadLetteredData,
    example: {
      transactionId: 'pix-2026-000001',
      status: 'DEAD_LETTERED',
      failure: { code: 'EVALUATION_FAILED', stage: 'EVALUATE', attempts: 5 },
      replayable: true,
    },
  }),
  'session.created': defineEvent({
    summary: 'A Flow session is created.',
    data: SessionCreatedData,
    example: {
      sessionId: SESSION,
      status: 'PENDING',
      flowName: 'Cadastro completo',
      customerId: CUSTOMER,
      trigger: 'OPERATOR',
      expiresAt: '2026-11-21T12:00:00.000Z',
    },
  }),
  'session.completed': defineEvent({
    summary: 'A session reaches a terminal state.',
    data: SessionCompletedData,
    example: {
      sessionId: SESSION,
      status: 'COMPLETED',
      customerId: CUSTOMER,
      riskScore: 12,
      outcome: 'APPROVED',
      defensible: true,
      completedAt: '2026-11-20T12:30:00.000Z',
    },
  }),
  'session.reopened': defineEvent({
    summary: 'Single steps of a session are asked for again.',
    data: SessionReopenedData,
    example: {
      sessionId: SESSION,
      status: 'PENDING',
      customerId: CUSTOMER,
      round: 1,
      steps: [{ stepId: 'document', code: 'REVIEWER' }],
      expiresAt: '2026-11-22T12:00:00.000Z',
    },
  }),
  'customer.identified': defineEvent({
    summary: 'A customer is identified.',
    data: CustomerIdentifiedData,
    example: {
      customerId: CUSTOMER,
      externalCustomerId: 'customer-4711',
      documentMasked: '***.456.789-**',
      personType: 'NATURAL',
      assurance: 'DOCUMENT_AND_SELFIE',
      identifiedBy: 'SESSION',
    },
  }),
} as const;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as readonly EventType[];

export type EventData = { readonly [T in EventType]: Readonly<InstanceType<(typeof events)[T]['data']>> };

/** The newest signed checkpoint of the audit log in the memory of the process; null before the first checkpoint. */
export type NewestCheckpoint = PublishedCheckpoint | null;

/** The envelope of every event. It is stored as the exact bytes that are sent. */
export type EventEnvelope = { [T in EventType]: Enveloped<T> }[EventType];

interface Enveloped<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: string;
  /** Increments per resource, so that a receiver can drop a stale event. */
  readonly sequence: number;
  readonly correlationId: string;
  readonly test: boolean;
  readonly audit: NewestCheckpoint;
  readonly data: EventData[T];
}
