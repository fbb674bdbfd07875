import type { InputName } from '../../rules/index.js';

type Json = Readonly<Record<string, unknown>>;

const MEMBERS: Readonly<Partial<Record<InputName, readonly string[]>>> = {
  DICT: ['dict'],
  DEVICE: ['deviceId', 'deviceRegistered', 'ipAddress'],
};

/**
 * Returns a submission as an application would send it that has not these inputs. Profiles are no part of submissions.
 * The other party is the one whose document is not the customer's.
 */
export function withoutInputs(body: Json, inputs: readonly InputName[]): Json {
  if (inputs.length === 0) return body;
  const members = inputs.flatMap((input) => MEMBERS[input] ?? []);
  const { metadata, origin, destination, cpfCnpj } = body;
  return {
    ...body,
    ...(isObject(metadata) && { metadata: less(metadata, members) }),
    ...(inputs.includes('COUNTERPARTY_DOCUMENT') && {
      ...(isOther(origin, cpfCnpj) && { origin: less(origin, ['cpfCnpj']) }),
      ...(isOther(destination, cpfCnpj) && { destination: less(destination, ['cpfCnpj']) }),
    }),
  };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isOther = (party: unknown, customer: unknown): party is Json =>
  isObject(party) && party['cpfCnpj'] !== customer;

const less = (object: Json, members: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
