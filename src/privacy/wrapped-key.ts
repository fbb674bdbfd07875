import { randomBytes } from 'node:crypto';
import { newUuid } from '../kernel/index.js';
import type { KeyRing } from './key-ring.js';
import { seal, unseal, type DataKey } from './sealed.js';

/** A data key as it is stored: encrypted under the wrapping key that its organisation has under a ring key. */
export interface WrappedKey {
  readonly id: string;
  readonly organisation_id: string;
  readonly ring_key_id: string;
  readonly wrapped_key: Buffer | null;
}

// Bound to row and organisation: a wrapped key in another row does not open.
const contextOf = (id: string, organisationId: string): string => `subject_keys|${id}|${organisationId}`;

/** A new data key, which is nowhere yet. */
export const newDataKey = (): DataKey => ({ id: newUuid(), bytes: randomBytes(32) });

/** Opens a stored data key; throws SealBroken when it was changed or moved. */
export function unwrap(ring: KeyRing, row: WrappedKey): DataKey {
  if (!row.wrapped_key) throw new Error('a destroyed data key was asked for');
  const wrapping = { id: row.id, bytes: ring.wrappingKey(row.organisation_id, row.ring_key_id) };
  return { id: row.id, bytes: unseal(row.wrapped_key, wrapping, contextOf(row.id, row.organisation_id)) };
}

/** The same data key, wrapped under the current ring key. */
export const rewrap = (ring: KeyRing, row: WrappedKey): Buffer =>
  wrap(ring, unwrap(ring, row), row.organisation_id);

/** A data key wrapped under the current ring key, as it is stored. */
export function wrap(ring: KeyRing, key: DataKey, organisationId: string): Buffer {
  const wrapping = { id: key.id, bytes: ring.wrappingKey(organisationId, ring.currentId) };
  return seal(key.bytes, wrapping, contextOf(key.id, organisationId));
}
