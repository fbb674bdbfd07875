import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { compileValidator, type DtoClass } from '../../../platform/http/body/compiled-validation.js';
import { toProblemDetails } from '../../../platform/http/body/validation.pipe.js';
import { MAX_VIOLATIONS } from '../../../platform/http/errors/violations.js';
import { IngestTransactionBody } from './ingest-transaction.dto.js';
import { LegacyTransactionBody } from './legacy-transaction.dto.js';
import { runsInPart } from '../../../../test/support/needs.js';

type Body = Record<string, unknown>;

const NOW = Date.parse('2026-11-20T15:40:00Z');
const clock = { now: (): number => NOW };

const ingestBody = (changes: Body = {}): Body => ({
  transactionId: 'pix-2026-000001',
  externalCustomerId: 'customer-4711',
  cpfCnpj: '529.982.247-25',
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  amount: 1250.75,
  currency: 'BRL',
  occurredAt: '2026-11-20T12:34:56.789-03:00',
  origin: { name: 'Ana Exemplo da Silva', cpfCnpj: '***.982.247-**', country: 'BR', metadata: { a: 1 } },
  destination: {},
  metadata: { direction: 'OUT', deviceId: 'dev-1', ipAddress: '203.0.113.7' },
  ...changes,
});
const legacyBody = (changes: Body = {}): Body => ({
  transactionId: 'order-1',
  customer: { id: 'customer-4711', name: 'Ana Exemplo da Silva', document: '529.982.247-25' },
  amount: 120.5,
  metadata: { occurredAt: '2026-11-20T12:34:56Z' },
  ...changes,
});

const problemsOf = (dto: DtoClass, body: unknown): string[] =>
  compileValidator(dto)(body, clock).map(({ path, code }) => `${path} ${code}`);
const ingestProblems = (changes: Body): string[] => problemsOf(IngestTransactionBody, ingestBody(changes));
const legacyProblems = (changes: Body): string[] => problemsOf(LegacyTransactionBody, legacyBody(changes));

const behind = (people: unknown): Body => ({ origin: { people } });
const nested = (levels: number): Body => (levels === 1 ? {} : { a: nested(levels - 1) });
const wide = (keys: number): Body => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]));
const sized = (bytes: number, filler = 'x'): Body => ({
  a: filler.repeat((bytes - '{"a":""}'.length) / Buffer.byteLength(filler)),
});

