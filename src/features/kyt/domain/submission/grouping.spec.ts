import { describe, expect, it } from '@jest/globals';
import {
  computeGroupingKeys,
  submissionSubjectsOf,
  type GroupingKeys,
  type SubmissionSubjects,
} from './grouping.js';
import { toSubmission, type Submission, type SubmittedTransaction } from './submission.js';

const ORGANISATION = 'organisation-1';
const RECEIVED = new Date('2026-11-20T12:00:00Z');
const CUSTOMER = '52998224725';
const OTHER = '11144477735';

/** Readable keys instead of hashes. */
const index = {
  computeIndex: (organisation: string, kind: string, value: string) =>
    Buffer.from(`${organisation}/${kind}/${value}`),
};

const submission = (fields: Partial<SubmittedTransaction> = {}): Submission =>
  toSubmission(
    {
      transactionId: 't-1',
      type: 'PIX_TRANSFER',
      channel: 'WEB',
      amount: 1,
      currency: 'BRL',
      occurredAt: RECEIVED.toISOString(),
      origin: {},
      destination: {},
      ...fields,
    },
    RECEIVED.getTime(),
  );

const shown = (key: Buffer | null): string | null => key?.toString().replace(`${ORGANISATION}/`, '') ?? null;
const keysOf = (fields: Partial<SubmittedTransaction>): Record<keyof GroupingKeys, string | null> => {
  const keys = computeGroupingKeys(index, ORGANISATION, submission(fields));
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, shown(key as Buffer | null)]),
  ) as never;
};
const subjectNames = (
  fields: Partial<SubmittedTransaction>,
): Record<keyof SubmissionSubjects, string | null> => {
  const { main, origin, destination } = submissionSubjectsOf(
    index,
    ORGANISATION,
    submission(fields),
    RECEIVED,
  );
  return {
    main: shown(main.index),
    origin: shown(origin?.index ?? null),
    destination: shown(destination?.index ?? null),
  };
};

describe('computeGroupingKeys', () => {
  it('nothing known gives no key', () => {
    expect(Object.values(keysOf({}))).toEqual([null, null, null, null, null, null, null, null]);
  });

  it.each<[string, Partial<SubmittedTransaction>, string]>([
    [
      'by document',
      { externalCustomerId: 'c-1', cpfCnpj: CUSTOMER, origin: { accountReference: 'a-1' } },
      `document/${CUSTOMER}`,
    ],
    ['else by id', { externalCustomerId: 'c-1', origin: { accountReference: 'a-1' } }, 'customer/c-1'],
    ['else by account', { origin: { accountReference: 'a-1' } }, 'account/a-1'],
    [
      'never by a masked document',
      { cpfCnpj: '***.982.247-**', origin: { accountReference: 'a-1' } },
      'account/a-1',
    ],
  ])('the customer is known %s', (_how, fields, customer) => {
    expect(keysOf(fields).customer).toBe(customer);
  });

  it('the id is a key of its own beside the document', () => {
    expect(keysOf({ externalCustomerId: 'c-1', cpfCnpj: CUSTOMER }).external).toBe('customer/c-1');
    expect(keysOf({ cpfCnpj: CUSTOMER }).external).toBeNull();
  });

  it('punctuation makes no other person', () => {
    expect(keysOf({ cpfCnpj: '529.982.247-25' })).toEqual(keysOf({ cpfCnpj: CUSTOMER }));
  });

  it.each<['IN' | 'OUT', string, string]>([
    ['OUT', 'account/from', 'account/to'],
    ['IN', 'account/to', 'account/from'],
  ])('direction %s: the account in use and the counterparty', (direction, account, counterparty) => {
    const sides = { origin: { accountReference: 'from' }, destination: { accountReference: 'to' } };
    expect(keysOf({ ...sides, metadata: { direction } })).toMatchObject({ account, counterparty });
  });

  it('without a direction nobody is the counterparty', () => {
    const keys = keysOf({
      type: 'OTHER',
      origin: { accountReference: 'from' },
      destination: { accountReference: 'to' },
    });
    expect(keys).toMatchObject({ account: 'account/from', counterparty: null });
  });

  it.each<[string, SubmittedTransaction['destination'], string | null]>([
    ['by document', { cpfCnpj: OTHER, accountReference: 'a', walletReference: 'w' }, `document/${OTHER}`],
    [
      'else by account',
      { cpfCnpj: '***.444.777-**', accountReference: 'a', walletReference: 'w' },
      'account/a',
    ],
    ['else by wallet', { walletReference: 'w' }, 'account/w'],
    ['not by name', { name: 'João' }, null],
  ])('the counterparty is known %s', (_how, destination, counterparty) => {
    expect(keysOf({ destination }).counterparty).toBe(counterparty);
  });

  it('device and address come from the metadata', () => {
    expect(keysOf({ metadata: { deviceId: 'd-1', ipAddress: '203.0.113.7' } })).toMatchObject({
      device: 'device/d-1',
      ip: 'ip/203.0.113.7',
    });
  });

  it('equal texts of two kinds do not meet', () => {
    const keys = keysOf({ externalCustomerId: 'same', metadata: { deviceId: 'same', ipAddress: 'same' } });
    expect(new Set([keys.customer, keys.device, keys.ip]).size).toBe(3);
  });
});

describe('subjectsOf', () => {
  it.each<[string, Partial<SubmittedTransaction>, string]>([
    [
      'by document, under all its customer ids',
      { externalCustomerId: 'c-1', cpfCnpj: CUSTOMER },
      `document/${CUSTOMER}`,
    ],
    ['by customer id', { externalCustomerId: 'c-1', cpfCnpj: '***.982.247-**' }, 'customer/c-1'],
    ['by account', { origin: { accountReference: 'a-1' } }, 'account/a-1'],
    ['by month when nobody is named', {}, 'unattributed/2026-11'],
  ])('the body is sealed %s', (_how, fields, main) => {
    expect(subjectNames(fields).main).toBe(main);
  });

  it('a participant that is somebody else has a key of its own', () => {
    expect(
      subjectNames({ cpfCnpj: CUSTOMER, origin: { cpfCnpj: CUSTOMER }, destination: { cpfCnpj: OTHER } }),
    ).toEqual({
      main: `document/${CUSTOMER}`,
      origin: null,
      destination: `document/${OTHER}`,
    });
  });

  it('a participant without a full document stays under the key of the customer', () => {
    const fields = {
      cpfCnpj: CUSTOMER,
      origin: { name: 'Maria' },
      destination: { cpfCnpj: '***.444.777-**' },
    };
    expect(subjectNames(fields)).toMatchObject({ origin: null, destination: null });
  });

  it('two organisations never share a subject', () => {
    const one = submissionSubjectsOf(index, 'one', submission({ cpfCnpj: CUSTOMER }), RECEIVED).main;
    const other = submissionSubjectsOf(index, 'other', submission({ cpfCnpj: CUSTOMER }), RECEIVED).main;
    expect([one.organisationId, one.index.equals(other.index)]).toEqual(['one', false]);
  });
});
