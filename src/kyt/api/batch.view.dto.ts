import { ApiProperty } from '@nestjs/swagger';
import { ErrorObjectView, type ErrorView } from '../../http/index.js';
import { ReceiptData } from './receipt.view.dto.js';

/** What became of one item of a batch. */
export class BatchItemView {
  @ApiProperty({ example: 0, description: 'Position of the item in the request.' })
  index: number;

  @ApiProperty({ example: 202, description: 'The status that the item alone would have been answered with.' })
  status: number;

  @ApiProperty({ type: ReceiptData, nullable: true })
  data: ReceiptData | null;

  @ApiProperty({ type: ErrorObjectView, nullable: true })
  error: ErrorView | null;
}

export class BatchSummary {
  @ApiProperty({ example: 98 })
  accepted: number;

  @ApiProperty({ example: 1 })
  duplicates: number;

  @ApiProperty({ example: 1 })
  failed: number;
}

export class BatchData {
  @ApiProperty({ type: BatchSummary })
  summary: BatchSummary;

  @ApiProperty({ type: [BatchItemView], description: 'One result per item, in the order of the request.' })
  results: BatchItemView[];
}

export class BatchView {
  @ApiProperty({ type: BatchData })
  data: BatchData;

  @ApiProperty({ type: 'null', nullable: true, example: null })
  error: null;
}
