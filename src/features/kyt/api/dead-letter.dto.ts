import { IntersectionType, PickType } from '@nestjs/swagger';
import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { shownActor } from '../../rules/index.js';
import { MAX_AT_ONCE, type DiscardAct } from '../operations/dead-letter-resolution.service.js';
import type { DeadLetterRecord, DiscardRequest } from '../domain/dead-letter.js';
import { CODE, FailureView } from './transactions.dto.js';

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

export class DeadLetterView {
  @View.id('txn') id: string;
  @View.id('app') clientApp: string;
  @View.text({ example: 'pix-1001' }) transactionId: string;
  @View.text({ example: 'PIX_TRANSFER' }) type: string;
  @View.instant() receivedAt: string;
  @View.object(FailureView) failure: FailureView;
  @View.integer('1, and one more with each replay.', { example: 1 }) generation: number;
  @View.instantOrNull() discardedAt: string | null;

  static of(row: DeadLetterRecord): DeadLetterView {
    return viewOf(DeadLetterView, row, {
      id: publicId('txn', row.transactionRef),
      clientApp: publicId('app', row.clientAppId),
      failure: { code: row.code, stage: row.stage, attempts: row.attempts },
    });
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
  @View.id('dsc') id: string;
  @View.enum(['REQUESTED', 'APPROVED', 'WITHDRAWN']) status: string;
  @View.integer('How many it is about.', { example: 12 }) count: number;
  @View.integerOrNull('How many were still dead when it was approved.') discarded: number | null;
  @View.text() reason: string;
  @View.id('opr') requestedBy: string;
  @View.instant() requestedAt: string;
  @View.textOrNull() decidedBy: string | null;
  @View.instantOrNull() decidedAt: string | null;

  static of(request: DiscardRequest): DiscardView {
    return viewOf(DiscardView, request, {
      count: request.transactionRefs.length,
      requestedBy: shownActor(request.requestedBy),
      decidedBy: request.decidedBy === null ? null : shownActor(request.decidedBy),
    });
  }
}

export class AskedDiscardView extends DiscardView {
  @View.id('apr', 'The request at `/operator/approvals`.')
  approvalId: string;

  static ofAsked({ request, approvalId }: DiscardAct): AskedDiscardView {
    return Object.assign(new AskedDiscardView(), DiscardView.of(request), {
      approvalId: publicId('apr', approvalId),
    });
  }
}
