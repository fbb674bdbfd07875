import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  clientBucket,
  ClientGate,
  CLIENT_POLICY,
  compileValidator,
  DEFAULT_BODY_RULES,
  envelope,
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
import { DecisionWaitService } from '../../ingest/decision-wait.service.js';
import { IngestService, type Receipt } from '../../ingest/ingest.service.js';
import { IntakeReaderService } from '../../ingest/intake-reader.service.js';
import { IngestTransactionBody } from '../../contract/ingest-transaction.dto.js';
import { receiptData } from './receipt.view.dto.js';
import { parsePlainWait, createWaitSignal } from './wait-preference.js';

export const LANE_PATH = '/kyt/transactions/ingest';
const SCOPE = 'kyt:ingest';
const validate = compileValidator(IngestTransactionBody);

type Headers = readonly (readonly [string, string])[];

/**
 * A fast path for POST /kyt/transactions/ingest (about 1,000 calls a second): from a known application, with a JSON
 * body of known length, with or without `?wait=MS`. It uses the same gate, limiter, reader, service and error answers
 * as `KytController.ingestTransaction`, but not Express and its router, which would take most of the time. Any other
 * request (unknown caller, content type, `Expect`, `Prefer`) goes to the controller. The contract tests run against
 * both.
 */
@Injectable()
export class IngestLane {
  private readonly validation: { readonly now: () => number };

  constructor(
    private readonly gate: ClientGate,
    private readonly limiter: RateLimiter,
    private readonly reader: IntakeReaderService,
    private readonly ingest: IngestService,
    private readonly decisionWait: DecisionWaitService,
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
    const waitMs = request.url === LANE_PATH ? undefined : parsePlainWait(request.url, LANE_PATH);
    const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
    const isPost = request.method === 'POST' && isPlain(request);
    if (waitMs === null || !isPost || typeof id !== 'string' || typeof secret !== 'string') {
      ordinary();
      return;
    }
    const tryToAnswer = (): boolean => {
      const client = this.gate.authenticate(id, secret, SCOPE);
      if (client) void this.answer(request, response, client, waitMs, fixedHeaders);
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
  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientPrincipal,
    waitMs: number | undefined,
    fixedHeaders: Headers,
  ): Promise<void> {
    const exchange = createExchange(request.headers);
    exchange.client = client;
    response.once('close', () => {
      this.recorder.recordFinished(exchange, request.method, LANE_PATH, response);
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
      const waitSignal = createWaitSignal(waitMs, undefined, response);
      const receipt = await this.accept(request, client, exchange, waitSignal !== null);
      const decision = waitSignal && (await this.decisionWait.waitForDecision(client, receipt, waitSignal));
      const body = JSON.stringify(envelope(decision ?? receiptData(receipt)));
      headers.push(
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Content-Length', String(Buffer.byteLength(body))],
      );
      response.writeHead(receipt.duplicate || decision ? 200 : 202, flattenHeaders(headers));
      response.end(body);
    } catch (error) {
      for (const [name, value] of headers) response.setHeader(name, value);
      // The casts are safe: the error filter uses no property of Express and finds the identifiers in the exchange.
      setExchange(request as Request, exchange);
      this.errors.answer(error, request as Request, response as Response);
    }
  }

  private async accept(
    request: IncomingMessage,
    client: ClientPrincipal,
    exchange: Exchange,
    isWaitedFor: boolean,
  ): Promise<Receipt> {
    const raw = await readBody(request, DEFAULT_BODY_RULES.maxBytes);
    const body = parseLimitedJson(raw, DEFAULT_BODY_RULES.limits);
    exchange.body = body;
    const violations = validate(body, this.validation);
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    const intake = this.reader.readSubmission(
      { client, context: exchange.context },
      body as IngestTransactionBody,
    );
    return this.ingest.accept(intake, isWaitedFor);
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
