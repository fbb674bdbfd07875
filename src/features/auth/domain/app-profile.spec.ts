import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AllowList } from './allow-list.js';
import { parseCidr, validateProfile, normaliseProfile, type AppProfile } from './app-profile.js';

const profile = (change: Partial<AppProfile> = {}): AppProfile => ({
  name: 'loja-checkout',
  publicName: 'Loja Exemplo',
  branding: { logoUrl: 'https://cdn.loja.example/logo.svg', primaryColor: '#0B5FFF' },
  scopes: ['kyt:ingest'],
  rateLimit: { perSecond: 200, burst: 400 },
  ipAllowList: [],
  redirectUrls: [],
  corsOrigins: [],
  apiVersion: '2026-11-01',
  withoutInputs: [],
  ...change,
});
const problems = (change: Partial<AppProfile>, allowLoopback = false): string[] =>
  validateProfile(profile(change), { allowLoopback }).map(({ path, code }) => `${path} ${code}`);
const logo = (logoUrl: string): string[] => problems({ branding: { logoUrl, primaryColor: null } });

describe('the profile of an application', () => {
  it('is accepted as in the documentation', () => {
    // ASVS 1.2.2
    expect(problems({})).toEqual([]);
  });

  it.each([
    'http://cdn.loja.example/logo.svg',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'ftp://cdn.loja.example/logo.svg',
    '//cdn.loja.example/logo.svg',
    'https://user:password@cdn.loja.example/logo.svg',
    'https://token@cdn.loja.example/logo.svg',
    'https://localhost/logo.svg',
    'https://logo.localhost/logo.svg',
    'https://127.0.0.1/logo.svg',
    'https://127.1/logo.svg',
    'https://0x7f000001/logo.svg',
    'https://2130706433/logo.svg',
    'https://10.1.2.3/logo.svg',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/logo.svg',
    'https://[::1]/logo.svg',
    'https://[fd00::1]/logo.svg',
    'https://[::ffff:10.0.0.1]/logo.svg',
    'https://intranet/logo.svg',
    'https://files.internal/logo.svg',
    'https://printer.local/logo.svg',
    'https://cdn.loja.example./logo.svg',
    'https://cdn.loja.example:22/logo.svg',
    'https://',
    'logo.svg',
    `https://cdn.loja.example/${'x'.repeat(500)}`,
  ])('refuses the logo %s', (url) => {
    expect(logo(url)).toHaveLength(1);
    expect(logo(url)[0]).toMatch(/^branding\.logoUrl /);
  });

  it.each([
    'https://cdn.loja.example/logo.svg',
    'https://cdn.loja.example:8443/l.png?v=2',
    'https://8.8.8.8/l.png',
  ])('accepts the logo %s', (url) => {
    expect(logo(url)).toEqual([]);
  });

  it.each<[string, Partial<AppProfile>, string]>([
    ['an empty name', { name: '   ' }, 'name TOO_SHORT'],
    ['a long name', { name: 'x'.repeat(101) }, 'name TOO_LONG'],
    ['a name with a line break', { publicName: 'Loja\nExemplo' }, 'publicName PATTERN_MISMATCH'],
    ['a name that is turned round', { publicName: 'Loja \u202eolpmexE' }, 'publicName PATTERN_MISMATCH'],
    [
      'a colour that is none',
      { branding: { logoUrl: null, primaryColor: 'red' } },
      'branding.primaryColor PATTERN_MISMATCH',
    ],
    ['an unknown scope', { scopes: ['kyt:ingest', 'admin' as 'kyt:read'] }, 'scopes[1] VALUE_NOT_ALLOWED'],
    ['no rate at all', { rateLimit: { perSecond: 0, burst: 1 } }, 'rateLimit.perSecond VALUE_NOT_ALLOWED'],
    ['half a token', { rateLimit: { perSecond: 1, burst: 0.5 } }, 'rateLimit.burst VALUE_NOT_ALLOWED'],
    ['an unknown version', { apiVersion: '2020-01-01' }, 'apiVersion VALUE_NOT_ALLOWED'],
    ['too many blocks', { ipAllowList: Array<string>(101).fill('10.0.0.1') }, 'ipAllowList TOO_MANY_ITEMS'],
  ])('refuses %s', (_what, change, expected) => {
    expect(problems(change)).toEqual([expected]);
  });

  it.each([
    'https://loja.example',
    'https://loja.example:8443',
    'https://xn--lja-8cd.example',
    'https://203.0.113.7',
  ])('accepts the origin %s', (origin) => {
    expect(problems({ corsOrigins: [origin] })).toEqual([]);
  });

  it.each([
    '*',
    'null',
    'https://*.loja.example',
    'https://loja.example/',
    'https://loja.example/path',
    'https://loja.example:443',
    'https://user@loja.example',
    'http://loja.example',
    'http://localhost:5173',
    'file://',
    'loja.example',
  ])('refuses the origin %s', (origin) => {
    expect(problems({ corsOrigins: [origin] })).toEqual(['corsOrigins[0] VALUE_NOT_ALLOWED']);
  });

  it('allows a developer pages on its own machine', () => {
    expect(problems({ corsOrigins: ['http://localhost:5173', 'http://127.0.0.1:3000'] }, true)).toEqual([]);
    expect(problems({ corsOrigins: ['http://loja.example'] }, true)).toHaveLength(1);
  });

  it('texts never repeat a value', () => {
    const all = validateProfile(
      profile({
        ipAllowList: ['CANARY'],
        corsOrigins: ['CANARY'],
        scopes: ['CANARY' as 'kyt:read'],
        apiVersion: 'CANARY',
        branding: { logoUrl: 'CANARY', primaryColor: 'CANARY' },
      }),
      { allowLoopback: false },
    );
    expect(all).toHaveLength(6);
    expect(JSON.stringify(all)).not.toContain('CANARY');
  });

  it('is brought into one form', () => {
    // ASVS 2.2.3
    const normal = normaliseProfile(
      profile({
        scopes: ['kyt:read', 'kyt:ingest', 'kyt:read'],
        ipAllowList: ['203.0.113.7', '203.0.113.7/32', '2001:db8::1'],
        corsOrigins: ['https://LOJA.example', 'https://loja.example'],
      }),
    );
    expect(normal).toMatchObject({
      scopes: ['kyt:ingest', 'kyt:read'],
      ipAllowList: ['203.0.113.7/32', '2001:db8::1/128'],
      corsOrigins: ['https://loja.example'],
    });
  });
});

