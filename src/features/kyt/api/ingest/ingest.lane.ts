import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  clientBucket,
  ClientGate,
  CLIENT_POLICY,
  DEFAULT_BODY_RULES,
  ErrorFilter,
  commonResponseHeaders,
  isKnownVersion,
  createExchange,
  parseLimitedJson,
  rateHeaders,
  RateLimiter,
  RequestRecorder,
  requireTokens,
  spendOrganisationTokens,
  readBody,
  setExchange,
  type ClientPrincipal,
  type Exchange,
} from '../../../../platform/http/index.js';
import { Clock, DomainError } from '../../../../platform/kernel/index.js';
import { LaneRoutesService, type LaneRoute } from './lane-routes.service.js';

const SCOPE = 'kyt:ingest';

type Headers = readonly (readonly [string, string])[];

interface LaneCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: ClientPrincipal;
  readonly route: LaneRoute;
  readonly waitMs: number | undefined;
  readonly fixedHeaders: Headers;
}

/**
 * A fast path for POST /kyt/transactions/ingest (about 1,000 calls a second) and POST /kyt/events: from a known
 * application, with a JSON body of known length, a transaction with or without `?wait=MS`. It uses the same gate,
 * limiter, services and error answers as the controllers, but not Express and its router, which would take most of the
 * time. Any other request (unknown caller, content type, `Expect`, `Prefer`) goes to the controller. The contract tests
 * run against both.
 */
@Injectable()
export class IngestLane {
  private readonly validation: { readonly now: () => number };

  constructor(
    private readonly gate: ClientGate,
    private readonly limiter: RateLimiter,
    private readonly routes: LaneRoutesService,
    private readonly errors: ErrorFilter,
    private readonly recorder: RequestRecorder,
    clock: Clock,
  ) {
    this.validation = { now: () => clock.now() };
  }

  /** Answers the request, or passes the untouched request to `ordinary`. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    fixedHeaders: Headers,
    ordinary: () => void,
  ): void {
    const route = this.routes.find(request.url);
    const waitMs = route?.readWait(request.url);
    const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
    const isPost = request.method === 'POST' && isPlain(request);
    if (!route || waitMs === null || !isPost || typeof id !== 'string' || typeof secret !== 'string') {
      ordinary();
      return;
    }
    const tryToAnswer = (): boolean => {
      const client = this.gate.authenticate(id, secret, SCOPE);
      if (client) void this.answer({ request, response, client, route, waitMs, fixedHeaders });
      return client !== null;
    };
    if (tryToAnswer()) return;
    // The application is not cached: one that calls less than once a second is read again each time.
    const refreshed = this.gate.refresh(id, secret);
    if (refreshed) {
      void refreshed.then(() => {
        if (!tryToAnswer()) ordinary();
      });
    } else ordinary();
  }

  /** Never rejects: errors become answers. */
  private async answer(call: LaneCall): Promise<void> {
    const { request, response, client, route, fixedHeaders } = call;
    const exchange = createExchange(request.headers);
    exchange.client = client;
    response.once('close', () => {
      this.recorder.recordFinished(exchange, request.method, route.path, response);
    });
    const rateVerdict = this.limiter.take(clientBucket(client), client.rateLimit);
    // The limiter answers from its local tokens without a promise, unless these are used up.
    const verdict = rateVerdict instanceof Promise ? await rateVerdict : rateVerdict;
    const headers = [
      ...fixedHeaders,
      ...commonResponseHeaders(exchange.context),
      ...rateHeaders(CLIENT_POLICY, client.rateLimit, verdict),
    ];
    try {
      requireTokens(verdict);
      const together = spendOrganisationTokens(this.limiter, client);
      requireTokens(together instanceof Promise ? await together : together);
      const { status, body: answer } = await this.accept(call, exchange);
      const body = JSON.stringify(answer);
      headers.push(
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Content-Length', String(Buffer.byteLength(body))],
      );
      response.writeHead(status, flattenHeaders(headers));
      response.end(body);
    } catch (error) {
      for (const [name, value] of headers) response.setHeader(name, value);
      // The casts are safe: the error filter uses no property of Express and finds the identifiers in the exchange.
      setExchange(request as Request, exchange);
      this.errors.answer(error, request as Request, response as Response);
    }
  }

  private async accept(
    { request, response, client, route, waitMs }: LaneCall,
    exchange: Exchange,
  ): ReturnType<LaneRoute['accept']> {
    const raw = await readBody(request, DEFAULT_BODY_RULES.maxBytes);
    const body = parseLimitedJson(raw, DEFAULT_BODY_RULES.limits);
    exchange.body = body;
    const violations = route.validate(body, this.validation);
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    return route.accept({ client, context: exchange.context }, body, waitMs, response);
  }
}

/**
 * Returns names and values in one list, like `headers.flat()`, which is slower because it checks the type of every
 * item.
 */
function flattenHeaders(headers: Headers): string[] {
  const names: string[] = [];
  for (const [name, value] of headers) names.push(name, value);
  return names;
}

/** True for a JSON body with an allowed length and without headers that need Express. */
function isPlain({ headers }: IncomingMessage): boolean {
  return (
    headers['content-type'] === 'application/json' &&
    Number(headers['content-length']) <= DEFAULT_BODY_RULES.maxBytes &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    headers['prefer'] === undefined &&
    isKnownVersion(headers)
  );
}
