import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsText, PageQuery, UrlFlag } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { instantText } from '../../kernel/instant.js';
import { shownActor } from '../../rules/index.js';
import { MOST_AT_ONCE } from '../dead-letter-desk.js';
import type { DeadLetterRecord, DiscardRequest } from '../domain/dead-letter.js';
import { CODE, DeskTransactionView, FailureView } from './desk.dto.js';

export class DeadLetterFilterBody {
  @ApiPropertyOptional({ example: 'PROVIDER_FAILED' })
  @IsOptional()
  @IsText(CODE)
  code?: string;

  @ApiPropertyOptional({ example: 'EVALUATION' })
  @IsOptional()
  @IsText(CODE)
  stage?: string;

  @ApiPropertyOptional({ example: 'PIX_TRANSFER' })
  @IsOptional()
  @IsText(CODE)
  type?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_AT_ONCE, default: MOST_AT_ONCE })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_AT_ONCE)
  limit: number = MOST_AT_ONCE;
}

export class DeadLetterListQuery extends IntersectionType(
  PageQuery,
  PickType(DeadLetterFilterBody, ['code', 'stage', 'type'] as const),
) {
  @ApiPropertyOptional({
    default: false,
    description: 'Those that were discarded, instead of those that wait.',
  })
  @IsOptional()
  @UrlFlag()
  @IsBoolean()
  discarded?: boolean;
}

export class DeadLetterView extends PickType(DeskTransactionView, [
  'id',
  'clientApp',
  'transactionId',
  'type',
  'receivedAt',
] as const) {
  @ApiProperty({ type: FailureView })
  failure: FailureView;

  @ApiProperty({ type: 'integer', example: 1, description: '1, and one more with each replay.' })
  generation: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  discardedAt: string | null;

  static of(row: DeadLetterRecord): DeadLetterView {
    return {
      id: publicId('txn', row.transactionRef),
      clientApp: publicId('app', row.clientAppId),
      transactionId: row.transactionId,
      type: row.type,
      failure: { code: row.code, stage: row.stage, attempts: row.attempts },
      generation: row.generation,
      receivedAt: row.receivedAt.toISOString(),
      discardedAt: instantText(row.discardedAt),
    };
  }
}

export class DiscardReasonBody {
  @ApiProperty({
    minLength: 1,
    maxLength: 1_000,
    example: 'Test traffic of the integrator, agreed on 20 November.',
  })
  @IsText({ max: 1_000 })
  reason: string;
}

export class BulkDiscardBody extends IntersectionType(DeadLetterFilterBody, DiscardReasonBody) {}

export class ReplayedView {
  @ApiProperty({ type: 'integer', example: 12 })
  replayed: number;
}

export class DiscardView {
  @ApiProperty({ example: 'dsc_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ enum: ['REQUESTED', 'APPROVED', 'WITHDRAWN'] })
  status: string;

  @ApiProperty({ type: 'integer', example: 12, description: 'How many it is about.' })
  count: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many were still dead when it was approved.',
  })
  discarded: number | null;

  @ApiProperty()
  reason: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  requestedBy: string;

  @ApiProperty({ type: String, format: 'date-time' })
  requestedAt: string;

  @ApiProperty({ type: String, nullable: true })
  decidedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt: string | null;

  static of(request: DiscardRequest): DiscardView {
    return {
      id: publicId('dsc', request.id),
      status: request.status,
      count: request.count,
      discarded: request.discarded,
      reason: request.reason,
      requestedBy: shownActor(request.requestedBy),
      requestedAt: request.requestedAt.toISOString(),
      decidedBy: request.decidedBy === null ? null : shownActor(request.decidedBy),
      decidedAt: instantText(request.decidedAt),
    };
  }
}
