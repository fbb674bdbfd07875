import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ErrorObjectView, View, type ErrorView } from '../../../../platform/http/index.js';
import { TransactionData } from '../transaction.view.dto.js';
import { ReceiptData } from './receipt.view.dto.js';

@ApiExtraModels(ReceiptData, TransactionData)
export class BatchItemView {
  @View.number('Position of the item in the request.', { example: 0 }) index: number;

  @View.number('The status that the item alone would have been answered with.', { example: 202 })
  status: number;

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(ReceiptData) }, { $ref: getSchemaPath(TransactionData) }, { type: 'null' }],
    description: 'The receipt; with `wait` the transaction as it reads back, when it was decided in time.',
  })
  data: ReceiptData | TransactionData | null;

  @ApiProperty({ description: 'What went wrong; null on success.', type: ErrorObjectView, nullable: true })
  error: ErrorView | null;
}

export class BatchSummary {
  @View.number('How many were accepted.', { example: 98 }) accepted: number;
  @View.number('How many were sent before with the same content.', { example: 1 }) duplicates: number;
  @View.number('How many were refused.', { example: 1 }) failed: number;
}

export class BatchData {
  @View.object(BatchSummary, 'How many there are of each.') summary: BatchSummary;
  @View.list(BatchItemView, 'One result per item, in the order of the request.') results: BatchItemView[];
}

export class BatchView {
  @View.object(BatchData, 'What was asked for; null where there is an error.') data: BatchData;
  @View.noError() error: null;
}
