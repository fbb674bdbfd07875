const names = new Set<string>([
  'authorization',
  'idempotency-key',
  'x-api-version',
  'x-client-id',
  'x-client-secret',
]);

/** Registers the name of a field of a body, a query or a path as part of the API contract. */
export const declareName = (name: string): void => void names.add(name);

export const isContractName = (name: string): boolean => names.has(name);

/**
 * Reduces the path of a field to the part that may be logged: names of the contract with their list indices. The first
 * other name and all below it become `*`, because callers may put personal data and secrets into keys.
 */
export function contractPath(path: string): string {
  const parts = path.split('.');
  const unknown = parts.findIndex((part) => !isContractPart(part));
  return unknown === -1 ? path : [...parts.slice(0, unknown), '*'].join('.');
}

/** True for a name of the contract, with or without list indices (`items[3]`). Names of headers match in any case. */
function isContractPart(part: string): boolean {
  const name = part.replace(/(\[\d{1,6}\])+$/, '');
  return name === '' || names.has(name) || names.has(name.toLowerCase());
}
