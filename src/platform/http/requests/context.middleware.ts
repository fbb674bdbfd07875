import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { API_VERSIONS, CURRENT_API_VERSION } from '../../config/index.js';
import { DomainError, newUuid, publicId } from '../../kernel/index.js';
import { containsSecretOrTaxId, type RequestContext } from '../../telemetry/index.js';
import { setExchange, type Exchange } from './exchange.js';
import type { RequestRecorder } from './request-recorder.js';

const IDENTIFIER = /^[A-Za-z0-9._:-]{1,128}$/;
// W3C Trace Context, version 00: anything else is not propagated
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives every request its identifiers, returns them as headers, and records the request when it is finished. */
export function contextMiddleware(recorder: RequestRecorder) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = createExchange(request.headers);
    setExchange(request, exchange);
    for (const [name, value] of commonResponseHeaders(exchange.context)) response.setHeader(name, value);
    response.once('close', () => {
      const matched = request.route as { path?: unknown } | undefined;
      const route = typeof matched?.path === 'string' ? matched.path : 'unmatched';
      recorder.recordFinished(exchange, request.method, route, response);
    });
    next(isKnownVersion(request.headers) ? undefined : unknownVersionError());
  };
}

/** Makes the exchange of a request, with the identifiers of the caller if they are valid, else with new identifiers. */
export function createExchange(headers: IncomingHttpHeaders): Exchange {
  const sentId = acceptedIdentifier(headers['x-request-id']);
  const ownId = sentId === undefined ? newUuid() : null;
  const requestId = sentId ?? publicId('req', ownId ?? '');
  const correlationId = acceptedIdentifier(headers['x-correlation-id']) ?? requestId;
  const traceparent = firstValue(headers['traceparent']);
  return {
    context: {
      requestId,
      correlationId,
      traceparent: traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : null,
    },
    startedAt: performance.now(),
    ownId,
    bytesIn: contentLengthOf(headers['content-length']),
    client: null,
    operator: null,
    body: undefined,
    refusal: null,
  };
}

/** The headers of every answer, including errors. */
export const commonResponseHeaders = (context: RequestContext): readonly (readonly [string, string])[] => [
  ['X-Request-Id', context.requestId],
  ['X-Correlation-Id', context.correlationId],
  ['X-API-Version', CURRENT_API_VERSION],
  // Answers contain decisions about people, so no cache may store them.
  ['Cache-Control', 'no-store'],
];

/** False when the caller asks for a version of the API that does not exist. */
export function isKnownVersion(headers: IncomingHttpHeaders): boolean {
  const version = firstValue(headers['x-api-version']);
  return version === undefined || API_VERSIONS.some((known) => known === version);
}

const unknownVersionError = (): DomainError =>
  new DomainError('UNSUPPORTED_VERSION', {
    details: [
      {
        path: 'x-api-version',
        code: 'VALUE_NOT_ALLOWED',
        message: `Must be one of: ${API_VERSIONS.join(', ')}.`,
        expected: API_VERSIONS.join(', '),
      },
    ],
  });

const firstValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Refuses identifiers with a secret or a CPF, because identifiers get into logs, events and audit entries. */
function acceptedIdentifier(header: string | string[] | undefined): string | undefined {
  const value = firstValue(header);
  return value !== undefined && IDENTIFIER.test(value) && !containsSecretOrTaxId(value) ? value : undefined;
}

function contentLengthOf(header: string | undefined): number | null {
  const length = Number(header ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 && length <= 0x7fff_ffff ? length : null;
}
