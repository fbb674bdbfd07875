import { IntersectionType, PickType } from '@nestjs/swagger';
import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { MAX_AT_ONCE, type DiscardAct } from '../operations/dead-letter-resolution.service.js';
import type { DeadLetterRecord, DiscardRequest } from '../domain/dead-letter.js';
import type { PartyNames } from '../operations/transaction-query.service.js';
import { CODE, FailureView, shownParties } from './transactions.dto.js';

export class DeadLetterFilterBody {
  @Field.text('Only those that failed with this code.', {
    ...CODE,
    optional: true,
    example: 'PROVIDER_FAILED',
  })
  code?: string;
  @Field.text('Only those that stopped at this stage.', { ...CODE, optional: true, example: 'EVALUATION' })
  stage?: string;
  @Field.text('Only those of this type.', { ...CODE, optional: true, example: 'PIX_TRANSFER' }) type?: string;

  @Field.integer('At most so many.', { min: 1, max: MAX_AT_ONCE, optional: true, default: MAX_AT_ONCE })
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
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.id('app', 'The application that sent it.') clientApp: string;
  @View.text('The id that the application gave it.', { example: 'pix-1001' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('Exact decimal.', { example: '1250.75' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.instant('When it was received.') receivedAt: string;
  @View.object(FailureView, 'Why it failed, where, and after how many attempts.') failure: FailureView;
  @View.integer('1, and one more with each replay.', { example: 1 }) generation: number;
  @View.instantOrNull('When it was given up by a person.') discardedAt: string | null;

  static of(row: DeadLetterRecord): DeadLetterView {
    return viewOf(DeadLetterView, row, {
      id: publicId('txn', row.transactionRef),
      clientApp: publicId('app', row.clientAppId),
      failure: { code: row.code, stage: row.stage, attempts: row.attempts },
    });
  }
}

/** A dead letter of a list, with whom it is from and to. */
export class ListedDeadLetterView extends DeadLetterView {
  @View.textOrNull('Who sends: in full with `customers:read`, else the first letters.', { example: 'Maria' })
  originName: string | null;
  @View.textOrNull('Who receives: in full with `customers:read`, else the first letters.', {
    example: 'Padaria Exemplo',
  })
  destinationName: string | null;

  static ofRow(row: DeadLetterRecord, parties: PartyNames, inClear: boolean): ListedDeadLetterView {
    return Object.assign(new ListedDeadLetterView(), DeadLetterView.of(row), shownParties(parties, inClear));
  }
}

export class DiscardReasonBody {
  @Field.text('The reason, in your own words.', {
    minLength: 1,
    maxLength: 1_000,
    example: 'Test traffic of the integrator, agreed on 20 November.',
  })
  reason: string;
}

export class BulkDiscardBody extends IntersectionType(DeadLetterFilterBody, DiscardReasonBody) {}

export class ReplayedView {
  @View.integer('How many were queued again.', { example: 12 }) replayed: number;
}

export class DiscardView {
  @View.id('dsc', 'The id of the request.') id: string;
  @View.enum(['REQUESTED', 'APPROVED', 'WITHDRAWN'], 'The status of the request.') status: string;
  @View.integer('How many it is about.', { example: 12 }) count: number;
  @View.integerOrNull('How many were still dead when it was approved.') discarded: number | null;
  @View.text('The reason that was given.') reason: string;
  @View.id('opr', 'Who asked for the request.') requestedBy: string;
  @View.instant('When the request was asked for.') requestedAt: string;
  @View.textOrNull('Who decided about the request; null before.') decidedBy: string | null;
  @View.instantOrNull('When the request was decided; null before.') decidedAt: string | null;

  static of(request: DiscardRequest): DiscardView {
    return viewOf(DiscardView, request, {
      count: request.transactionRefs.length,
      requestedBy: toPublicActor(request.requestedBy),
      decidedBy: request.decidedBy === null ? null : toPublicActor(request.decidedBy),
    });
  }
}

export class AskedDiscardView extends DiscardView {
  @View.id('apr', 'The request at `/operator/approvals`.') approvalId: string;

  static ofAsked({ request, approvalId }: DiscardAct): AskedDiscardView {
    return Object.assign(new AskedDiscardView(), DiscardView.of(request), {
      approvalId: publicId('apr', approvalId),
    });
  }
}
