import { HttpException } from '@nestjs/common';
import { isDatabaseUnavailable, OutcomeUnknownError } from '../../database/index.js';
import { DomainError, errorCodes, type ErrorCode } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { ErrorView, FailureEnvelope } from '../envelope.js';

/** Converts an error to a DomainError. An unexpected error becomes INTERNAL_ERROR, without details. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof OutcomeUnknownError) {
    return new DomainError('OUTCOME_UNKNOWN', { cause: error, retryAfterSeconds: 1 });
  }
  if (isDatabaseUnavailable(error)) {
    return new DomainError('NOT_READY', { cause: error, retryAfterSeconds: 1 });
  }
  const code = CODE_OF_STATUS[statusOf(error) ?? 500];
  return new DomainError(code ?? 'INTERNAL_ERROR', { cause: error });
}

// Errors that Nest, Express and the body reader throw by themselves.
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'MALFORMED_REQUEST',
  404: 'ROUTE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  413: 'BODY_TOO_LARGE',
  415: 'MEDIA_TYPE_UNSUPPORTED',
};

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // Express reports a path that does not decode as an URIError with a status.
  if (error instanceof URIError) return 400;
  return undefined;
}

/** Builds the error object of the envelope. `base` is the public URL of the service. */
export function errorView(
  error: DomainError,
  ids: Pick<RequestContext, 'requestId' | 'correlationId'>,
  base: string,
): ErrorView {
  const { message, retryable } = errorCodes[error.code];
  return {
    code: error.code,
    message,
    details: error.details,
    requestId: ids.requestId,
    correlationId: ids.correlationId,
    retryable,
    docs: `${base}/docs/errors#${error.code}`,
  };
}

export const failureEnvelope = (view: ErrorView): FailureEnvelope => ({ data: null, error: view });

/** Converts an error object to RFC 9457 problem details, for callers that accept these. */
export function problemDetails(view: ErrorView, status: number): Record<string, unknown> {
  const { message, docs, ...rest } = view;
  return { type: docs, title: message, status, ...rest };
}
