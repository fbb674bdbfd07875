import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsOptional, Max, Min } from 'class-validator';
import { IsOrdinal, IsText, PageQuery, UrlFlag, UrlNumber } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { instantText } from '../../kernel/instant.js';
import { shownActor, type Reason } from '../../rules/index.js';
import type { TrailEntry, TrailVerdict } from '../../audit/index.js';
import type { TransactionFile } from '../transaction-desk.js';
import type { DeskTransaction, StoredEvaluation } from '../store/desk.queries.js';

export const CODE = { max: 64, pattern: /^[A-Z][A-Z0-9_]*$/, form: 'a code in capital letters' };
export class TransactionListQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'] })
  @IsOptional()
  @IsIn(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'])
  status?: string;

  @ApiPropertyOptional({ enum: ['APPROVED', 'REVIEW', 'REJECTED'] })
  @IsOptional()
  @IsIn(['APPROVED', 'REVIEW', 'REJECTED'])
  outcome?: string;

  @ApiPropertyOptional({ example: 'PIX_TRANSFER' })
  @IsOptional()
  @IsText(CODE)
  type?: string;

  @ApiPropertyOptional({ example: 'app_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText({ max: 36, pattern: /^app_[0-9a-f]{32}$/, form: 'the id of an application' })
  clientApp?: string;

  @ApiPropertyOptional({ example: 'pix-1001', description: "The integrator's own id." })
  @IsOptional()
  @IsText({ max: 128 })
  transactionId?: string;

  @ApiPropertyOptional({ example: 'customer-4711' })
  @IsOptional()
  @IsText({ max: 256 })
  externalCustomerId?: string;

  @ApiPropertyOptional({
    example: 'cus_019364d0c0de7000a000000000000001',
    description: 'Only those of this customer, by whichever of its ids or documents they name it.',
  })
  @IsOptional()
  @IsText({ max: 36, pattern: /^cus_[0-9a-f]{32}$/, form: 'the id of a customer' })
  customerId?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 100 })
  @IsOptional()
  @UrlNumber()
  @IsInt()
  @Min(0)
  @Max(100)
  minScore?: number;

  @ApiPropertyOptional()
  @IsOptional()
  @UrlFlag()
  @IsBoolean()
  defensible?: boolean;

  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  receivedFrom?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  receivedTo?: string;
}

export class FailureView {
  @ApiProperty({ example: 'SEALED_BODY_BROKEN' })
  code: string;

  @ApiProperty({ example: 'OPEN' })
  stage: string;

  @ApiProperty({ type: 'integer', example: 5 })
  attempts: number;
}

export class DeskTransactionView {
  @ApiProperty({ example: 'txn_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'app_019364d0c0de7000a000000000000001' })
  clientApp: string;

  @ApiProperty({ example: 'pix-1001' })
  transactionId: string;

  @ApiProperty({ example: 'PIX_TRANSFER' })
  type: string;

  @ApiProperty({ example: 'MOBILE_APP' })
  channel: string;

  @ApiProperty({ example: '1250.75', description: 'Exact decimal.' })
  amount: string;

  @ApiProperty({ example: 'BRL' })
  currency: string;

  @ApiProperty({ enum: ['IN', 'OUT', null], nullable: true, type: String, example: 'OUT' })
  direction: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  occurredAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ enum: ['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], example: 'COMPLETED' })
  status: string;

  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED', null], nullable: true, type: String })
  outcome: string | null;

  @ApiProperty({ enum: ['NONE', 'STEP_UP', 'HOLD', 'DECLINE', null], nullable: true, type: String })
  recommendedAction: string | null;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: 100 })
  riskScore: number | null;

  @ApiProperty({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL', null], nullable: true, type: String })
  riskLevel: string | null;

  @ApiProperty({
    enum: ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT', null],
    nullable: true,
    type: String,
  })
  composition: string | null;

  @ApiProperty({ type: Boolean, nullable: true })
  defensible: boolean | null;

  @ApiProperty({ type: 'integer', nullable: true })
  evaluationVersion: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  evaluatedAt: string | null;

  @ApiProperty({ type: FailureView, nullable: true, description: 'Only when dead-lettered.' })
  failure: FailureView | null;

  static of(row: DeskTransaction): DeskTransactionView {
    return {
      id: publicId('txn', row.id),
      clientApp: publicId('app', row.clientAppId),
      transactionId: row.transactionId,
      type: row.type,
      channel: row.channel,
      amount: row.amount,
      currency: row.currency,
      direction: row.direction,
      occurredAt: row.occurredAt.toISOString(),
      receivedAt: row.receivedAt.toISOString(),
      status: row.status,
      outcome: row.outcome,
      recommendedAction: row.recommendedAction,
      riskScore: row.riskScore,
      riskLevel: row.riskLevel,
      composition: row.composition,
      defensible: row.defensible,
      evaluationVersion: row.evaluationVersion,
      evaluatedAt: instantText(row.evaluatedAt),
      failure:
        row.status === 'DEAD_LETTERED'
          ? {
              code: row.failureCode ?? 'UNKNOWN',
              stage: row.failureStage ?? 'UNKNOWN',
              attempts: row.attempts ?? 0,
            }
          : null,
    };
  }
}

/** The parts of a stored receipt that operators read at a glance. */
interface StoredReceipt {
  readonly nonDefensibleReasons: readonly string[];
  readonly components: Readonly<Record<string, unknown>>;
  readonly reasons: readonly Reason[];
  readonly ruleset: {
    readonly key: string;
    readonly version: number;
    readonly contentHash: string;
  } | null;
}

export class EvaluationSummaryView {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED'] })
  outcome: string;

  @ApiProperty({ type: 'integer', nullable: true })
  riskScore: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'br-starter@1' })
  ruleset: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'SHA-256 of the ruleset as it was published.' })
  rulesetHash: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  evaluatedAt: string;

  @ApiProperty({ description: 'SHA-256 of the decision receipt.' })
  receiptHash: string;

  @ApiProperty({ type: [String] })
  nonDefensibleReasons: readonly string[];

  @ApiProperty({ type: 'object', additionalProperties: true })
  components: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  reasons: readonly unknown[];

  static of(row: StoredEvaluation): EvaluationSummaryView {
    const receipt = JSON.parse(row.receipt) as StoredReceipt;
    return {
      version: row.version,
      outcome: row.outcome,
      riskScore: row.riskScore,
      ruleset: receipt.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
      rulesetHash: receipt.ruleset?.contentHash ?? null,
      evaluatedAt: row.evaluatedAt.toISOString(),
      receiptHash: row.receiptHash.toString('hex'),
      nonDefensibleReasons: receipt.nonDefensibleReasons,
      components: receipt.components,
      reasons: receipt.reasons,
    };
  }
}

