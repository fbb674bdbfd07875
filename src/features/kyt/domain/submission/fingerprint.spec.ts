import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spellings } from '../../../../../test/support/spellings.js';
import { canonicalJsonWithout } from '../../../../platform/kernel/values/canonical-json.js';
import { sha256 } from '../../../../platform/kernel/values/digest.js';
import { differingPaths, fingerprintOf, isRepeat } from './fingerprint.js';

const body = {
  transactionId: 'pix-1',
  externalCustomerId: 'cliente-joão',
  cpfCnpj: '529.982.247-25',
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  amount: 1250.5,
  currency: 'BRL',
  occurredAt: '2026-11-20T15:34:56.789Z',
  origin: { name: 'João Exemplo', cpfCnpj: '***.982.247-**', metadata: { a: 1 } },
  destination: {
    ...{ accountReference: '0001/12345-6', walletReference: '0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD' },
    people: [{ role: 'OWNER', name: 'Ana', cpfCnpj: '529.982.247-25' }],
    metadata: { pixKey: 'Fulano@Exemplo.com' },
  },
  metadata: { attempt: 1 },
};
const hex = (value: object): string => fingerprintOf(value).toString('hex');

describe('fingerprintOf', () => {
  it.each<[string, object]>([
    ['members in another order', Object.fromEntries(Object.entries(body).reverse())],
    ['other metadata', { ...body, metadata: { attempt: 2 } }],
    ['null for what is left out', { ...body, origin: { ...body.origin, country: null, people: null } }],
    [
      'null within metadata of a participant',
      { ...body, origin: { ...body.origin, metadata: { a: 1, b: null } } },
    ],
    ['another offset', { ...body, occurredAt: '2026-11-20T12:34:56.789-03:00' }],
    ['+00:00 for Z', { ...body, occurredAt: '2026-11-20T15:34:56.789+00:00' }],
    ['a CPF without dots', { ...body, cpfCnpj: '52998224725' }],
    ['a masked CPF without dots', { ...body, origin: { ...body.origin, cpfCnpj: '***982247**' } }],
    ['NFD for NFC', JSON.parse(JSON.stringify(body).normalize('NFD')) as object],
    [
      'references and a key of PIX spelt otherwise',
      {
        ...body,
        destination: {
          ...body.destination,
          accountReference: '0001 / 12.345-6',
          walletReference: body.destination.walletReference.toLowerCase(),
          people: [{ role: 'OWNER', name: 'Ana', cpfCnpj: '52998224725', birthDate: null }],
          metadata: { pixKey: 'fulano@EXEMPLO.com' },
        },
      },
    ],
  ])('is the same with %s', (_, other) => {
    expect(hex(other)).toBe(hex(body));
    expect(differingPaths(body, other)).toEqual([]);
  });

  it.each<[object, string[]]>([
    [{ amount: 1250.51 }, ['amount']],
    [{ occurredAt: '2026-11-20T15:34:56.788Z' }, ['occurredAt']],
    [{ cpfCnpj: null }, ['cpfCnpj']],
    [{ origin: {} }, ['origin.name', 'origin.cpfCnpj', 'origin.metadata']],
    [{ origin: { ...body.origin, metadata: { a: 2, 'João Exemplo': 1 } } }, ['origin.metadata']],
    [
      {
        destination: {
          ...body.destination,
          people: [{ role: 'OWNER', name: 'Bia', cpfCnpj: '52998224725' }],
        },
      },
      ['destination.people[0].name'],
    ],
    [{ destination: { ...body.destination, people: [] } }, ['destination.people[0]']],
    [{ currency: 'USD', type: 'TED_TRANSFER' }, ['type', 'currency']],
  ])('differs with %j, and the paths say where', (change, paths) => {
    const other = { ...body, ...change };
    expect(hex(other)).not.toBe(hex(body));
    expect(differingPaths(body, other)).toEqual(paths);
  });

  it('property: of each spelling of a document, an account and a wallet', () => {
    fc.assert(
      fc.property(spellings.ACCOUNT, spellings.WALLET, spellings.DOCUMENT, (account, wallet, document) => {
        const of = (form: 'value' | 'spelling'): object => ({
          cpfCnpj: document.value,
          destination: { accountReference: account[form], walletReference: wallet[form] },
        });
        expect(hex(of('spelling'))).toBe(hex(of('value')));
      }),
      { numRuns: 1_000 },
    );
  });

  it('of version 1 is compared by the rule of version 1', () => {
    const stored = sha256(canonicalJsonWithout('metadata', body));
    expect(isRepeat(stored, { ...body, metadata: null })).toBe(true);
    expect(isRepeat(stored, { ...body, cpfCnpj: '52998224725' })).toBe(false);
    expect(isRepeat(fingerprintOf(body), { ...body, cpfCnpj: '52998224725' })).toBe(true);
    expect(fingerprintOf(body)).toHaveLength(33);
  });
});
