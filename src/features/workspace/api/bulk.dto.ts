import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray } from 'class-validator';
import { Field, View } from '../../../platform/http/index.js';
import { publicId, type IdPrefix } from '../../../platform/kernel/index.js';
import { DecisionBody, IsIdOf } from '../../reviews/index.js';
import { DispositionBody } from '../../screening/index.js';
import type { BulkItem } from '../bulk/bulk-decisions.service.js';

const MAX_BULK_ITEMS = 100;

export class BulkDecisionBody extends DecisionBody {
  @ApiProperty({
    description: 'The ids of the cases.',
    type: [String],
    maxItems: MAX_BULK_ITEMS,
    example: ['rev_019364d0c0de7000a000000000000001'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BULK_ITEMS)
  @ArrayUnique()
  @IsIdOf('rev')
  reviewIds: string[];

  @Field.flag('Only says what would become of each.', { optional: true, default: false }) preview?: boolean;
}

export class BulkDispositionBody extends DispositionBody {
  @ApiProperty({
    description: 'The ids of the hits.',
    type: [String],
    maxItems: MAX_BULK_ITEMS,
    example: ['hit_019364d0c0de7000a000000000000004'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BULK_ITEMS)
  @ArrayUnique()
  @IsIdOf('hit')
  hitIds: string[];

  @Field.flag('Only says what would become of each.', { optional: true, default: false }) preview?: boolean;
}

export class BulkItemView {
  @View.id('rev', 'The id of the case.') id: string;
  @View.enum(['WOULD_BE_ASKED', 'ASKED', 'REFUSED'], 'What came of it.', { example: 'ASKED' }) result: string;
  @View.textOrNull('Why it was refused.', { example: null }) code: string | null;
  @View.textOrNull('A sentence for people; its wording may change.', { example: null }) message:
    string | null;
  @View.idOrNull('apr', 'The request that somebody else approves.', {
    example: 'apr_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  approvalId: string | null;
  @View.integer('Transactions that get the outcome when it is approved.', { example: 12 })
  transactions: number;
}

export class BulkView {
  @View.flag('Whether nothing was done.', { example: false }) preview: boolean;
  @View.integer('How many were asked for.', { example: 40 }) asked: number;
  @View.integer('How many were refused.', { example: 2 }) refused: number;
  @View.list(BulkItemView, 'One for each that was named, in that order.') items: readonly BulkItemView[];

  static of(prefix: IdPrefix, preview: boolean, items: readonly BulkItem[]): BulkView {
    const refusedCount = items.filter(({ refusal }) => refusal !== null).length;
    return {
      preview,
      asked: items.length - refusedCount,
      refused: refusedCount,
      items: items.map(({ id, approval, refusal, transactions }) => ({
        id: publicId(prefix, id),
        result: refusal ? 'REFUSED' : preview ? 'WOULD_BE_ASKED' : 'ASKED',
        code: refusal?.code ?? null,
        message: refusal?.message ?? null,
        approvalId: approval && publicId('apr', approval.id),
        transactions,
      })),
    };
  }
}
