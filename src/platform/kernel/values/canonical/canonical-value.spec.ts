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
    // EIP-681, CAIP-10 and CAIP-2 name these.
    [
      ...(['WALLET', 'ethereum:pay-0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1?value=2.014e18'] as const),
      '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
    ],
    [
      ...(['WALLET', 'bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6'] as const),
      '128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6',
    ],
    [
      ...([
        'WALLET',
        'polkadot:b0a8d493285c2df73290dfb7e61f870f:5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
      ] as const),
      '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
    ],
    // ICAP, of the documents of Ethereum.
    ['WALLET', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', '0x00c5496aee77c1ba1f0854206a26dda82a81d6d8'],
    // The specification of CashAddr.
    [
      ...(['WALLET', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'] as const),
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ],
    [
      ...(['WALLET', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'] as const),
      '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC',
    ],
    // XLS-5: an X-address without a tag.
    [
      ...(['WALLET', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi'] as const),
      'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
    ],
    // The documents of TON.
    [
      ...(['WALLET', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF'] as const),
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ],
    [
      ...(['WALLET', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPuwA'] as const),
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ],
    // SEP-23.
    [
      ...(['WALLET', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'] as const),
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    ],
    // CIP-19.
    [
      ...(['WALLET', '619493315CD92EB5D8C4304E67B7E16AE36D61D34502694657811A2C8E'] as const),
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    ],
    ['WALLET', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['WALLET', 'hedera:mainnet:0.0.1234567890-zbhlt', '0.0.1234567890'],
    ['WALLET', '0x1', `0x${'1'.padStart(64, '0')}`],
    ['WALLET', 'Exemplo.ETH', 'exemplo.eth'],
    // A text that only looks like a part of a link is another system's reference.
    ['WALLET', 'exchange:12345', 'exchange:12345'],
    ['WALLET', 'ana@example.near', 'ana@example.near'],
    ['WALLET', 'S/N', null],
    ['DEVICE', '0024.beff.fe80', '00:24:be:ff:fe:80'],
    ['DEVICE', 'urn:dev:mac:0024befffe804ff1', '0024befffe804ff1'],
    ['EMAIL', 'mailto:ana%40example.com?subject=x', 'ana@example.com'],
    ['EMAIL', '"a b"@example.com', null],
    ['PHONE', 'tel:+55-11-98765-4321;ext=2', null],
    ['PIX_KEY', 'mailto:ana%40example.com', 'ana@example.com'],
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
    // The check digit of a branch follows from the branch.
    ['ACCOUNT', '0001-9/12345-6', '0001/123456'],
    ['ACCOUNT', '1/12345-6', '0001/123456'],
    ['ACCOUNT', '00019/123456', '0001/123456'],
    ['ACCOUNT', '12.345-6', '123456'],
    ['ACCOUNT', 'IBAN BR15 0000 0000 0000 1093 2840 814P 2', 'BR1500000000000010932840814P2'],
    ['ACCOUNT', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'],
    // An address of Tron whose letters in capitals have the check digits of an IBAN.
    ['ACCOUNT', 'TA93QJqbTp5mMATvaH7Cw9HDAciUFM8gUu', 'TA93QJqbTp5mMATvaH7Cw9HDAciUFM8gUu'],
    ['ACCOUNT', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', '0x00c5496aee77c1ba1f0854206a26dda82a81d6d8'],
    ['ACCOUNT', 'S/N', null],
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
