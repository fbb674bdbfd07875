import { v7 } from 'uuid';

/** Prefixes of public identifiers; `txn_`, `evt_` … followed by the 32 hex digits of a UUIDv7 (sortable by time). */
export type IdPrefix =
  | 'txn'
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
  | 'snz'
  | 'dsc'
  | 'cus'
  | 'lst'
  | 'imp'
  | 'hit'
  | 'rnd'
  | 'rev'
  | 'nte'
  | 'com'
  | 'dsr'
  | 'art'
  | 'opr'
  | 'ops'
  | 'inv'
  | 'sec'
  | 'fxi'
  | 'kys'
  | 'flw'
  | 'rep'
  | 'rin'
  | 'aex';

/** Returns a new time-ordered UUID; keys of all tables, so that inserts stay at the right edge of their indexes. */
export const newUuid = (): string => v7();

/** The least UUIDv7 of a moment: a span of time is a span of such keys. */
export function firstUuidAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Renders a stored UUID as a public identifier. */
export const publicId = (prefix: IdPrefix, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;

/** Returns the UUID inside a public identifier, or null when it is not one of that kind. */
export function uuidOf(prefix: IdPrefix, id: string): string | null {
  const match = new RegExp(
    `^${prefix}_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
  ).exec(id);
  return match ? match.slice(1).join('-') : null;
}
