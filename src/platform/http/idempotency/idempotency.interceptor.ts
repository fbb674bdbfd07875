import {
  applyDecorators,
  Injectable,
  Logger,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { joinTransactions } from '../../database/index.js';
import { invalid } from '../../kernel/index.js';
import { ApiErrors } from '../errors/api-errors.js';
import { exchangeOf, principalOf } from '../requests/exchange.js';
import { IdempotencyKeys, type Claim, type StoredAnswer } from './idempotency-keys.js';

const HEADER = 'Idempotency-Key';
// Visible ASCII, which every client library can send and every proxy forwards unchanged.
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a request with an `Idempotency-Key` at most once; a repeated request gets the stored answer. Each transaction
 * of the handler also marks the key as effective, so that the request does not run again even if the process dies
 * before the answer is stored. Refusals are not stored: a request that changed nothing may be sent again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Idempotency');

  constructor(private readonly idempotencyKeys: IdempotencyKeys) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = execution.switchToHttp().getRequest<Request>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return next.handle();
    const response = execution.switchToHttp().getResponse<Response>();
    const claim = await this.idempotencyKeys.claim(useOf(request, requireValidKey(key)));
    if (!('slot' in claim)) return of(replay(response, claim));
    return of(await this.runOnce(claim, response, next));
  }

  private async runOnce(claim: Claim, response: Response, next: CallHandler): Promise<unknown> {
    let body: unknown;
    try {
      body = await joinTransactions(
        (tx) => this.idempotencyKeys.markEffective(tx, claim),
        () => lastValueFrom<unknown, undefined>(next.handle(), { defaultValue: undefined }),
      );
    } catch (error) {
      await this.runQuietly('released', this.idempotencyKeys.release(claim));
      throw error;
    }
    const location = response.getHeader('Location');
    const answer = { status: response.statusCode, location: location?.toString() ?? null, body };
    await this.runQuietly('stored', this.idempotencyKeys.conclude(claim, answer));
    return body;
  }

  /** Logs a failed step without changing the answer. A repeated request is then refused instead of answered. */
  private async runQuietly(what: string, step: Promise<void>): Promise<void> {
    try {
      await step;
    } catch (error) {
      this.logger.warn(`an answer was not ${what}: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }
}

/** Makes a route honour `Idempotency-Key`. For POST routes that create something, with a JSON body. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: HEADER,
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: KEY.source },
      description: 'The same request with the same key within 24 hours gets the answer of the first one.',
    }),
    ApiErrors('IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN', 'IDEMPOTENCY_KEY_REUSED'),
  );

function useOf(request: Request, key: string): Parameters<IdempotencyKeys['claim']>[0] {
  const principal = principalOf(exchangeOf(request));
  const { path } = request.route as { path: string };
  return {
    principal: principal.name,
    organisationId: principal.organisationId,
    route: `${request.method} ${path}`,
    key,
    request: { url: request.originalUrl, body: request.body as unknown },
  };
}

function requireValidKey(key: string | string[]): string {
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw invalid(HEADER, 'PATTERN_MISMATCH', 'Must be 1 to 255 visible ASCII characters.');
}

function replay(response: Response, answer: StoredAnswer): unknown {
  response.status(answer.status);
  response.setHeader('Idempotency-Replayed', 'true');
  if (answer.location !== null) response.setHeader('Location', answer.location);
  return answer.body;
}
