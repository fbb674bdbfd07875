import { ApiProperty } from '@nestjs/swagger';
import { ErrorObjectView, View, type ErrorView } from '../../../../platform/http/index.js';
import type { EventReceipt } from '../../events/event-ingest.service.js';
import { BatchSummary } from '../ingest/batch.view.dto.js';

/** The acknowledgement of an event. */
export class EventReceiptData {
  @View.text('Your id of the event.', { example: 'login-2026-000001' }) eventId: string;
  @View.flag('Whether the event was accepted: always true.', { example: true }) accepted: boolean;
  @View.flag('True when the event was stored before.', { example: false }) duplicate: boolean;
  @View.id('req', 'The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.', { example: 'order-4711' })
  correlationId: string;

  @View.texts('What was accepted but deserves a look: UNKNOWN_CHANNEL, PLACEHOLDER_IGNORED.', {
    optional: true,
    example: ['UNKNOWN_CHANNEL'],
  })
  warnings?: readonly string[];

  @View.text('The request of the first submission, when this one repeats it.', { optional: true })
  originalRequestId?: string;
}

export class EventReceiptView {
  @View.object(EventReceiptData, 'What was asked for; null where there is an error.') data: EventReceiptData;
  @View.noError() error: null;
}

export class EventBatchItemView {
  @View.number('Position of the item in the request.', { example: 0 }) index: number;

  @View.number('The status that the item alone would have been answered with.', { example: 202 })
  status: number;

  @View.objectOrNull(EventReceiptData, 'The receipt.') data: EventReceiptData | null;
  @ApiProperty({ description: 'What went wrong; null on success.', type: ErrorObjectView, nullable: true })
  error: ErrorView | null;
}

export class EventBatchData {
  @View.object(BatchSummary, 'How many there are of each.') summary: BatchSummary;
  @View.list(EventBatchItemView, 'One result per item, in the order of the request.')
  results: EventBatchItemView[];
}

export class EventBatchView {
  @View.object(EventBatchData, 'What was asked for; null where there is an error.') data: EventBatchData;
  @View.noError() error: null;
}

/** Maps a receipt to the answer. Warnings and the original request id are left out if there are none. */
export function eventReceiptData(receipt: EventReceipt): EventReceiptData {
  const data: EventReceiptData = {
    eventId: receipt.eventId,
    accepted: true,
    duplicate: receipt.duplicate,
    requestId: receipt.requestId,
    correlationId: receipt.correlationId,
  };
  if (receipt.warnings.length > 0) data.warnings = receipt.warnings;
  if (receipt.originalRequestId !== null) data.originalRequestId = receipt.originalRequestId;
  return data;
}
