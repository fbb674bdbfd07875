import { IntersectionType, PickType } from '@nestjs/swagger';
import { Field, PageQuery, View } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import { shownActor } from '../../rules/index.js';
import { MAX_AT_ONCE, type DiscardAct } from '../operations/dead-letter-resolution.service.js';
import type { DeadLetterRecord, DiscardRequest } from '../domain/dead-letter.js';
import { CODE, DeskTransactionView, FailureView } from './transactions.dto.js';

export class DeadLetterFilterBody {
  @Field.text({ ...CODE, optional: true, example: 'PROVIDER_FAILED' }) code?: string;
  @Field.text({ ...CODE, optional: true, example: 'EVALUATION' }) stage?: string;
  @Field.text({ ...CODE, optional: true, example: 'PIX_TRANSFER' }) type?: string;

  @Field.integer({ min: 1, max: MAX_AT_ONCE, optional: true, default: MAX_AT_ONCE })
  limit: number = MAX_AT_ONCE;
}

export class DeadLetterListQuery extends IntersectionType(
  PageQuery,
  PickType(DeadLetterFilterBody, ['code', 'stage', 'type'] as const),
) {
  @Field.flag('Those that were discarded, instead of those that wait.', {
    url: true,
    optional: true,
    default: false,
  })
  discarded?: boolean;
}

export class DeadLetterView extends PickType(DeskTransactionView, [
  'id',
  'clientApp',
  'transactionId',
  'type',
  'receivedAt',
] as const) {
  @View.object(FailureView) failure: FailureView;
  @View.integer('1, and one more with each replay.', { example: 1 }) generation: number;
  @View.instantOrNull() discardedAt: string | null;

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
  @Field.text({
    minLength: 1,
    maxLength: 1_000,
    example: 'Test traffic of the integrator, agreed on 20 November.',
  })
  reason: string;
}

export class BulkDiscardBody extends IntersectionType(DeadLetterFilterBody, DiscardReasonBody) {}

export class ReplayedView {
  @View.integer({ example: 12 }) replayed: number;
}

export class DiscardView {
  @View.text({ example: 'dsc_019364d0c0de7000a000000000000001' }) id: string;
  @View.enum(['REQUESTED', 'APPROVED', 'WITHDRAWN']) status: string;
  @View.integer('How many it is about.', { example: 12 }) count: number;
  @View.integerOrNull('How many were still dead when it was approved.') discarded: number | null;
  @View.text() reason: string;
  @View.text({ example: 'opr_019364d0c0de7000a000000000000001' }) requestedBy: string;
  @View.instant() requestedAt: string;
  @View.textOrNull() decidedBy: string | null;
  @View.instantOrNull() decidedAt: string | null;

  static of(request: DiscardRequest): DiscardView {
    return {
      id: publicId('dsc', request.id),
      status: request.status,
      count: request.transactionRefs.length,
      discarded: request.discarded,
      reason: request.reason,
      requestedBy: shownActor(request.requestedBy),
      requestedAt: request.requestedAt.toISOString(),
      decidedBy: request.decidedBy === null ? null : shownActor(request.decidedBy),
      decidedAt: instantText(request.decidedAt),
    };
  }
}

export class AskedDiscardView extends DiscardView {
  @View.text('The request at `/operator/approvals`.', { example: 'apr_019364d0c0de7000a000000000000001' })
  approvalId: string;

  static ofAsked({ request, approvalId }: DiscardAct): AskedDiscardView {
    return Object.assign(new AskedDiscardView(), DiscardView.of(request), {
      approvalId: publicId('apr', approvalId),
    });
  }
}
