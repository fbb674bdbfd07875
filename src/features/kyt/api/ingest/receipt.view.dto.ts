import { View } from '../../../../platform/http/index.js';
import type { Receipt } from '../../ingest/ingest.service.js';

const STATUSES = ['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'];

/** The acknowledgement of a submission. */
export class ReceiptData {
  @View.text('Your id of the transaction.', { example: 'pix-2026-000001' }) transactionId: string;
  @View.enum(STATUSES, 'Now; QUEUED for a new submission.', { example: 'QUEUED' }) status: string;
  @View.flag('Whether the submission was accepted: always true.', { example: true }) accepted: boolean;
  @View.flag('True when the submission replays an earlier one.', { example: false }) duplicate: boolean;
  @View.id('req', 'The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.', { example: 'order-4711' })
  correlationId: string;

  @View.texts(
    'What was accepted but deserves a look: UNKNOWN_TYPE, UNKNOWN_CHANNEL, LATE_FOR_SELECTION, METADATA_IGNORED, PLACEHOLDER_IGNORED, CUSTOM_FIELD_MISMATCH, INPUT_SAID_MISSING (it is used; the application has said that it does not send it).',
    {
      optional: true,
      example: ['UNKNOWN_TYPE'],
    },
  )
  warnings?: readonly string[];

  @View.text('In the sandbox, for an unknown type: the type that was probably meant.', {
    optional: true,
    example: 'PIX_TRANSFER',
  })
  didYouMean?: string;

  @View.text('The request of the first submission, when this one repeats it.', { optional: true })
  originalRequestId?: string;
}

export class ReceiptView {
  @View.object(ReceiptData, 'What was asked for; null where there is an error.') data: ReceiptData;
  @View.noError() error: null;
}

/** Maps a receipt to the answer. Warnings and the original request id are left out if there are none. */
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
  if (receipt.didYouMean !== null) data.didYouMean = receipt.didYouMean;
  if (receipt.originalRequestId !== null) data.originalRequestId = receipt.originalRequestId;
  return data;
}
