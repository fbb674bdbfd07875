import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { API_VERSIONS, CURRENT_API_VERSION } from '../../config/index.js';
import { DomainError, newUuid, publicId } from '../../kernel/index.js';
import { holdsSecretOrTaxId, type RequestContext, type StructuredLogger } from '../../telemetry/index.js';
import { setExchange, type Exchange } from './exchange.js';
import type { HttpMetrics } from './http-metrics.js';

const IDENTIFIER = /^[A-Za-z0-9._:-]{1,128}$/;
// W3C Trace Context, version 00: anything else is not propagated
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives every request its identifiers, echoes them, and writes one log line and one measurement when it is done. */
export function contextMiddleware(logger: StructuredLogger, metrics: HttpMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = openExchange(request.headers);
    setExchange(request, exchange);
    for (const [name, value] of exchangeHeaders(exchange.context)) response.setHeader(name, value);
    response.once('close', () => {
      const matched = request.route as { path?: unknown } | undefined;
      const route = typeof matched?.path === 'string' ? matched.path : 'unmatched';
      closeExchange(exchange, request.method, route, response, logger, metrics);
    });
    next(knownVersion(request.headers) ? undefined : new DomainError('UNSUPPORTED_VERSION'));
  };
}

/** The identifiers of a request: its own where they are acceptable, new ones elsewhere. */
export function openExchange(headers: IncomingHttpHeaders): Exchange {
  const requestId = accepted(headers['x-request-id']) ?? publicId('req', newUuid());
  const correlationId = accepted(headers['x-correlation-id']) ?? requestId;
  const traceparent = single(headers['traceparent']);
  return {
    context: {
      requestId,
      correlationId,
      traceparent: traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : null,
    },
    startedAt: performance.now(),
    client: null,
    operator: null,
  };
}

/** The headers that every answer carries, whatever it answers. */
export const exchangeHeaders = (context: RequestContext): readonly (readonly [string, string])[] => [
  ['X-Request-Id', context.requestId],
  ['X-Correlation-Id', context.correlationId],
  ['X-API-Version', CURRENT_API_VERSION],
  // Answers are decisions about people.
  ['Cache-Control', 'no-store'],
];

/** False when the caller asks for a version of the API that does not exist. */
export function knownVersion(headers: IncomingHttpHeaders): boolean {
  const version = single(headers['x-api-version']);
  return version === undefined || API_VERSIONS.some((known) => known === version);
}

/** Measures and logs a finished request, under the pattern of its route. */
export function closeExchange(
  exchange: Exchange,
  method: string | undefined,
  route: string,
  response: ServerResponse,
  logger: StructuredLogger,
  metrics: HttpMetrics,
): void {
  const durationMs = performance.now() - exchange.startedAt;
  // 499: the caller hung up before the answer; the code that proxies use for it.
  const status = response.writableFinished ? response.statusCode : 499;
  metrics.observe(method ?? '', route, status, durationMs);
  logger.access({
    method: method ?? '',
    route,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    requestId: exchange.context.requestId,
    correlationId: exchange.context.correlationId,
    client: exchange.client?.clientId ?? null,
    operator: exchange.operator?.id ?? null,
  });
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Identifiers go to logs, events and audit entries, where a secret or somebody's CPF must not be. */
function accepted(header: string | string[] | undefined): string | undefined {
  const value = single(header);
  return value !== undefined && IDENTIFIER.test(value) && !holdsSecretOrTaxId(value) ? value : undefined;
}
