import { describe, expect, it } from '@jest/globals';
import { rateLimitedNetworksOf, spendNetworkTokens } from './networks.js';
import { RateLimiter } from './rate-limiter.js';
import type { SharedBuckets } from './shared-buckets.js';

const keys = (address: string | undefined): string[] => rateLimitedNetworksOf(address).map(({ key }) => key);

describe('the networks of an address', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['::ffff:cb00:7107', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
    ['2001:DB8:1:2fe::9', ['2001:db8:1:2fe::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
    ['::1', ['::/64', '::/56', '::/48']],
    ['[2001:db8:1:2::9]:443', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
    [undefined, ['']],
  ])('%s', (address, expected) => {
    expect(keys(address)).toEqual(expected);
  });
});

describe('limits by network', () => {
  const limiter = (): RateLimiter => new RateLimiter({ usable: false } as SharedBuckets);
  const limit = { perSecond: 0.0001, burst: 10 };
  const allowed = async (addresses: readonly string[]): Promise<number> => {
    const one = limiter();
    let count = 0;
    for (const address of addresses) {
      if ((await spendNetworkTokens(one, 'test', address, limit)).allowed) count += 1;
    }
    return count;
  };
  const many = (of: (i: number) => string): string[] => Array.from({ length: 1_000 }, (_, i) => of(i));
  const hex = (i: number): string => i.toString(16);

  it.each([
    ['a /64', 10, (i: number) => `2001:db8:1:1::${hex(i)}`],
    ['a /56', 40, (i: number) => `2001:db8:1:1${(i % 256).toString(16).padStart(2, '0')}::${hex(i)}`],
    ['a /48', 160, (i: number) => `2001:db8:1:${hex(i)}::1`],
    ['a /24 of IPv4, whose addresses are people each', 1_000, (i: number) => `198.51.${i >> 8}.${i & 255}`],
  ])('a thousand addresses of %s are allowed %i calls', async (_, expected, of) => {
    expect(await allowed(many(of))).toBe(expected);
  });
});