describe('IngestTransactionBody', () => {
  it.each<[string, Body]>([
    ['everything', {}],
    [
      'nothing optional',
      { externalCustomerId: undefined, cpfCnpj: undefined, metadata: undefined, origin: {} },
    ],
    [
      'null for what is optional',
      { externalCustomerId: null, cpfCnpj: null, metadata: null, origin: { name: null } },
    ],
    [
      'the longest texts',
      { transactionId: 'a'.repeat(128), externalCustomerId: '😀'.repeat(256), type: 'A'.repeat(64) },
    ],
    ['an unknown type and channel', { type: 'NEW_THING', channel: 'X_1' }],
    ['the alphanumeric CNPJ', { cpfCnpj: '12.ABC.345/01DE-35' }],
    [
      'people behind a participant',
      {
        destination: {
          people: [
            { role: 'OWNER', name: 'Bruno Exemplo', cpfCnpj: '***.982.247-**', birthDate: '1980-02-29' },
            { role: 'REPRESENTATIVE', name: 'Ana Exemplo', nationality: 'BR', cpfCnpj: null },
          ],
        },
      },
    ],
    ['nobody behind a participant', { origin: { people: [] }, destination: { people: null } }],
    ['the largest amount', { amount: 999_999_999_999.99 }],
    ['the smallest amount', { amount: 0.01 }],
    ['a currency without decimals', { amount: 5, currency: 'JPY' }],
    ['five minutes ahead', { occurredAt: '2026-11-20T15:45:00Z' }],
    ['long ago', { occurredAt: '2020-01-01T00:00:00Z' }],
    ['metadata at its limits', { metadata: nested(5) }],
    ['metadata with all its keys', { metadata: wide(100) }],
    ['metadata of 16 KiB', { metadata: sized(16_384, 'é') }],
    [
      'metadata members left open',
      { metadata: { direction: null, deviceId: null, other: [1, { b: null }] } },
    ],
  ])('accepts %s', (_, changes) => {
    expect(ingestProblems(changes)).toEqual([]);
  });

  it.each<[Body, ...string[]]>([
    [{ transactionId: undefined }, 'transactionId REQUIRED'],
    [{ transactionId: null }, 'transactionId REQUIRED'],
    [{ transactionId: 7 }, 'transactionId TYPE_INVALID'],
    [{ transactionId: '' }, 'transactionId TOO_SHORT'],
    [{ transactionId: 'a b' }, 'transactionId PATTERN_MISMATCH'],
    [{ transactionId: 'a'.repeat(129) }, 'transactionId TOO_LONG'],
    [{ transactionId: 'a\n' }, 'transactionId PATTERN_MISMATCH'],
    [{ externalCustomerId: '' }, 'externalCustomerId TOO_SHORT'],
    [{ externalCustomerId: '😀'.repeat(257) }, 'externalCustomerId TOO_LONG'],
    // Variation selectors are characters for the database, whatever class-validator's MaxLength thinks of them.
    [{ externalCustomerId: 'a\ufe0f'.repeat(200) }, 'externalCustomerId TOO_LONG'],
    [behind({}), 'origin.people TYPE_INVALID'],
    [behind(Array(11).fill({ role: 'OWNER', name: 'A' })), 'origin.people TOO_MANY_ITEMS'],
    [behind(['x']), 'origin.people[0] TYPE_INVALID'],
    [behind([{ role: 'OWNER', name: 'A' }, {}]), 'origin.people[1].role REQUIRED'],
    [behind([{ role: 'BOSS', name: 'A' }]), 'origin.people[0].role VALUE_NOT_ALLOWED'],
    [behind([{ role: 'OWNER', name: '' }]), 'origin.people[0].name TOO_SHORT'],
    [behind([{ role: 'OWNER', name: 'A', cpfCnpj: '1' }]), 'origin.people[0].cpfCnpj TAX_ID_INVALID'],
    [
      behind([{ role: 'OWNER', name: 'A', birthDate: '1981-02-29' }]),
      'origin.people[0].birthDate DATETIME_INVALID',
    ],
    [
      behind([{ role: 'OWNER', name: 'A', nationality: 'Brasil' }]),
      'origin.people[0].nationality COUNTRY_UNKNOWN',
    ],
    [behind([{ role: 'OWNER', name: 'A', share: 30 }]), 'origin.people[0].share UNKNOWN_FIELD'],
    [{ cpfCnpj: '529.982.247-26' }, 'cpfCnpj TAX_ID_INVALID'],
    [{ cpfCnpj: 52998224725 }, 'cpfCnpj TYPE_INVALID'],
    [{ type: 'pix' }, 'type PATTERN_MISMATCH'],
    [{ type: 'P' }, 'type PATTERN_MISMATCH'],
    [{ channel: 'A'.repeat(65) }, 'channel TOO_LONG'],
    [{ amount: 0 }, 'amount AMOUNT_NOT_POSITIVE'],
    [{ amount: -1 }, 'amount AMOUNT_NOT_POSITIVE'],
    [{ amount: 1e12 }, 'amount AMOUNT_TOO_LARGE'],
    [{ amount: 0.001 }, 'amount AMOUNT_TOO_PRECISE'],
    [{ amount: 0.5, currency: 'JPY' }, 'amount AMOUNT_TOO_PRECISE'],
    [{ amount: '10.00' }, 'amount TYPE_INVALID'],
    [{ amount: 0.123, currency: 'ZZZ' }, 'currency CURRENCY_UNKNOWN'],
    [{ currency: 'brl' }, 'currency CURRENCY_UNKNOWN'],
    [{ currency: 986 }, 'currency TYPE_INVALID'],
    [{ occurredAt: '2026-11-20T12:34:56' }, 'occurredAt DATETIME_INVALID'],
    [{ occurredAt: '2026-02-30T12:34:56Z' }, 'occurredAt DATETIME_INVALID'],
    [{ occurredAt: '2026-11-20' }, 'occurredAt DATETIME_INVALID'],
    [{ occurredAt: '2026-11-20T15:45:00.001Z' }, 'occurredAt DATETIME_IN_FUTURE'],
    [{ occurredAt: 1_763_000_000 }, 'occurredAt TYPE_INVALID'],
    [{ origin: undefined }, 'origin REQUIRED'],
    [{ origin: null }, 'origin REQUIRED'],
    [{ origin: [] }, 'origin TYPE_INVALID'],
    [{ origin: [{}] }, 'origin TYPE_INVALID'],
    [{ origin: 'x' }, 'origin TYPE_INVALID'],
    [{ destination: { country: 'BRA' } }, 'destination.country COUNTRY_UNKNOWN'],
    [{ destination: { country: 'br' } }, 'destination.country COUNTRY_UNKNOWN'],
    [{ destination: { cpfCnpj: '' } }, 'destination.cpfCnpj TAX_ID_INVALID'],
    [{ destination: { walletReference: 'x'.repeat(257) } }, 'destination.walletReference TOO_LONG'],
    [{ destination: { metadata: [] } }, 'destination.metadata TYPE_INVALID'],
    [{ destination: { metadata: nested(6) } }, 'destination.metadata METADATA_TOO_DEEP'],
    [{ destination: { status: 1 } }, 'destination.status UNKNOWN_FIELD'],
    [{ metadata: 'x' }, 'metadata TYPE_INVALID'],
    [{ metadata: { a: [[[[[]]]]] } }, 'metadata METADATA_TOO_DEEP'],
    [{ metadata: { a: wide(99), b: 1 } }, 'metadata METADATA_TOO_MANY_KEYS'],
    [{ metadata: sized(16_385) }, 'metadata METADATA_TOO_LARGE'],
    [{ metadata: { a: ['\u0001'.repeat(2_730)] } }, 'metadata METADATA_TOO_LARGE'],
    [{ metadata: { direction: 'in' } }, 'metadata.direction VALUE_NOT_ALLOWED'],
    [{ metadata: { direction: 1 } }, 'metadata.direction TYPE_INVALID'],
    [
      { metadata: { deviceId: 1, ipAddress: {} } },
      'metadata.deviceId TYPE_INVALID',
      'metadata.ipAddress TYPE_INVALID',
    ],
    [{ status: 'COMPLETED', score: 0 }, 'status UNKNOWN_FIELD', 'score UNKNOWN_FIELD'],
    [{ toString: 1, hasOwnProperty: 2 }, 'toString UNKNOWN_FIELD', 'hasOwnProperty UNKNOWN_FIELD'],
  ])('refuses %j', (changes, ...problems) => {
    expect(ingestProblems(changes).sort()).toEqual(problems.sort());
  });

  it.each([[null], [undefined], [[]], ['x'], [7]])('refuses %p for a body', (body) => {
    expect(problemsOf(IngestTransactionBody, body)).toEqual([' TYPE_INVALID']);
  });

  it('says all that is wrong, below the path it is given', () => {
    const body = { ...ingestBody({ amount: -1, origin: { cpfCnpj: 'x' } }), extra: 1, currency: undefined };
    const violations = compileValidator(IngestTransactionBody)(body, clock, 'items[3]');
    expect(violations.map(({ path }) => path)).toEqual([
      'items[3].amount',
      'items[3].currency',
      'items[3].origin.cpfCnpj',
      'items[3].extra',
    ]);
  });

  it('says no more than fifty things', () => {
    expect(ingestProblems(wide(10_000))).toHaveLength(MAX_VIOLATIONS);
  });

  it('repeats nothing that could be personal', () => {
    const secret = '52998224725';
    const odd = [
      secret,
      '529.982.247-25',
      `doc_${secret}`,
      'ana@example.com',
      '12ABC34501DE35',
      'x'.repeat(80),
    ];
    const changes = Object.fromEntries(odd.map((name) => [name, secret]));
    const violations = compileValidator(IngestTransactionBody)(
      ingestBody({ ...changes, amount: secret }),
      clock,
    );
    const paths = violations.map(({ path }) => path);
    expect(paths.sort()).toEqual(['*', '*', '?', '?', 'amount', 'doc_*', 'x'.repeat(64)]);
    expect(JSON.stringify(violations)).not.toMatch(/52998224725|529\.982|example\.com|12ABC/);
  });
});

