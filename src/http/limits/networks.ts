import { isIPv6 } from 'node:net';
import type { RateLimiter } from './rate-limiter.js';
import type { RateLimit, RateVerdict } from './token-bucket.js';

/** Callers that are limited together, and how many times the limit of one of them they have. */
export interface Network {
  readonly key: string;
  readonly factor: number;
}

// One subscriber gets a /64 at least, often a /56 and at most a /48, and with it as many addresses as they like.
const SUBNETS = [
  { groups: 4, mask: 0xffff, prefix: 64, factor: 1 },
  { groups: 4, mask: 0xff00, prefix: 56, factor: 4 },
  { groups: 3, mask: 0xffff, prefix: 48, factor: 16 },
];

/** The networks that an address counts for, the smallest first: an IPv4 address alone, an IPv6 address by its prefixes. */
export function networksOf(address: string | null | undefined): readonly [Network, ...Network[]] {
  const plain = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const groups = isIPv6(plain) ? groupsOf(plain) : null;
  const mapped = groups?.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!groups || mapped) {
    return [{ key: groups ? dotted(groups) : plain, factor: 1 }];
  }
  const [own, ...larger] = SUBNETS.map(({ groups: length, mask, prefix, factor }) => {
    const parts = groups.slice(0, length);
    parts[length - 1] = (parts[length - 1] ?? 0) & mask;
    return { key: `${parts.map((part) => part.toString(16)).join(':')}::/${prefix}`, factor };
  });
  if (!own) throw new Error('an address counts for its own network');
  return [own, ...larger];
}

/** Spends one token of each network of the address; the verdict is that of the first one that has none, or of the smallest. */
export async function takeByNetwork(
  limiter: RateLimiter,
  kind: string,
  address: string | undefined,
  limit: RateLimit,
): Promise<RateVerdict> {
  const [own, ...larger] = networksOf(address);
  const verdict = await limiter.take(`${kind}:${own.key}`, limit);
  if (!verdict.allowed) return verdict;
  for (const { key, factor } of larger) {
    const wider = { perSecond: limit.perSecond * factor, burst: limit.burst * factor };
    const theirs = await limiter.take(`${kind}:${key}`, wider);
    if (!theirs.allowed) return theirs;
  }
  return verdict;
}

function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = hexadecimal.split('::');
  const numbers = (text: string | undefined): number[] =>
    text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

const dotted = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