describe('an address block', () => {
  it.each([
    '203.0.113.0/24',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '203.0.113.7/32',
    '2001:db8::/32',
    '::/0',
    '2001:db8::/48',
  ])('is %s', (block) => {
    expect(parseCidr(block)).toBe(block);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['64:ff9b::192.0.2.0/120', '64:ff9b::c000:200/120'],
  ])('%s is %s', (block, canonical) => {
    expect(parseCidr(block)).toBe(canonical);
  });

  it.each([
    '',
    'loja.example',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/024',
    '203.0.113.0/',
    '203.0.113.0/24/24',
    '203.0.113/24',
    '203.0.113.7/24',
    '2001:db8::1/32',
    '2001:db8::/129',
    'fe80::1%eth0',
    ' 203.0.113.0/24',
    '010.0.0.0/8',
    '[2001:db8::1]',
    '203.0.113.7:443',
  ])('is not %j', (block) => {
    expect(parseCidr(block)).toBeNull();
  });

  const octet = fc.integer({ min: 0, max: 255 });
  it('holds exactly the addresses that share its first bits', () => {
    fc.assert(
      fc.property(
        fc.tuple(octet, octet, octet, octet),
        fc.tuple(octet, octet, octet, octet),
        fc.integer({ min: 0, max: 32 }),
        (network, other, bits) => {
          const number = (parts: readonly number[]): number =>
            parts.reduce((sum, part) => sum * 256 + part, 0);
          const size = 2 ** (32 - bits);
          const base = Math.floor(number(network) / size) * size;
          const text = [24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join('.');
          const block = parseCidr(`${text}/${bits}`);
          expect(block).not.toBeNull();
          const inside = Math.floor(number(other) / size) * size === base;
          expect(new AllowList([block ?? '']).includes(other.join('.'))).toBe(inside);
        },
      ),
    );
  });
});
