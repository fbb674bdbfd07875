import { v7 } from 'uuid';
import { DomainError, invalid } from './domain-error.js';
import type { ErrorCode } from './error-codes.js';

/** Prefixes of public identifiers; `txn_`, `evt_` … followed by the 32 hex digits of a UUIDv7 (sortable by time). */
export type IdPrefix =
  | 'txn'
  | 'cev'
  | 'evt'
  | 'org'
  | 'app'
  | 'whe'
  | 'whd'
  | 'whr'
  | 'req'
  | 'rul'
  | 'rst'
  | 'bkt'
  | 'lbk'
  | 'snz'
  | 'cfs'
  | 'cfb'
  | 'dsc'
  | 'cus'
  | 'lst'
  | 'imp'
  | 'hit'
  | 'frz'
  | 'rnd'
  | 'rev'
  | 'nte'
  | 'com'
  | 'dsr'
  | 'art'
  | 'opr'
  | 'ops'
  | 'inv'
  | 'psk'
  | 'sec'
  | 'fxi'
  | 'kys'
  | 'flw'
  | 'prv'
  | 'pnv'
  | 'rep'
  | 'apr'
  | 'rin'
  | 'aex'
  | 'viw';

/**
 * Returns a new time-ordered UUID. All tables have such keys, so that inserts stay at the right edge of their indexes.
 */
export const newUuid = (): string => v7();

/** Returns the smallest UUIDv7 of a millisecond: a bound for selecting keys by time. */
export function firstUuidAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Returns the moment at which a UUIDv7 was made, to the millisecond. */
export const instantOfUuid = (uuid: string): Date =>
  new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));

/** Renders a stored UUID as a public identifier. */
export const publicId = (prefix: IdPrefix, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;

/** Renders a stored actor (`type:id`): an operator by public id, any other actor unchanged. */
export function toPublicActor(actor: string): string {
  const [type, id = ''] = actor.split(':');
  return type === 'operator' && /^[0-9a-f-]{36}$/.test(id) ? publicId('opr', id) : actor;
}

/** Returns the UUID inside a public identifier, or null when it is not one of that kind. */
export function uuidOf(prefix: IdPrefix, id: string): string | null {
  const match = new RegExp(
    `^${prefix}_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
  ).exec(id);
  return match ? match.slice(1).join('-') : null;
}

/** Returns the UUID in a public id. Throws `unknown` for any other text, as if the id did not exist. */
export function requireUuid(prefix: IdPrefix, id: string, unknown: ErrorCode): string {
  const uuid = uuidOf(prefix, id);
  if (uuid === null) throw new DomainError(unknown);
  return uuid;
}

/** Returns the UUID in the public id of a filter. Throws VALIDATION_FAILED for any other text. */
export function uuidInFilter(prefix: IdPrefix, id: string | undefined, path: string): string | undefined {
  if (id === undefined) return undefined;
  const uuid = uuidOf(prefix, id);
  if (uuid !== null) return uuid;
  throw invalid(path, 'PATTERN_MISMATCH', `Must be an id that begins with ${prefix}_.`);
}
