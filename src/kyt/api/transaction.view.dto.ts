import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import type { RequestedAction } from '../../rules/index.js';
import { requestedOf } from '../domain/completed-data.js';
import { actionAfter } from '../domain/decided-data.js';
import type { TransactionRecord } from '../store/transaction.queries.js';

export class TransactionFailureView {
  @ApiProperty({ example: 'SEALED_BODY_BROKEN' })
  code: string;

  @ApiProperty({ example: 'OPEN' })
  stage: string;

  @ApiProperty({ example: 5 })
  attempts: number;
}

export class PersonsDecisionView {
  @ApiProperty({ enum: ['APPROVED', 'REJECTED'], example: 'APPROVED' })
  outcome: string;

  @ApiProperty({ enum: ['PERSON'], example: 'PERSON' })
  by: string;

  @ApiProperty({ type: String, format: 'date-time' })
  decidedAt: string;
}

/** A transaction with what is known about it now. Fields of the evaluation are null until there is one. */
export class TransactionData {
  @ApiProperty({ example: 'pix-2026-000001' })
  transactionId: string;

  @ApiProperty({ enum: ['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], example: 'COMPLETED' })
  status: string;

  @ApiProperty({ type: String, format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  occurredAt: string;

  @ApiProperty()
  requestId: string;

  @ApiProperty()
  correlationId: string;

  @ApiProperty({ type: [String] })
  warnings: readonly string[];

  @ApiProperty({
    enum: ['APPROVED', 'REVIEW', 'REJECTED', null],
    nullable: true,
    example: 'APPROVED',
    type: String,
  })
  outcome: string | null;

  @ApiProperty({
    enum: ['NONE', 'STEP_UP', 'HOLD', 'DECLINE', null],
    nullable: true,
    example: 'NONE',
    type: String,
  })
  recommendedAction: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    example: 0,
    description: 'Null when there is none: a missing score is never a zero.',
  })
  riskScore: number | null;

  @ApiProperty({
    enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL', null],
    nullable: true,
    example: 'LOW',
    type: String,
  })
  riskLevel: string | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'False: the score is informational only, and not defensible for approval.',
  })
  defensible: boolean | null;

  @ApiProperty({
    enum: ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT', null],
    nullable: true,
    example: 'COMPLETE',
    type: String,
  })
  composition: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description:
      'Per component its state (HIT, NO_HIT, PARTIAL, ERROR, MISSING_INPUT, SKIPPED, STALE_SOURCE), source, asOf and points.',
    example: {
      IDENTITY: { state: 'NO_HIT', source: 'submission', asOf: '2026-11-20T12:00:00.000Z', points: 0 },
    },
  })
  components: unknown;

  @ApiProperty({ type: [String], description: 'Why the score cannot be defended.' })
  nonDefensibleReasons: readonly string[];

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  reasons: readonly unknown[];

  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether a person still has to decide.' })
  reviewRequired: boolean | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The newest review that it is part of.',
  })
  reviewId: string | null;

  @ApiProperty({
    type: PersonsDecisionView,
    nullable: true,
    description: 'When a person has decided: `outcome` is theirs, the evaluation stays what it was.',
  })
  decision: PersonsDecisionView | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'What the score is the sum of: per group of rules its points, its cap, and what counted.',
    example: [{ group: 'STRUCTURING', points: 70, cap: 60, counted: 60 }],
  })
  groups: readonly unknown[];

  @ApiProperty({ type: 'integer', maximum: 0, example: 0, description: 'What dampeners took away.' })
  dampening: number;

  @ApiProperty({
    type: [String],
    example: [],
    description: 'What hits mean beside their points: REPORT_COE (a cash report is due), EVIDENCE_GAP.',
  })
  flags: readonly string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    example: [],
    description: 'What rules ask for beside a review, such as a step-up session.',
  })
  requestedActions: readonly unknown[];

  @ApiProperty({ type: String, nullable: true, example: 'br-starter@1' })
  rulesetVersion: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'SHA-256 of the ruleset, in hexadecimal.' })
  rulesetHash: string | null;

  @ApiProperty({ type: Number, nullable: true, example: 1 })
  evaluationVersion: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  evaluatedAt: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'SHA-256 of the decision receipt.' })
  receiptHash: string | null;

  @ApiPropertyOptional({ type: TransactionFailureView, description: 'Only when dead-lettered.' })
  failure?: TransactionFailureView;
}

export class TransactionView {
  @ApiProperty({ type: TransactionData })
  data: TransactionData;

  @ApiProperty({ type: 'null', nullable: true, example: null })
  error: null;
}

/** The parts of the stored receipt that integrators read. */
interface StoredReceipt {
  readonly outcome: string;
  readonly recommendedAction: string;
  readonly score: number | null;
  readonly level: string | null;
  readonly defensible: boolean;
  readonly composition: string;
  readonly components: unknown;
  readonly nonDefensibleReasons: readonly string[];
  readonly reasons: readonly unknown[];
  readonly groups: readonly unknown[];
  readonly dampening: number;
  readonly flags: readonly string[];
  readonly actions: readonly RequestedAction[];
  readonly ruleset: {
    readonly key: string;
    readonly version: number;
    readonly contentHash: string;
  } | null;
}

/** Shows a transaction to the application that submitted it. */
export function transactionData(record: TransactionRecord, reviewId: string | null): TransactionData {
  const { evaluation, decision } = record;
  const receipt = evaluation ? (JSON.parse(evaluation.receipt) as StoredReceipt) : null;
  return {
    transactionId: record.transactionId,
    status: record.status,
    receivedAt: record.receivedAt.toISOString(),
    occurredAt: record.occurredAt.toISOString(),
    requestId: record.requestId,
    correlationId: record.correlationId,
    warnings: record.warnings,
    outcome: decision?.outcome ?? receipt?.outcome ?? null,
    recommendedAction: decision ? actionAfter(decision.outcome) : (receipt?.recommendedAction ?? null),
    riskScore: receipt?.score ?? null,
    riskLevel: receipt?.level ?? null,
    defensible: receipt?.defensible ?? null,
    composition: receipt?.composition ?? null,
    components: receipt?.components ?? null,
    nonDefensibleReasons: receipt?.nonDefensibleReasons ?? [],
    reasons: receipt?.reasons ?? [],
    reviewRequired: receipt ? !decision && (receipt.outcome === 'REVIEW' || reviewId !== null) : null,
    reviewId: reviewId === null ? null : publicId('rev', reviewId),
    decision: decision && {
      outcome: decision.outcome,
      by: 'PERSON',
      decidedAt: decision.decidedAt.toISOString(),
    },
    groups: receipt?.groups ?? [],
    dampening: receipt?.dampening ?? 0,
    flags: receipt?.flags ?? [],
    requestedActions: requestedOf(receipt?.actions ?? []),
    rulesetHash: receipt?.ruleset?.contentHash ?? null,
    rulesetVersion: receipt?.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
    evaluationVersion: evaluation?.version ?? null,
    evaluatedAt: evaluation?.evaluatedAt.toISOString() ?? null,
    receiptHash: evaluation?.receiptHash.toString('hex') ?? null,
    ...(record.failure ? { failure: record.failure } : {}),
  };
}
