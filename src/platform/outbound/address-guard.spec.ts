import { describe, expect, it } from '@jest/globals';
import { isAddressAllowed, AddressSet, hostOf, validateUrl, type AddressPolicy } from './address-guard.js';

const production: AddressPolicy = { requireHttps: true, allowLoopback: false, allowed: new AddressSet([]) };
const laptop: AddressPolicy = { ...production, allowLoopback: true };
const plain: AddressPolicy = { ...production, requireHttps: false };
const problemOf = (url: string, policy = production): string | null => {
  const judged = validateUrl(url, policy);
  return 'problem' in judged ? judged.problem : null;
};

describe('validateUrl', () => {
  it.each([
    'https://hooks.example.com/vigia?tenant=7',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://xn--caf-dma.example/hook',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
  ])('allows %s', (url) => {
    expect(problemOf(url)).toBeNull();
  });

  // Each of these is an address inside, in a form that a naive check reads as something else.
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0/',
    'https://0.0.0.0/',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://10.0.0.1/',
    'https://167772161/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://0xc0a80101/',
    'https://100.64.0.1/',
    'https://100.100.100.200/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://168.63.129.16/',
    'https://192.0.0.192/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[100::1]/',
    'https://[2001::1]/',
    'https://[2001:20::1]/',
    'https://[2001:db8::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:0a00:0001::1]/',
    'https://[3fff::1]/',
    'https://[5f00::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
  ])('refuses the address in %s', (url) => {
    expect(problemOf(url)).toBe('ADDRESS_NOT_ALLOWED');
  });

  it.each([
    ['http://hooks.example.com/', 'SCHEME_NOT_ALLOWED'],
    ['ftp://hooks.example.com/', 'SCHEME_NOT_ALLOWED'],
    ['file:///etc/passwd', 'SCHEME_NOT_ALLOWED'],
    ['gopher://hooks.example.com/', 'SCHEME_NOT_ALLOWED'],
    ['data:text/plain,x', 'SCHEME_NOT_ALLOWED'],
    ['javascript:alert(1)', 'SCHEME_NOT_ALLOWED'],
    ['https://user@hooks.example.com/', 'CREDENTIALS_IN_URL'],
    ['https://user:pass@hooks.example.com/', 'CREDENTIALS_IN_URL'],
    ['https://8.8.8.8@127.0.0.1/', 'CREDENTIALS_IN_URL'],
    ['https://hooks.example.com:22/', 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.com:25/', 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.com:1023/', 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.com:0/', 'PORT_NOT_ALLOWED'],
    ['https://localhost/', 'HOST_NOT_ALLOWED'],
    ['https://LOCALHOST/', 'HOST_NOT_ALLOWED'],
    ['https://localhost./', 'HOST_NOT_ALLOWED'],
    ['https://api.localhost/', 'HOST_NOT_ALLOWED'],
    ['https://hooks.example.com./', 'HOST_NOT_ALLOWED'],
    ['https://[fe80::1%25eth0]/', 'URL_INVALID'],
    ['https://256.256.256.256/', 'URL_INVALID'],
    ['https://', 'URL_INVALID'],
    ['hooks.example.com', 'URL_INVALID'],
    ['//hooks.example.com/', 'URL_INVALID'],
    ['', 'URL_INVALID'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'URL_INVALID'],
  ])('refuses %s as %s', (url, problem) => {
    expect(problemOf(url)).toBe(problem);
  });

  it.each([
    'http://127.0.0.1:4000/',
    'http://localhost:4000/',
    'http://[::1]:4000/',
    'http://app.localhost:4000/',
  ])('allows %s on a laptop and not in production', (url) => {
    expect(problemOf(url, laptop)).toBeNull();
    expect(problemOf(url, production)).not.toBeNull();
  });

  it('allows nothing but loopback over http on a laptop', () => {
    // ASVS 1.3.6
    expect(problemOf('http://hooks.example.com/', laptop)).toBe('SCHEME_NOT_ALLOWED');
    expect(problemOf('https://10.0.0.1/', laptop)).toBe('ADDRESS_NOT_ALLOWED');
    expect(problemOf('https://169.254.169.254/', laptop)).toBe('ADDRESS_NOT_ALLOWED');
  });

  it('allows http to public hosts when https is not required', () => {
    // ASVS 1.2.2
    expect(problemOf('http://hooks.example.com/', plain)).toBeNull();
    expect(problemOf('http://10.0.0.1/', plain)).toBe('ADDRESS_NOT_ALLOWED');
  });
});

describe('isAddressAllowed', () => {
  it('follows the allowed blocks, of either family, and nothing beside them', () => {
    // ASVS 13.2.4
    const policy = { ...production, allowed: new AddressSet(['10.20.0.0/16', 'fd12:3456::/32']) };
    expect(isAddressAllowed('10.20.3.4', policy)).toBe(true);
    expect(isAddressAllowed('fd12:3456::1', policy)).toBe(true);
    expect(isAddressAllowed('10.21.0.1', policy)).toBe(false);
    expect(isAddressAllowed('fd12:3457::1', policy)).toBe(false);
  });

  it.each(['fe80::1%eth0', '2606:4700:4700::1111%1', 'hooks.example.com', '', '127.1', '1.2.3.4.5'])(
    'refuses %p, which is no plain address',
    (address) => {
      expect(isAddressAllowed(address, laptop)).toBe(false);
    },
  );
});

describe('hostOf', () => {
  it('takes an IPv6 address out of its brackets', () => {
    expect(hostOf(new URL('https://[::1]:8443/'))).toBe('::1');
    expect(hostOf(new URL('https://hooks.example.com/'))).toBe('hooks.example.com');
  });
});
