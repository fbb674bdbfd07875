import type { Response } from 'express';
import { DomainError } from '../../kernel/index.js';
import type { ClientPrincipal } from '../access/access.js';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limiter.js';

/** Returns the headers about a bucket: RateLimit of the IETF draft, and the older X-RateLimit. */
export function rateHeaders(
  name: string,
  limit: RateLimit,
  verdict: RateVerdict,
): readonly (readonly [string, string])[] {
  const window = Math.max(1, Math.ceil(limit.burst / limit.perSecond));
  return [
    ['RateLimit-Policy', `"${name}";q=${limit.burst};w=${window}`],
    ['RateLimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`],
    ['X-RateLimit-Limit', String(limit.burst)],
    ['X-RateLimit-Remaining', String(verdict.remaining)],
    ['X-RateLimit-Reset', String(verdict.resetSeconds)],
  ];
}

export function setRateHeaders(
  response: Response,
  name: string,
  limit: RateLimit,
  verdict: RateVerdict,
): void {
  for (const [header, value] of rateHeaders(name, limit, verdict)) response.setHeader(header, value);
}

export const CLIENT_POLICY = 'client';
export const clientBucket = (client: ClientPrincipal): string => `client:${client.id}`;

/** Spends tokens of the bucket that all applications of an organisation share. Spend the application's own first. */
export const spendOrganisationTokens = (
  limiter: RateLimiter,
  { organisationId, organisationRate }: ClientPrincipal,
  cost = 1,
  prepaid = 0,
): RateVerdict | Promise<RateVerdict> =>
  limiter.take(`organisation:${organisationId}`, organisationRate, cost, { prepaid });

/** Spends tokens of the application, then of its organisation; `prepaid` were spent before. Throws RATE_LIMITED. */
export async function spendTokens(
  limiter: RateLimiter,
  response: Response,
  client: ClientPrincipal,
  cost: number,
  prepaid = 0,
): Promise<void> {
  const verdict = await limiter.take(clientBucket(client), client.rateLimit, cost, { prepaid });
  setRateHeaders(response, CLIENT_POLICY, client.rateLimit, verdict);
  requireTokens(verdict);
  requireTokens(await spendOrganisationTokens(limiter, client, cost, prepaid));
}

/** Throws RATE_LIMITED if the verdict is a refusal. */
export function requireTokens(verdict: RateVerdict): void {
  if (verdict.allowed) return;
  throw new DomainError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds });
}
