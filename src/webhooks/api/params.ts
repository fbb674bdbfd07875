import { DomainError, uuidOf, type ErrorCode, type IdPrefix } from '../../kernel/index.js';

/** The UUID in the id of a path; what is no id of that kind does not exist. */
export function idIn(prefix: IdPrefix, id: string, missing: ErrorCode): string {
  const uuid = uuidOf(prefix, id);
  if (uuid === null) throw new DomainError(missing);
  return uuid;
}

/** The UUID in an id that a filter or a body names. */
export function idOf(prefix: IdPrefix, id: string | undefined, path: string): string | undefined {
  if (id === undefined) return undefined;
  const uuid = uuidOf(prefix, id);
  if (uuid !== null) return uuid;
  throw new DomainError('VALIDATION_FAILED', {
    details: [{ path, code: 'PATTERN_MISMATCH', message: `must be an id that begins with ${prefix}_` }],
  });
}

/** For actions without anything to say: a POST has a JSON body all the same. */
export const NOTHING_TO_SAY = { schema: { type: 'object', maxProperties: 0, example: {} } } as const;
