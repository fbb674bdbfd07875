const names = new Set<string>([
  'authorization',
  'idempotency-key',
  'x-api-version',
  'x-client-id',
  'x-client-secret',
]);

/** Registers the name of a member of a body, a query or a path as one of the contract. */
export const declareName = (name: string): void => void names.add(name);

export const isContractName = (name: string): boolean => names.has(name);

/**
 * Cuts a path down to what may be kept about a request: names of the contract with their places in lists, and `*` for the first
 * name that the caller made up and all below it. Names are data too: callers write people and secrets into keys.
 */
export function contractPath(path: string): string {
  const parts = path.split('.');
  const unknown = parts.findIndex((part) => !isContractPart(part));
  return unknown === -1 ? path : [...parts.slice(0, unknown), '*'].join('.');
}

/** A name with its places in lists, such as `items[3]`; headers are named in any case. */
function isContractPart(part: string): boolean {
  const name = part.replace(/(\[\d{1,6}\])+$/, '');
  return name === '' || names.has(name) || names.has(name.toLowerCase());
}