describe('LegacyTransactionBody', () => {
  it.each<[string, Body]>([
    ['everything', { type: 'PIX_TRANSFER', currency: 'USD' }],
    ['the least', { transactionId: undefined, customer: {}, metadata: undefined }],
    ['null for what is optional', { transactionId: null, currency: null, type: null, metadata: null }],
  ])('accepts %s', (_, changes) => {
    expect(legacyProblems(changes)).toEqual([]);
  });

  it.each<[Body, string]>([
    [{ customer: undefined }, 'customer REQUIRED'],
    [{ customer: [] }, 'customer TYPE_INVALID'],
    [{ customer: { document: '1' } }, 'customer.document TAX_ID_INVALID'],
    [{ customer: { cpfCnpj: '52998224725' } }, 'customer.cpfCnpj UNKNOWN_FIELD'],
    [{ amount: undefined }, 'amount REQUIRED'],
    [{ amount: 1.234 }, 'amount AMOUNT_TOO_PRECISE'],
    [{ transactionId: 'a b' }, 'transactionId PATTERN_MISMATCH'],
    [{ channel: 'WEB' }, 'channel UNKNOWN_FIELD'],
    [{ metadata: { occurredAt: '2026-11-20' } }, 'metadata.occurredAt DATETIME_INVALID'],
    [{ metadata: { occurredAt: '2027-01-01T00:00:00Z' } }, 'metadata.occurredAt DATETIME_IN_FUTURE'],
  ])('refuses %j', (changes, problem) => {
    expect(legacyProblems(changes)).toEqual([problem]);
  });
});

