import type { Response } from 'express';
import { DomainError } from '../kernel/index.js';
import type { ClientPrincipal } from './access.js';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limiter.js';

/** Tells the caller where its bucket stands: the IETF draft's fields and the older X- ones. */
export function setRateHeaders(response: Response, name: string, limit: RateLimit, verdict: RateVerdict): void {
  const window = Math.max(1, Math.ceil(limit.burst / limit.perSecond));
  response.setHeader('RateLimit-Policy', `"${name}";q=${limit.burst};w=${window}`);
  response.setHeader('RateLimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`);
  response.setHeader('X-RateLimit-Limit', String(limit.burst));
  response.setHeader('X-RateLimit-Remaining', String(verdict.remaining));
  response.setHeader('X-RateLimit-Reset', String(verdict.resetSeconds));
}

/** Spends tokens of the application's own bucket, or refuses and spends none. */
export function spendTokens(limiter: RateLimiter, response: Response, client: ClientPrincipal, cost: number): void {
  const verdict = limiter.take(`client:${client.id}`, client.rateLimit, cost);
  setRateHeaders(response, 'client', client.rateLimit, verdict);
  if (!verdict.allowed) throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
}
