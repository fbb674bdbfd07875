import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  clientBucket,
  ClientGate,
  CLIENT_POLICY,
  closeExchange,
  compileValidator,
  DEFAULT_BODY_RULES,
  envelope,
  ErrorFilter,
  exchangeHeaders,
  HttpMetrics,
  knownVersion,
  openExchange,
  parse,
  rateHeaders,
  RateLimiter,
  readBody,
  setExchange,
  type ClientPrincipal,
} from '../../../http/index.js';
import { Clock, DomainError } from '../../../kernel/index.js';
import { StructuredLogger, type RequestContext } from '../../../telemetry/index.js';
import { IngestService } from '../../ingest/ingest.service.js';
import { IntakeReader } from '../../ingest/intake-reader.service.js';
import { IngestTransactionBody } from './ingest-transaction.dto.js';
import { receiptData } from './receipt.view.dto.js';

export const LANE_PATH = '/kyt/transactions/ingest';
const SCOPE = 'kyt:ingest';
const validate = compileValidator(IngestTransactionBody);

type Headers = readonly (readonly [string, string])[];

/**
 * The short way for the one request that comes a thousand times a second: POST /kyt/transactions/ingest of a known
 * application, with a JSON body of known length. It uses the same gate, limiter, reader, service and error answers as
 * `KytController.ingestTransaction`, only without Express and the router around them, which cost more than all of these. Whatever
 * is not plain (unknown callers, other media, proxies' questions, callers who wait) is left to the controller, which documents the route.
 * The contract tests run against both.
 */
@Injectable()
export class IngestLane {
  private readonly validation: { readonly now: () => number };

  constructor(
    private readonly gate: ClientGate,
    private readonly limiter: RateLimiter,
    private readonly reader: IntakeReader,
    private readonly ingest: IngestService,
    private readonly errors: ErrorFilter,
    private readonly logger: StructuredLogger,
    private readonly metrics: HttpMetrics,
    clock: Clock,
  ) {
    this.validation = { now: () => clock.now() };
  }

  /** Takes the request and answers it, or returns false and has touched nothing. */
  take(request: IncomingMessage, response: ServerResponse, fixedHeaders: Headers): boolean {
    if (request.url !== LANE_PATH || request.method !== 'POST' || !isPlain(request)) return false;
    const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
    if (typeof id !== 'string' || typeof secret !== 'string') return false;
    const client = this.gate.recognise(id, secret, SCOPE);
    if (!client) return false;
    void this.answer(request, response, client, fixedHeaders);
    return true;
  }

  /** Never rejects: what goes wrong is answered. */
  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientPrincipal,
    fixedHeaders: Headers,
  ): Promise<void> {
    const exchange = openExchange(request.headers);
    exchange.client = client;
    response.once('close', () => {
      closeExchange(exchange, request.method, LANE_PATH, response, this.logger, this.metrics);
    });
    const taken = this.limiter.take(clientBucket(client), client.rateLimit);
    // Tokens are in hand nearly always; then nothing is waited for.
    const verdict = taken instanceof Promise ? await taken : taken;
    const headers = [
      ...fixedHeaders,
      ...exchangeHeaders(exchange.context),
      ...rateHeaders(CLIENT_POLICY, client.rateLimit, verdict),
    ];
    try {
      if (!verdict.allowed) {
        throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
      }
      const receipt = await this.accept(request, client, exchange.context);
      const body = JSON.stringify(envelope(receiptData(receipt)));
      headers.push(
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Content-Length', String(Buffer.byteLength(body))],
      );
      response.writeHead(receipt.duplicate ? 200 : 202, flat(headers));
      response.end(body);
    } catch (error) {
      for (const [name, value] of headers) response.setHeader(name, value);
      // The filter uses nothing of Express on these; it finds the identifiers by the exchange.
      setExchange(request as Request, exchange);
      this.errors.answer(error, request as Request, response as Response);
    }
  }

  private async accept(
    request: IncomingMessage,
    client: ClientPrincipal,
    context: RequestContext,
  ): ReturnType<IngestService['accept']> {
    const raw = await readBody(request, DEFAULT_BODY_RULES.maxBytes);
    const body = parse(raw, DEFAULT_BODY_RULES.limits);
    const violations = validate(body, this.validation);
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    return this.ingest.accept(this.reader.ingest({ client, context }, body as IngestTransactionBody));
  }
}

/** As `headers.flat()`, which is a loop that asks every item what it is. */
function flat(headers: Headers): string[] {
  const names: string[] = [];
  for (const [name, value] of headers) names.push(name, value);
  return names;
}

/** A JSON body of a known, allowed length, and nothing asked for that Express would have to look at. */
function isPlain({ headers }: IncomingMessage): boolean {
  return (
    headers['content-type'] === 'application/json' &&
    Number(headers['content-length']) <= DEFAULT_BODY_RULES.maxBytes &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    headers['prefer'] === undefined &&
    knownVersion(headers)
  );
}
