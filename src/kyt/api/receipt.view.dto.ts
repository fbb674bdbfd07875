import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Receipt } from '../ingest.service.js';

const STATUSES = ['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'];

/** The acknowledgement of a submission. */
export class ReceiptData {
  @ApiProperty({ example: 'pix-2026-000001' })
  transactionId: string;

  @ApiProperty({ enum: STATUSES, example: 'QUEUED', description: 'Now; QUEUED for a new submission.' })
  status: string;

  @ApiProperty({ example: true })
  accepted: boolean;

  @ApiProperty({ example: false, description: 'True when the submission replays an earlier one.' })
  duplicate: boolean;

  @ApiProperty({ example: 'req_019364d0c0de7000a000000000000001' })
  requestId: string;

  @ApiProperty({ example: 'order-4711' })
  correlationId: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['UNKNOWN_TYPE'],
    description: 'What was accepted but deserves a look: UNKNOWN_TYPE, UNKNOWN_CHANNEL, LATE_FOR_SELECTION.',
  })
  warnings?: readonly string[];

  @ApiPropertyOptional({ description: 'The request of the first submission, when this one repeats it.' })
  originalRequestId?: string;
}

export class ReceiptView {
  @ApiProperty({ type: ReceiptData })
  data: ReceiptData;

  @ApiProperty({ type: 'null', nullable: true, example: null })
  error: null;
}

/** The envelope of the specification; warnings and the original request only where there are any. */
export function receiptData(receipt: Receipt): ReceiptData {
  const data: ReceiptData = {
    transactionId: receipt.transactionId,
    status: receipt.status,
    accepted: receipt.accepted,
    duplicate: receipt.duplicate,
    requestId: receipt.requestId,
    correlationId: receipt.correlationId,
  };
  if (receipt.warnings.length > 0) data.warnings = receipt.warnings;
  if (receipt.originalRequestId !== null) data.originalRequestId = receipt.originalRequestId;
  return data;
}
