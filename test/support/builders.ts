import { randomBytes } from 'node:crypto';

/** Fictional CPFs with valid check digits. */
export const CPF = { customer: '52998224725', payee: '11144477735' } as const;

/** What a person answers who finishes a session: nobody exposed politically, nobody on a list. */
export const PERSON_ANSWERS = {
  privacy: true,
  name: 'Maria Exemplo',
  cpf: CPF.customer,
  birthDate: '1980-05-17',
  pepSelf: false,
  pepRelated: false,
} as const;

/** A submission that comes out complete; fields are replaced by what is given. */
export function aTransaction(
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { transactionId: string } {
  return {
    transactionId: `t-${randomBytes(8).toString('hex')}`,
    externalCustomerId: `customer-${randomBytes(4).toString('hex')}`,
    cpfCnpj: CPF.customer,
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 120.5,
    currency: 'BRL',
    occurredAt: new Date().toISOString(),
    origin: { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' },
    destination: { name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' },
    metadata: { deviceId: 'device-1', ipAddress: '203.0.113.7' },
    ...fields,
  };
}

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
