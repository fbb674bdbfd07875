import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { baseUrlOf, Settings } from '../../config/index.js';
import { DomainError, errorCodes } from '../../kernel/index.js';
import { errorView, failureEnvelope, problemDetails, toDomainError } from './error-view.js';
import { drain } from '../requests/drain.js';
import { exchangeOf } from '../requests/exchange.js';
import { RouteTable } from '../route-table.js';

const CLIENT_CHALLENGE = 'ClientCredentials realm="x-client-id, x-client-secret"';
const BEARER_CHALLENGE = 'Bearer realm="operator"';

/** Converts every error that a handler or guard throws to its HTTP answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  private readonly baseUrl: string;

  constructor(
    private readonly routes: RouteTable,
    settings: Settings,
  ) {
    this.baseUrl = baseUrlOf(settings);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  answer(thrown: unknown, request: Request, response: Response): void {
    const error = this.refineNotFound(toDomainError(thrown), request);
    if (error.code === 'INTERNAL_ERROR') this.report(error, exchangeOf(request).context.requestId);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status } = errorCodes[error.code];
    const exchange = exchangeOf(request);
    exchange.refusal = { code: error.code, details: error.details };
    const view = errorView(error, exchange.context, this.baseUrl);
    const retryAfter = error.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
    if (retryAfter !== undefined) {
      response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfter))));
    }
    if (status === 401) {
      const forOperators = request.path.startsWith('/operator/');
      response.setHeader('WWW-Authenticate', forOperators ? BEARER_CHALLENGE : CLIENT_CHALLENGE);
    }
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    // The rest of an unread body must not be parsed as the next request.
    const isUnread = !request.complete && announcesBody(request);
    if (isUnread) response.setHeader('Connection', 'close');
    const asProblem = (request.headers.accept ?? '').includes('application/problem+json');
    response.statusCode = status;
    response.setHeader(
      'Content-Type',
      asProblem ? 'application/problem+json' : 'application/json; charset=utf-8',
    );
    const text = JSON.stringify(asProblem ? problemDetails(view, status) : failureEnvelope(view));
    if (!isUnread) {
      response.end(text);
      return;
    }
    // The answer is whole at once; the end closes the connection, which a client that writes on would only hear as EPIPE.
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.write(text);
    void drain(request).then(() => response.end());
  }

  /** Turns a 404 into 405 if the path has other methods, even if a route with `:id` has matched a fixed word as an id. */
  private refineNotFound(error: DomainError, request: Request): DomainError {
    if (errorCodes[error.code].status !== 404) return error;
    const allowed =
      error.code === 'ROUTE_NOT_FOUND'
        ? this.routes.methodsFor(request.path)
        : this.routes.methodsForWord(request.path);
    // The 404 stays if no route has the path, or if a route has it with this method.
    if (allowed.length === 0 || allowed.includes(request.method)) return error;
    return new DomainError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
  }

  private report(error: DomainError, requestId: string): void {
    const { cause } = error;
    const stack = cause instanceof Error ? cause.stack : undefined;
    this.logger.error(`request ${requestId} failed unexpectedly`, stack);
  }
}

const announcesBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
