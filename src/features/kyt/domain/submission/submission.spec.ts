import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../../platform/kernel/domain-error.js';
import { channels } from './channels.js';
import {
  legacyToSubmission,
  toSubmission,
  type Submission,
  type SubmittedLegacyTransaction,
  type SubmittedTransaction,
} from './submission.js';
import { transactionTypes } from '../../../../platform/kernel/reference/transaction-types.js';

const ANA = '529.982.247-25';
const BAKERY = '11.222.333/0001-81';
const RECEIVED = Date.parse('2026-11-20T15:40:00Z');

const body = (changes: Partial<SubmittedTransaction> = {}): SubmittedTransaction => ({
  transactionId: 'pix-2026-000001',
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  amount: 1250.5,
  currency: 'BRL',
  occurredAt: '2026-11-20T12:34:56.789-03:00',
  origin: {},
  destination: {},
  ...changes,
});
const legacy = (changes: Partial<SubmittedLegacyTransaction> = {}): SubmittedLegacyTransaction => ({
  transactionId: 'order-1',
  customer: {},
  amount: 10,
  ...changes,
});
const mapped = (changes: Partial<SubmittedTransaction> = {}): Submission =>
  toSubmission(body(changes), RECEIVED);
const mappedLegacy = (
  changes: Partial<SubmittedLegacyTransaction> = {},
  idempotencyKey: string | null = null,
): Submission => legacyToSubmission(legacy(changes), { receivedAt: new Date(RECEIVED), idempotencyKey });

describe('toSubmission', () => {
  it('reads everything that was submitted', () => {
    const metadata = { deviceId: 'dev-1', ipAddress: '203.0.113.7', note: { a: 1 } };
    const submission = mapped({
      externalCustomerId: 'customer-4711',
      cpfCnpj: ANA,
      origin: {
        name: 'Ana',
        cpfCnpj: '***.982.247-**',
        accountReference: '1',
        bankReference: '2',
        country: 'BR',
      },
      destination: { cpfCnpj: BAKERY, walletReference: '3', metadata: { b: 2 } },
      metadata,
    });
    expect(submission).toMatchObject({
      transactionId: 'pix-2026-000001',
      amount: '1250.5',
      occurredAt: new Date('2026-11-20T15:34:56.789Z'),
      externalCustomerId: 'customer-4711',
      origin: {
        name: 'Ana',
        accountReference: '1',
        bankReference: '2',
        walletReference: null,
        country: 'BR',
        metadata: {},
      },
      destination: { name: null, walletReference: '3', country: null, metadata: { b: 2 } },
      metadata,
      deviceId: 'dev-1',
      ipAddress: '203.0.113.7',
    });
    expect(submission.taxId?.canonical()).toBe('52998224725');
    expect(submission.origin.taxId).toMatchObject({ kind: 'CPF', isMasked: true });
    expect(submission.destination.taxId).toMatchObject({ kind: 'CNPJ', isMasked: false });
  });

  it('takes null for absent', () => {
    const nothing = {
      externalCustomerId: null,
      cpfCnpj: null,
      metadata: null,
      origin: { name: null, metadata: null },
    };
    expect(mapped(nothing)).toEqual(mapped());
  });

  it('reads the device and the address in their canonical form, and no value where there is none', () => {
    const of = (metadata: object): (string | null)[] => {
      const { deviceId, ipAddress } = mapped({ metadata: { ...metadata } });
      return [deviceId, ipAddress];
    };
    const uuid = '123e4567-e89b-12d3-a456-426614174000';
    expect(of({ deviceId: uuid.toUpperCase(), ipAddress: '[2001:DB8::5]:443' })).toEqual([
      uuid,
      '2001:db8::5',
    ]);
    expect(of({ deviceId: `{${uuid}}`, ipAddress: '::ffff:203.0.113.7' })).toEqual([uuid, '203.0.113.7']);
    expect(of({ deviceId: 'unknown', ipAddress: '999.1.1.1' })).toEqual([null, null]);
    expect(of({ deviceId: '9774d56d682e549c', ipAddress: '10.0.0.0/8' })).toEqual([null, null]);
  });

  it('shows references as they were sent, and none where a value is missing', () => {
    const { origin, destination } = mapped({
      origin: { accountReference: 'N/A', walletReference: 'null' },
      destination: { accountReference: '0001 / 12345-6', walletReference: '0xABCDEF' },
    });
    expect(origin).toMatchObject({ accountReference: null, walletReference: null });
    expect(destination).toMatchObject({ accountReference: '0001 / 12345-6', walletReference: '0xABCDEF' });
  });

  it.each<[string, Partial<SubmittedTransaction>, string[]]>([
    ['nothing unusual', {}, []],
    ['a type that is not in the catalogue', { type: 'NEW_THING' }, ['UNKNOWN_TYPE']],
    [
      'a name that every object has',
      { type: 'toString', channel: 'constructor' },
      ['UNKNOWN_TYPE', 'UNKNOWN_CHANNEL'],
    ],
    ['exactly 45 days', { occurredAt: '2026-10-06T15:40:00Z' }, []],
    ['more than 45 days', { occurredAt: '2026-10-06T15:39:59.999Z' }, ['LATE_FOR_SELECTION']],
  ])('warns about %s as it should', (_, changes, warnings) => {
    expect(mapped(changes).warnings).toEqual(warnings);
  });

  it.each<[string, Partial<SubmittedTransaction>, Submission['direction']]>([
    [
      'the metadata',
      { metadata: { direction: 'IN' }, cpfCnpj: ANA, origin: { cpfCnpj: ANA } },
      { value: 'IN', source: 'METADATA' },
    ],
    [
      'the customer being the origin',
      { cpfCnpj: ANA, type: 'ACCOUNT_CREDIT', origin: { cpfCnpj: '52998224725' } },
      { value: 'OUT', source: 'DOCUMENTS' },
    ],
    [
      'the customer being the destination',
      { cpfCnpj: ANA, destination: { cpfCnpj: ANA } },
      { value: 'IN', source: 'DOCUMENTS' },
    ],
    [
      'the type, when both sides are the customer',
      { cpfCnpj: ANA, origin: { cpfCnpj: ANA }, destination: { cpfCnpj: ANA } },
      { value: 'OUT', source: 'TYPE_DEFAULT' },
    ],
    [
      'the type, when the documents are masked',
      { cpfCnpj: '***.982.247-**', type: 'ACCOUNT_CREDIT', origin: { cpfCnpj: '***.982.247-**' } },
      { value: 'IN', source: 'TYPE_DEFAULT' },
    ],
    ['the type, when nobody is named', { type: 'CASH_DEPOSIT' }, { value: 'IN', source: 'TYPE_DEFAULT' }],
    ['nothing', { type: 'PIX_REFUND' }, { value: null, source: 'UNKNOWN' }],
    ['nothing, for an unknown type', { type: 'NEW_THING' }, { value: null, source: 'UNKNOWN' }],
  ])('derives the direction from %s', (_, changes, direction) => {
    expect(mapped(changes).direction).toEqual(direction);
  });

  it('shows no document when it is printed', () => {
    const submission = mapped({ cpfCnpj: ANA, origin: { cpfCnpj: ANA } });
    expect(JSON.stringify(submission)).not.toContain('52998224725');
  });
});

