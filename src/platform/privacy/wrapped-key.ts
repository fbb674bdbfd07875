import { randomBytes } from 'node:crypto';
import { newUuid } from '../kernel/index.js';
import type { KeyRing } from './key-ring.js';
import { seal, unseal, type DataKey } from './sealed.js';
import type { WrappedKey } from './store/subject-key.statements.js';

// Binds a data key to its row and organisation: moved to another row, it cannot be decrypted.
const contextOf = (id: string, organisationId: string): string => `subject_keys|${id}|${organisationId}`;

/** Creates a data key without storing it. */
export const newDataKey = (): DataKey => ({ id: newUuid(), bytes: randomBytes(32) });

/** Decrypts a stored data key. Throws SealBrokenError if it was changed or moved. */
export function unwrap(ring: KeyRing, row: WrappedKey): DataKey {
  if (!row.wrappedKey) throw new Error('a destroyed data key was asked for');
  const wrapping = { id: row.id, bytes: ring.wrappingKey(row.organisationId, row.ringKeyId) };
  return { id: row.id, bytes: unseal(row.wrappedKey, wrapping, contextOf(row.id, row.organisationId)) };
}

/** Re-encrypts a data key under the current ring key. */
export const rewrap = (ring: KeyRing, row: WrappedKey): Buffer =>
  wrap(ring, unwrap(ring, row), row.organisationId);

/** Encrypts a data key under the current ring key, for storage. */
export function wrap(ring: KeyRing, key: DataKey, organisationId: string): Buffer {
  const wrapping = { id: key.id, bytes: ring.wrappingKey(organisationId, ring.currentId) };
  return seal(key.bytes, wrapping, contextOf(key.id, organisationId));
}
