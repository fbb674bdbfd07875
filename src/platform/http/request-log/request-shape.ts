import { contractPath, isContractName } from '../fields/contract-names.js';

const MAX_FIELDS = 80;
const MAX_FAULTS = 20;

/**
 * Returns the paths of the fields of a JSON body and of the objects in it, without values; null if the body is not an
 * object. All names outside of the contract become one `*` per object.
 */
export function fieldPathsOf(body: unknown): string | null {
  if (!isObject(body)) return null;
  const paths = new Set<string>();
  for (const name in body) {
    const value = body[name];
    if (value === null || value === undefined) continue;
    const path = shownName(name);
    paths.add(path);
    if (path !== '*' && isObject(value)) for (const inner in value) paths.add(`${path}.${shownName(inner)}`);
    if (paths.size >= MAX_FIELDS) break;
  }
  return [...paths].slice(0, MAX_FIELDS).join(' ');
}

/** Formats faults as a path and a code in each line; null if there are no faults. */
export function formatFaults(
  details: readonly { readonly path: string; readonly code: string }[],
): string | null {
  if (details.length === 0) return null;
  return details
    .slice(0, MAX_FAULTS)
    .map(({ path, code }) => `${contractPath(path)} ${code}`)
    .join('\n');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);

const shownName = (name: string): string => (isContractName(name) ? name : '*');
