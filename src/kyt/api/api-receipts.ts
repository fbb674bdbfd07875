import { applyDecorators, HttpStatus } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { ReceiptView } from './receipt.view.dto.js';

/** The optional identifiers that a caller may send with a submission. */
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

/** The two ways a submission succeeds. */
export const ApiReceipts = (): MethodDecorator =>
  applyDecorators(
    ApiResponse({
      status: HttpStatus.ACCEPTED,
      type: ReceiptView,
      description: 'Stored; evaluation follows.',
    }),
    ApiResponse({
      status: HttpStatus.OK,
      type: ReceiptView,
      description: 'The same submission was stored before: `duplicate` is true, `status` is its status now.',
    }),
  );
