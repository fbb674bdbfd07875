import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runsInPart } from '../../../../../test/support/needs.js';
import { spellings } from '../../../../../test/support/spellings.js';
import { alpha3Countries } from '../../reference/countries.js';
import { canonicalValue, valueKinds, type ValueKind } from './canonical-value.js';

describe('canonicalValue', () => {
  // One form for all spellings of a value, which is the value itself: so no two values meet.
  it.each(valueKinds)('%s: every spelling is its value, and no two values meet', (kind) => {
    fc.assert(
      fc.property(spellings[kind], ({ value, spelling }) => {
        expect(canonicalValue(kind, spelling)).toBe(value);
        expect(canonicalValue(kind, value)).toBe(value);
      }),
      { numRuns: runsInPart(10_000) },
    );
  });

  it.each(valueKinds)('%s: whatever comes, the canonical form is its own', (kind) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom(...'0123.:/-+@xX bcABC1') }),
        ),
        (text) => {
          const once = canonicalValue(kind, text);
          if (once !== null) expect(canonicalValue(kind, once)).toBe(once);
        },
      ),
      { numRuns: runsInPart(2_000) },
    );
  });

  it.each<[ValueKind, string, string | null]>([
    // EIP-55 names this address as an example of its checksum.
    ['WALLET', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'],
    // BIP-173, BIP-350
    [
      ...(['WALLET', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'] as const),
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ],
    ['WALLET', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['WALLET', 'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['PIX_KEY', 'Fulano_Da_Silva@Example.COM', 'fulano_da_silva@example.com'],
    ['PIX_KEY', '11987654321', '+5511987654321'],
    ['PIX_KEY', '52998224725', '52998224725'],
    ['PIX_KEY', `${'a'.repeat(70)}@example.com`, null],
    ['PIX_KEY', '***.982.247-**', null],
    ['PIX_KEY', 'chave do fulano', null],
    // RFC 5952, 4.2.3: the first of two equal runs; 4.2.2: not for one group alone.
    ['IP', '2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['IP', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['IP', 'fe80::1%eth0', 'fe80::1'],
    ['IP', '010.0.0.1', null],
    ['IP', '999.1.1.1', null],
    ['IP', '10.0.0.0/8', null],
    ['IP', '0x7f.1', null],
    ['NETWORK', '10.0.0.0/99', null],
    ['NETWORK', '10.0.0.1:80/8', null],
    ['NETWORK', '192.0.2.7/32', '192.0.2.7'],
    ['NETWORK', '2001:db8::7/32', '2001:db8::/32'],
    ['PHONE', '98765-4321', null],
    ['PHONE', '+1 (212) 555-0100', '+12125550100'],
    ['EMAIL', 'joao@CAFÉ.example', 'joao@xn--caf-dma.example'],
    ['EMAIL', 'a@b@example.com', null],
    ['EMAIL', 'joao@localhost', null],
    ['IBAN', 'GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
    ['IBAN', 'GB82 WEST 1234 5698 7654 33', null],
    ['ACCOUNT', '0001-9/12345-6', '00019/123456'],
    ['ACCOUNT', '0001-77', '0001-77'],
    ['ACCOUNT', 'NAO INFORMADO', null],
    ['COUNTRY', 'Brazilia', null],
    ['COUNTRY', 'Korea (the Democratic People’s Republic of)', 'KP'],
    ['COUNTRY', 'República da Coreia', 'KR'],
    ['COUNTRY', 'XK', null],
    ['DOCUMENT', '***.982.247-**', null],
    ['DOCUMENT', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ])('%s: %s is %s', (kind, text, value) => {
    expect(canonicalValue(kind, text)).toBe(value);
  });

  it.each([
    ...['00000000-0000-0000-0000-000000000000', '{00000000000000000000000000000000}', '9774D56D682E549C'],
    ...[
      '02:00:00:00:00:00',
      '02-00-00-00-00-00',
      'null',
      'unknown',
      'N/A',
      'n.a.',
      '-',
      '',
      ' ',
      '0',
      'Não informado',
    ],
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('DEVICE: %j is that of nobody', (text) => {
    expect(canonicalValue('DEVICE', text)).toBeNull();
  });

  it('COUNTRY: no two countries have a name in common', () => {
    for (const [alpha3, alpha2] of alpha3Countries) {
      for (const language of ['en', 'pt-BR', 'pt-PT']) {
        const name = new Intl.DisplayNames([language], { type: 'region' }).of(alpha2) ?? '';
        expect([name, canonicalValue('COUNTRY', name)]).toEqual([name, alpha2]);
      }
      expect(canonicalValue('COUNTRY', alpha3.toLowerCase())).toBe(alpha2);
    }
  });
});
