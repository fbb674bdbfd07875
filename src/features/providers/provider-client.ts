import { createHmac } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/index.js';
import { CircuitBreaker, HttpSender, type HttpAnswer } from '../../platform/outbound/index.js';
import { readAnswer, type ProviderAnswer } from './domain/answer.js';
import { LONGEST_CALL_MS, SANDBOX_URL, type ProviderKind } from './domain/provider.js';
import { sandboxAnswer } from './domain/sandbox-double.js';
import { ProviderTargets } from './provider-targets.js';
import type { CheckProviderEntity } from './store/entities.js';

type Provider = Readonly<CheckProviderEntity>;

// Maximum size of a response, which is a line of JSON with the data read from a document.
const MAX_ANSWER_BYTES = 65_536;
const BREAKER = { failures: 5, pauseMs: 30_000 } as const;

/**
 * Calls one provider by a signed POST with an overall timeout, without redirects, behind a circuit breaker. Any failure is
 * an error, and never a passed check.
 */
@Injectable()
export class ProviderClient implements OnApplicationShutdown {
  private readonly sender: HttpSender;
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    targets: ProviderTargets,
  ) {
    this.sender = new HttpSender(targets, {
      timeoutMs: LONGEST_CALL_MS,
      readLimitBytes: MAX_ANSWER_BYTES,
      maxFreeSockets: 4,
    });
  }

  onApplicationShutdown(): void {
    this.sender.destroy();
  }

  /** Returns the secret that signs requests to a provider. It is derived, and stored nowhere. */
  deriveSecret({ organisationId, name, secretGeneration }: Omit<Provider, 'id'>): string {
    return createHmac('sha256', this.settings.clientSecretPepper)
      .update(`provider\0${organisationId}\0${name}\0${secretGeneration}`)
      .digest('base64url');
  }

  /** Returns why the provider cannot be connected to, as a code; null if it can, and for the double of the sandbox. */
  async reach({ url }: Provider): Promise<string | null> {
    return url === SANDBOX_URL ? null : this.sender.reach(url);
  }

  isBreakerOpen(provider: Provider): boolean {
    return !this.breakerOf(provider).allows(performance.now());
  }

  /**
   * Calls a provider. Its failure is an ERROR answer, never a rejection. A repeated request must have the same
   * `requestId`.
   */
  async post(
    provider: Provider,
    kind: ProviderKind,
    requestId: string,
    question: { readonly person: { readonly name: string | null } },
  ): Promise<ProviderAnswer> {
    if (provider.url === SANDBOX_URL) return this.answerFromDouble(kind, question.person.name);
    const breaker = this.breakerOf(provider);
    const answer = readHttpAnswer(kind, await this.send(provider, kind, requestId, question));
    if (answer.verdict === 'ERROR') breaker.recordFailure(performance.now());
    else breaker.recordSuccess();
    return answer;
  }

  /**
   * Answers in place of a provider. Outside of the sandbox the call fails: the provider may have been stored when this
   * environment was a sandbox.
   */
  private answerFromDouble(kind: ProviderKind, name: string | null): ProviderAnswer {
    return this.settings.environment === 'sandbox'
      ? sandboxAnswer(kind, name)
      : { verdict: 'ERROR', reason: 'PROVIDER_UNREACHABLE' };
  }

  private send(
    provider: Provider,
    kind: ProviderKind,
    requestId: string,
    question: object,
  ): Promise<HttpAnswer> {
    const body = Buffer.from(JSON.stringify({ version: 1, check: kind, requestId, ...question }));
    const timestamp = String(Math.floor(this.clock.now() / 1_000));
    const signature = createHmac('sha256', this.deriveSecret(provider))
      .update(`${timestamp}.`)
      .update(body)
      .digest('hex');
    const service = this.settings.serviceName.toLowerCase();
    return this.sender.send({
      url: provider.url,
      timeoutMs: provider.timeoutMs,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [`x-${service}-timestamp`]: timestamp,
        [`x-${service}-signature`]: `v1=${signature}`,
      },
      body,
    });
  }

  private breakerOf({ organisationId, name }: Provider): CircuitBreaker {
    const key = `${organisationId}/${name}`;
    const known = this.breakers.get(key);
    if (known) return known;
    if (this.breakers.size >= 10_000) this.breakers.clear();
    const breaker = new CircuitBreaker(BREAKER);
    this.breakers.set(key, breaker);
    return breaker;
  }
}

function readHttpAnswer(
  kind: ProviderKind,
  { statusCode, errorCode, truncated, body }: HttpAnswer,
): ProviderAnswer {
  const error = (reason: string): ProviderAnswer => ({ verdict: 'ERROR', reason });
  if (errorCode === 'TIMEOUT') return error('PROVIDER_TIMEOUT');
  if (errorCode !== null) return error('PROVIDER_UNREACHABLE');
  if (statusCode !== null && statusCode >= 400 && statusCode < 500) return error('PROVIDER_REFUSED');
  if (statusCode !== 200) return error('PROVIDER_STATUS');
  return truncated ? error('PROVIDER_TOO_LARGE') : readAnswer(kind, body.toString('utf8'));
}
