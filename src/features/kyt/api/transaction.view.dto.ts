import { ApiProperty } from '@nestjs/swagger';
import { View } from '../../../platform/http/index.js';
import { NextActionView } from '../../webhooks/index.js';
import { verdicts } from '../domain/verdict.js';
import type {
  TransactionFailure,
  NotEvaluatedRule,
  DecisionSummary,
  ReadBackTransaction,
} from '../domain/reading/read-back.js';

export class TransactionFailureView implements TransactionFailure {
  @View.text('A stable code; a program may rely on it.', { example: 'SEALED_BODY_BROKEN' }) code: string;
  @View.text('The step at which it stopped.', { example: 'OPEN' }) stage: string;
  @View.number('How many attempts there were.', { example: 5 }) attempts: number;
}

/** A live rule that could not be decided, because features had no value. */
export class NotEvaluatedView implements NotEvaluatedRule {
  @View.text('The key of the rule.', { example: 'BR-PIX-05' }) ruleId: string;

  @View.texts('Features without a value, or of which only a bound is known.', {
    example: ['dict.confirmedFrauds30d'],
  })
  missing: readonly string[];
}

export class PersonsDecisionView implements DecisionSummary {
  @View.enum(['APPROVED', 'REJECTED'], 'The outcome.', { example: 'APPROVED' }) outcome: string;
  @View.enum(['PERSON'], 'Who or what decided it.', { example: 'PERSON' }) by: string;
  @View.instant('When it was decided.') decidedAt: string;

  @View.flag('Whether one person decided alone, because nobody independent was there.', { example: false })
  singleControl: boolean;
}

/** A transaction with its current state. The fields of the evaluation are null until it is evaluated. */
export class TransactionData implements ReadBackTransaction {
  @View.text('Your id of the transaction.', { example: 'pix-2026-000001' }) transactionId: string;
  @View.enum(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], 'The status of the transaction.', {
    example: 'COMPLETED',
  })
  status: string;
  @View.instant('When it was received.') receivedAt: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.text('The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.') correlationId: string;
  @View.texts('What is unusual and was accepted nevertheless.') warnings: readonly string[];

  @View.enumOrNull(verdicts, 'The one field to act on. Null until there is an evaluation: never a RELEASE.', {
    example: 'RELEASE',
  })
  verdict: string | null;

  @View.objectOrNull(NextActionView, 'What the customer has to do; null when nothing.')
  nextAction: NextActionView | null;

  @View.enumOrNull(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.', { example: 'APPROVED' })
  outcome: string | null;

  @View.enumOrNull(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What the rules advise to do.', {
    example: 'NONE',
  })
  recommendedAction: string | null;

  @View.numberOrNull('Null when there is none: a missing score is never a zero.', {
    minimum: 0,
    maximum: 100,
    example: 0,
  })
  riskScore: number | null;

  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], 'The band of the score.', { example: 'LOW' })
  riskLevel: string | null;

  @View.flagOrNull('False: the score is informational only, and not defensible for approval.')
  defensible: boolean | null;

  @View.enumOrNull(
    ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'],
    'Whether the score has all that it needs.',
    { example: 'COMPLETE' },
  )
  composition: string | null;

  @View.jsonOrNull(
    'Per component its state (HIT, NO_HIT, HIT_DISMISSED, PARTIAL, ERROR, MISSING_INPUT, SKIPPED, STALE_SOURCE), source, asOf and points.',
    {
      example: {
        IDENTITY: { state: 'NO_HIT', source: 'submission', asOf: '2026-11-20T12:00:00.000Z', points: 0 },
      },
    },
  )
  components: unknown;

  @View.texts('Why the score cannot be defended.') nonDefensibleReasons: readonly string[];

  @View.list(
    NotEvaluatedView,
    'Live rules that could not tell, and what they lacked; RULES is PARTIAL where that was not accepted by the author of the rule.',
  )
  notEvaluated: readonly NotEvaluatedView[];

  @View.texts(
    'Components that the ruleset would need, but for the channel, or because the application has said that it does not send their input (`withoutInputs`).',
    { example: [] },
  )
  exempt: readonly string[];

  @View.texts(
    'What was not looked at because the application has said that it does not send it: DICT, DEVICE, PROFILE, COUNTERPARTY_DOCUMENT.',
    { example: [] },
  )
  withoutInputs: readonly string[];

  @View.jsons('The rules that hit, each with what it saw.') reasons: readonly unknown[];
  @View.flagOrNull('Whether a person still has to decide.') reviewRequired: boolean | null;
  @View.textOrNull('The newest review that it is part of.', { example: null }) reviewId: string | null;

  @View.objectOrNull(
    PersonsDecisionView,
    'When a person has decided: `outcome` is theirs, the evaluation stays what it was.',
  )
  decision: PersonsDecisionView | null;

  @View.jsons('What the score is the sum of: per group of rules its points, its cap, and what counted.', {
    example: [{ group: 'STRUCTURING', points: 70, cap: 60, counted: 60 }],
  })
  groups: readonly unknown[];

  @View.integer('What dampeners took away.', { maximum: 0, example: 0 }) dampening: number;

  @View.texts('What hits mean beside their points: REPORT_COE (a cash report is due), EVIDENCE_GAP.', {
    example: [],
  })
  flags: readonly string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    example: [],
    description: 'What rules ask for beside a review, such as a step-up session.',
  })
  requestedActions: readonly unknown[];

  @View.textOrNull('The ruleset and its version, as `key@version`.', { example: 'br-starter@1' })
  rulesetVersion: string | null;
  @View.textOrNull('SHA-256 of the ruleset, in hexadecimal.') rulesetHash: string | null;
  @View.numberOrNull('Counts the evaluations of the transaction from 1.', { example: 1 }) evaluationVersion:
    number | null;
  @View.instantOrNull('When it was evaluated.') evaluatedAt: string | null;
  @View.textOrNull('SHA-256 of the decision receipt.') receiptHash: string | null;

  @View.object(TransactionFailureView, 'Only when dead-lettered.', { optional: true })
  failure?: TransactionFailureView;
}

export class TransactionView {
  @View.object(TransactionData, 'What was asked for; null where there is an error.') data: TransactionData;
  @View.noError() error: null;
}
