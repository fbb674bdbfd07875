import { canonicalIpAddress, canonicalIpNetwork } from '../../kernel/values/canonical/ip-address.js';
import type { RateLimiter } from './rate-limiter.js';
import type { RateLimit, RateVerdict } from './token-bucket.js';

/** Callers that are limited together; their limit is `factor` times that of a single caller. */
export interface RateLimitedNetwork {
  readonly key: string;
  readonly factor: number;
}

// A subscriber of IPv6 has a /64 at least, often a /56 and at most a /48, and can use any address in it.
const SUBNETS = [
  { prefix: 64, factor: 1 },
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
];

/** Returns the networks with a limit for an address, the smallest first: the prefixes of IPv6, or the IPv4 address. */
export function rateLimitedNetworksOf(
  address: string | null | undefined,
): readonly [RateLimitedNetwork, ...RateLimitedNetwork[]] {
  const caller = canonicalIpAddress(address ?? '');
  if (!caller?.includes(':')) return [{ key: caller ?? address ?? '', factor: 1 }];
  const [own, ...larger] = SUBNETS.map(({ prefix, factor }) => ({
    key: canonicalIpNetwork(`${caller}/${prefix}`) ?? caller,
    factor,
  }));
  if (!own) throw new Error('an address counts for its own network');
  return [own, ...larger];
}

/** Spends a token of each network. Returns the verdict of the first network without a token, else of the smallest. */
export async function spendNetworkTokens(
  limiter: RateLimiter,
  kind: string,
  address: string | undefined,
  limit: RateLimit,
): Promise<RateVerdict> {
  const [own, ...larger] = rateLimitedNetworksOf(address);
  const verdict = await limiter.take(`${kind}:${own.key}`, limit);
  if (!verdict.allowed) return verdict;
  for (const { key, factor } of larger) {
    const wider = { perSecond: limit.perSecond * factor, burst: limit.burst * factor };
    const largerVerdict = await limiter.take(`${kind}:${key}`, wider);
    if (!largerVerdict.allowed) return largerVerdict;
  }
  return verdict;
}