describe('legacyToSubmission', () => {
  it('fills in what the legacy contract does not say', () => {
    expect(mappedLegacy()).toEqual({
      ...mapped({ transactionId: 'order-1', type: 'OTHER', channel: 'API', amount: 10 }),
      occurredAt: new Date(RECEIVED),
    });
  });

  it('makes the customer the origin', () => {
    const submission = mappedLegacy({ customer: { id: 'c-1', name: 'Ana', document: ANA } });
    expect(submission).toMatchObject({
      externalCustomerId: 'c-1',
      origin: { name: 'Ana' },
      destination: { name: null },
    });
    expect(submission.origin.taxId?.canonical()).toBe(submission.taxId?.canonical());
  });

  it('takes what is given', () => {
    const metadata = { occurredAt: '2026-11-01T00:00:00Z', direction: 'IN', deviceId: 'dev-1' };
    expect(mappedLegacy({ type: 'PIX_TRANSFER', currency: 'USD', metadata })).toMatchObject({
      type: 'PIX_TRANSFER',
      currency: 'USD',
      occurredAt: new Date('2026-11-01T00:00:00Z'),
      direction: { value: 'IN', source: 'METADATA' },
      deviceId: 'dev-1',
    });
  });

  it('does not take its own placing of the customer for evidence of the direction', () => {
    expect(mappedLegacy({ type: 'ACCOUNT_CREDIT', customer: { document: ANA } }).direction).toEqual({
      value: 'IN',
      source: 'TYPE_DEFAULT',
    });
  });

  it('uses the Idempotency-Key only when the body has no transactionId', () => {
    expect(mappedLegacy({}, 'key-1').transactionId).toBe('order-1');
    expect(mappedLegacy({ transactionId: null }, 'key-1').transactionId).toBe('key-1');
  });

  it('refuses a transaction that nothing identifies', () => {
    const refusal = ((): unknown => {
      try {
        return mappedLegacy({ transactionId: null });
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'transactionId', code: 'REQUIRED' }],
    });
  });
});

describe('the catalogue', () => {
  it('holds the types and channels that ship', () => {
    expect([Object.keys(transactionTypes).length, channels.length]).toEqual([27, 12]);
    expect(
      Object.entries(transactionTypes)
        .filter(([, { cash }]) => cash)
        .map(([name]) => name),
    ).toEqual([
      'PIX_WITHDRAWAL',
      'CARD_WITHDRAWAL',
      'CASH_DEPOSIT',
      'CASH_WITHDRAWAL',
      'CASH_CONTRIBUTION',
      'CASH_PAYMENT',
      'CASH_PROVISION',
    ]);
  });
});
