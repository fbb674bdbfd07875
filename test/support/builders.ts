import { createHash, randomBytes } from 'node:crypto';

/** Fictional CPFs with valid check digits. */
export const CPF = { customer: '52998224725', payee: '11144477735' } as const;

/** A fictional CPF with valid check digits, the same for the same text: whoever has an id of their own is somebody else. */
export function cpfOf(text: string): string {
  const digits = [...createHash('sha256').update(text).digest().subarray(0, 9)].map((byte) => byte % 10);
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, i) => total + digit * (length + 1 - i), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

/** The answer of DICT about a payee of whom nobody complains. */
export const DICT = {
  statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } },
} as const;

/** The answers of a person who finishes a session: nobody exposed politically, nobody on a list. */
export const PERSON_ANSWERS = {
  privacy: true,
  name: 'Maria Exemplo',
  cpf: CPF.customer,
  birthDate: '1980-05-17',
  pepSelf: false,
  pepRelated: false,
} as const;

/**
 * A submission that comes out complete, of a customer with a document of their own, to somebody whom only they pay;
 * fields are replaced by what is given.
 */
export function aTransaction(
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } {
  const named = fields['externalCustomerId'];
  const externalCustomerId = typeof named === 'string' ? named : `customer-${randomBytes(4).toString('hex')}`;
  // A test that names the usual customer as a participant means them.
  const isUsual = [fields['origin'], fields['destination']].some(
    (party) =>
      typeof party === 'object' && party !== null && 'cpfCnpj' in party && party.cpfCnpj === CPF.customer,
  );
  const cpfCnpj = isUsual ? CPF.customer : cpfOf(externalCustomerId);
  return {
    transactionId: `t-${randomBytes(8).toString('hex')}`,
    externalCustomerId,
    cpfCnpj,
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 120.5,
    currency: 'BRL',
    occurredAt: new Date().toISOString(),
    origin: { name: 'Maria Exemplo', cpfCnpj, country: 'BR' },
    destination: payeeOf(isUsual ? CPF.customer : externalCustomerId),
    metadata: { deviceId: 'device-1', deviceRegistered: true, ipAddress: '203.0.113.7', dict: DICT },
    ...fields,
  };
}

const payeeOf = (customer: string): object => ({
  ...{ name: 'João Exemplo', accountReference: '0001-77', country: 'BR' },
  cpfCnpj: customer === CPF.customer ? CPF.payee : cpfOf(`payee of ${customer}`),
});

/** Only the required fields, as in the specification's example. */
export function aMinimalTransaction(
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } {
  return {
    transactionId: `t-${randomBytes(8).toString('hex')}`,
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 10,
    currency: 'BRL',
    occurredAt: new Date().toISOString(),
    origin: {},
    destination: {},
    ...fields,
  };
}

/** The object without some of its members. */
export const without = (object: object, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
