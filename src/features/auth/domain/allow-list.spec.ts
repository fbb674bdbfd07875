import { describe, expect, it } from '@jest/globals';
import { AllowList } from './allow-list.js';

describe('AllowList', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7'],
    [['203.0.113.0/24'], '203.0.113.255'],
    [['10.0.0.0/8', '203.0.113.0/24'], '203.0.113.1'],
    [['0.0.0.0/0'], '198.51.100.1'],
    [['2001:db8::/32'], '2001:db8:1::7'],
    [['::1'], '::1'],
    // How Node shows an IPv4 caller on a socket that listens for both.
    [['203.0.113.7'], '::ffff:203.0.113.7'],
    [['203.0.113.0/24'], '::ffff:203.0.113.9'],
    [['203.0.113.0/24'], '::ffff:cb00:7109'],
    [['::ffff:203.0.113.7'], '203.0.113.7'],
    [['2001:DB8:0:0::1'], '2001:db8::1'],
  ])('%j holds %s', (blocks, address) => {
    expect(new AllowList(blocks).includes(address)).toBe(true);
  });

  it.each<[string[], string | undefined]>([
    [[], '203.0.113.7'],
    [['203.0.113.7'], '203.0.113.8'],
    [['203.0.113.0/25'], '203.0.113.128'],
    [['2001:db8::/32'], '2001:db9::1'],
    [['2001:db8::/32'], '203.0.113.7'],
    [['0.0.0.0/0'], '2001:db8::1'],
    [['203.0.113.7'], undefined],
    [['203.0.113.7'], ''],
    [['203.0.113.7'], '203.0.113.7, 10.0.0.1'],
  ])('%j does not hold %s', (blocks, address) => {
    expect(new AllowList(blocks).includes(address)).toBe(false);
  });
});