// --- The compiled validator against class-validator ---

/** Values that each break, or just do not break, some rule. Dates are far from now: class-validator has its own clock. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      undefined,
      true,
      0,
      -1,
      7,
      0.5,
      0.001,
      1e12,
      1e21,
      '',
      ' ',
      'x',
      'PIX_TRANSFER',
      'BRL',
      'JPY',
      'BR',
      'IN',
    ],
    ...[
      '529.982.247-25',
      '529.982.247-26',
      '***.982.247-**',
      '12ABC34501DE35',
      '2020-01-01T00:00:00Z',
      '2020-02-30T00:00:00Z',
    ],
    ...[
      '2999-01-01T00:00:00Z',
      'a'.repeat(128),
      'a'.repeat(256),
      'a'.repeat(257),
      'A'.repeat(65),
      'é\ufe0f'.repeat(140),
    ],
    ...[
      {},
      [],
      [{}],
      [[]],
      [null],
      ['x'],
      { name: 1 },
      { metadata: {} },
      { direction: 'X' },
      { deviceId: 1 },
      { a: { b: 1 } },
    ],
    ...[nested(5), nested(6), wide(100), wide(101), sized(16_384), sized(16_385)],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(ingestBody()), 'customer') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'name',
      'cpfCnpj',
      'country',
      'metadata',
      'accountReference',
      'id',
      'document',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'direction',
      'deviceId',
      'ipAddress',
      'occurredAt',
      'status',
      '12345678901',
      'a b',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);
/** Sets one member, at the top or one level down. */
const mutations = fc.array(fc.tuple(fc.array(names, { minLength: 1, maxLength: 2 }), values), {
  minLength: 1,
  maxLength: 4,
});

function mutated(body: Body, changes: readonly [string[], unknown][]): Body {
  const copy = structuredClone(body);
  for (const [path, shared] of changes) {
    const value = structuredClone(shared);
    const [first = '', second] = path;
    const inner = copy[first];
    if (second === undefined) copy[first] = value;
    else if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      (inner as Body)[second] = value;
    }
  }
  // As it would arrive, without names that never do, because the scan of the body refuses them; and without those of
  // Object.prototype, which class-transformer drops without a word and the compiled validator refuses.
  return JSON.parse(
    JSON.stringify(copy, (name, value: unknown) =>
      name in Object.prototype || name === 'prototype' ? undefined : value,
    ),
  ) as Body;
}

const RUNS = runsInPart(10_000);

describe.each([
  ['IngestTransactionBody', IngestTransactionBody, ingestBody({ occurredAt: '2020-01-02T03:04:05.6-03:00' })],
  [
    'LegacyTransactionBody',
    LegacyTransactionBody,
    legacyBody({ metadata: { occurredAt: '2020-01-02T03:04:05Z' } }),
  ],
] as const)('the compiled validator of %s', (_, dto, valid) => {
  it('says word for word what class-validator says', () => {
    const compiled = compileValidator(dto);
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(mutations, (changes) => {
        const body = mutated(valid, changes);
        const found = compiled(body, clock);
        const expected = toProblemDetails(
          validateSync(plainToInstance<object, object>(dto, structuredClone(body)), {
            whitelist: true,
            forbidNonWhitelisted: true,
          }),
        );
        const inOrder = (violations: typeof found): string[] =>
          violations.map((one) => JSON.stringify(one)).sort();
        // Past the cap each reports the first fifty in its own order.
        if (found.length === MAX_VIOLATIONS) expect(expected).toHaveLength(MAX_VIOLATIONS);
        else expect(inOrder(found)).toEqual(inOrder(expected));
        counts[found.length === 0 ? 'accepted' : 'refused'] += 1;
      }),
      { numRuns: RUNS },
    );
    // A test that only ever refuses, or only accepts, would agree by accident.
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(100);
  });
});
