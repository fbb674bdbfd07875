import { applyDecorators, HttpStatus } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { TransactionView } from '../transaction.view.dto.js';
import { ReceiptView } from './receipt.view.dto.js';

const MOMENT = '2026-11-20T12:00:00.000Z';
const IDS = { requestId: 'req_019364d0c0de7000a000000000000001', correlationId: 'order-4711' };

/** Example of a decided transaction, typed so that the compiler reports a missing field of the view. */
const DECIDED: TransactionView = {
  data: {
    transactionId: 'pix-2026-000001',
    status: 'COMPLETED',
    receivedAt: MOMENT,
    occurredAt: MOMENT,
    ...IDS,
    warnings: [],
    verdict: 'RELEASE',
    nextAction: null,
    outcome: 'APPROVED',
    recommendedAction: 'NONE',
    riskScore: 0,
    riskLevel: 'LOW',
    defensible: true,
    composition: 'COMPLETE',
    components: { IDENTITY: { state: 'NO_HIT', source: 'submission', asOf: MOMENT, points: 0 } },
    nonDefensibleReasons: [],
    notEvaluated: [],
    exempt: [],
    withoutInputs: [],
    reasons: [],
    reviewRequired: false,
    reviewId: null,
    decision: null,
    groups: [],
    dampening: 0,
    flags: [],
    requestedActions: [],
    rulesetVersion: 'br-starter@1',
    rulesetHash: 'a3f1'.repeat(16),
    evaluationVersion: 1,
    evaluatedAt: MOMENT,
    receiptHash: '7c02'.repeat(16),
  },
  error: null,
};
const DUPLICATE: ReceiptView = {
  data: {
    transactionId: 'pix-2026-000001',
    status: 'QUEUED',
    accepted: true,
    duplicate: true,
    ...IDS,
    originalRequestId: 'req_019364d0c0de7000a000000000000000',
  },
  error: null,
};

/** Documents the optional identifiers that a caller may send with a submission. */
export const ApiIngestHeaders = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'x-request-id',
      required: false,
      description: 'Identifier of the request; generated when absent.',
    }),
    ApiHeader({
      name: 'x-correlation-id',
      required: false,
      description: 'Comes back in events, jobs and audit entries.',
    }),
  );

/** Documents the header `Prefer: wait=SECONDS`, for callers who do not use the query `wait`. */
export const ApiPreferWait = (): MethodDecorator =>
  ApiHeader({
    name: 'Prefer',
    required: false,
    description:
      '`wait=SECONDS` (RFC 7240), such as `wait=2`, at most 10; `Preference-Applied` says what was applied. `wait` goes before it.',
    schema: { type: 'string' },
  });

const STORED = { status: HttpStatus.ACCEPTED, type: ReceiptView } as const;

/** Documents the successful answers of a route whose callers may wait for the decision. */
export const ApiReceiptOrDecision = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ReceiptView, TransactionView),
    ApiResponse({ ...STORED, description: 'Stored; evaluation follows, or was not waited for.' }),
    ApiResponse({
      status: HttpStatus.OK,
      description:
        'Decided while the caller waited: the transaction as it reads back. Or the same submission was stored before: ' +
        '`duplicate` is true, `status` is its status now.',
      content: {
        'application/json': {
          schema: {
            // Members may be added to both, so that neither excludes the other.
            anyOf: [{ $ref: getSchemaPath(TransactionView) }, { $ref: getSchemaPath(ReceiptView) }],
          },
          examples: {
            decided: { summary: 'Decided while the caller waited', value: DECIDED },
            duplicate: { summary: 'Stored before', value: DUPLICATE },
          },
        },
      },
      headers: {
        'Preference-Applied': {
          description: 'How long the answer was willing to wait, when `Prefer` asked for it.',
          schema: { type: 'string', example: 'wait=2' },
        },
      },
    }),
  );

/** Documents the successful answers of a route without waiting. */
export const ApiReceipts = (): MethodDecorator =>
  applyDecorators(
    ApiResponse({ ...STORED, description: 'Stored; evaluation follows.' }),
    ApiResponse({
      status: HttpStatus.OK,
      type: ReceiptView,
      description: 'The same submission was stored before: `duplicate` is true, `status` is its status now.',
    }),
  );