export class TransactionFileView extends DeskTransactionView {
  @ApiProperty({ enum: ['INGEST', 'LEGACY'] })
  source: string;

  @ApiProperty({ example: 'METADATA', description: 'How the direction was found out.' })
  directionSource: string;

  @ApiProperty({ type: [String] })
  warnings: readonly string[];

  @ApiProperty()
  requestId: string;

  @ApiProperty()
  correlationId: string;

  @ApiProperty({
    enum: ['OPEN', 'ERASED', 'BROKEN'],
    description: 'ERASED: the data key of its person is destroyed.',
  })
  submissionState: string;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'As it was submitted, with every document masked.',
    example: { cpfCnpj: '***.982.247-**', amount: 1250.75, origin: { accountReference: '0001/12345-6' } },
  })
  submission: unknown;

  @ApiProperty({ type: [EvaluationSummaryView], description: 'The newest first.' })
  evaluations: EvaluationSummaryView[];

  static ofFile({
    transaction,
    evaluations,
    submission,
    submissionState,
  }: TransactionFile): TransactionFileView {
    return {
      ...(DeskTransactionView.of(transaction) as Pick<DeskTransactionView, keyof DeskTransactionView>),
      source: transaction.source,
      directionSource: transaction.directionSource,
      warnings: transaction.warnings ?? [],
      requestId: transaction.requestId,
      correlationId: transaction.correlationId,
      submissionState,
      submission,
      evaluations: evaluations.map((row) => EvaluationSummaryView.of(row)),
    };
  }
}

export class TimelineEntryView {
  @ApiProperty({ type: 'integer', example: 2 })
  seq: number;

  @ApiProperty({ example: 'transaction.evaluated' })
  action: string;

  @ApiProperty({ example: 'system:kyt.pipeline', description: 'Who did it.' })
  actor: string;

  @ApiProperty({ type: String, format: 'date-time' })
  occurredAt: string;

  @ApiProperty({ type: String, nullable: true })
  requestId: string | null;

  @ApiProperty({ type: String, nullable: true })
  correlationId: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { outcome: 'REVIEW', score: 60 } })
  content: unknown;

  @ApiProperty({ description: 'Leaf hash of the entry.' })
  hash: string;
}

export class TimelineView {
  @ApiProperty({
    enum: ['COMPLETE', 'MISSING_EVENTS', 'CHAIN_BROKEN', 'TAMPERED', 'STATE_MISMATCH'],
    example: 'COMPLETE',
    description: 'The verdict on the whole trail.',
  })
  trail: string;

  @ApiProperty({ type: [TimelineEntryView] })
  entries: TimelineEntryView[];

  static of(entries: readonly TrailEntry[], verdict: TrailVerdict): TimelineView {
    return {
      trail: verdict.status,
      entries: entries.map((entry) => ({
        seq: entry.seq,
        action: entry.action,
        actor: shownActor(entry.actor),
        occurredAt: entry.occurredAt,
        requestId: entry.requestId,
        correlationId: entry.correlationId,
        content: entry.content,
        hash: entry.hash.toString('hex'),
      })),
    };
  }
}

export class ReceiptQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Of which evaluation; the newest unless given.',
  })
  @IsOptional()
  @UrlNumber()
  @IsOrdinal()
  version?: number;
}

export class DecisionReceiptView {
  @ApiProperty({ type: 'integer', example: 1 })
  evaluationVersion: number;

  @ApiProperty({ description: 'SHA-256 of the canonical JSON of `receipt`.' })
  receiptHash: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What was read and what was decided.',
  })
  receipt: unknown;

  static of(row: StoredEvaluation): DecisionReceiptView {
    return {
      evaluationVersion: row.version,
      receiptHash: row.receiptHash.toString('hex'),
      receipt: JSON.parse(row.receipt) as unknown,
    };
  }
}
