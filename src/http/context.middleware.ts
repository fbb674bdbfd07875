import type { NextFunction, Request, Response } from 'express';
import { API_VERSIONS, CURRENT_API_VERSION } from '../config/index.js';
import { DomainError, newUuid, publicId } from '../kernel/index.js';
import { requestContext, type StructuredLogger } from '../telemetry/index.js';
import { setExchange, type Exchange } from './exchange.js';
import type { HttpMetrics } from './http-metrics.js';

const IDENTIFIER = /^[A-Za-z0-9._:-]{1,128}$/;
// W3C Trace Context, version 00: anything else is not propagated
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives every request its identifiers, echoes them, and writes one log line and one measurement when it is done. */
export function contextMiddleware(logger: StructuredLogger, metrics: HttpMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const requestId = accepted(request.headers['x-request-id']) ?? publicId('req', newUuid());
    const correlationId = accepted(request.headers['x-correlation-id']) ?? requestId;
    const traceparent = single(request.headers['traceparent']);
    const context = {
      requestId,
      correlationId,
      traceparent: traceparent !== undefined && TRACEPARENT.test(traceparent) ? traceparent : null,
    };
    const exchange: Exchange = { context, startedAt: performance.now(), client: null };
    setExchange(request, exchange);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Correlation-Id', correlationId);
    response.once('close', () => {
      finished(request, response, exchange, logger, metrics);
    });
    const version = single(request.headers['x-api-version']);
    if (version !== undefined && !API_VERSIONS.some((known) => known === version)) {
      next(new DomainError('UNSUPPORTED_VERSION'));
      return;
    }
    response.setHeader('X-API-Version', CURRENT_API_VERSION);
    requestContext.run(context, next);
  };
}

function finished(
  request: Request,
  response: Response,
  exchange: Exchange,
  logger: StructuredLogger,
  metrics: HttpMetrics,
): void {
  const durationMs = performance.now() - exchange.startedAt;
  const matched = request.route as { path?: unknown } | undefined;
  const route = typeof matched?.path === 'string' ? matched.path : 'unmatched';
  // 499: the caller hung up before the answer; the code that proxies use for it.
  const status = response.writableFinished ? response.statusCode : 499;
  metrics.observe(request.method, route, status, durationMs);
  logger.access({
    method: request.method,
    route,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    requestId: exchange.context.requestId,
    correlationId: exchange.context.correlationId,
    client: exchange.client?.clientId ?? null,
  });
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function accepted(header: string | string[] | undefined): string | undefined {
  const value = single(header);
  return value !== undefined && IDENTIFIER.test(value) ? value : undefined;
}
