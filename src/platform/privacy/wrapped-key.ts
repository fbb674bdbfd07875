import { randomBytes } from 'node:crypto';
import { newUuid } from '../kernel/index.js';
import type { KeyRing } from './key-ring.js';
import { seal, unseal, type DataKey } from './sealed.js';
import type { WrappedKey } from './store/subject-key.statements.js';

// Bound to row and organisation: a wrapped key in another row does not open.
const contextOf = (id: string, organisationId: string): string => `subject_keys|${id}|${organisationId}`;

/** Makes a data key, which is stored nowhere yet. */
export const newDataKey = (): DataKey => ({ id: newUuid(), bytes: randomBytes(32) });

/** Opens a stored data key; throws SealBroken when it was changed or moved. */
export function unwrap(ring: KeyRing, row: WrappedKey): DataKey {
  if (!row.wrappedKey) throw new Error('a destroyed data key was asked for');
  const wrapping = { id: row.id, bytes: ring.wrappingKey(row.organisationId, row.ringKeyId) };
  return { id: row.id, bytes: unseal(row.wrappedKey, wrapping, contextOf(row.id, row.organisationId)) };
}

/** Wraps the same data key under the current ring key. */
export const rewrap = (ring: KeyRing, row: WrappedKey): Buffer =>
  wrap(ring, unwrap(ring, row), row.organisationId);

/** Wraps a data key under the current ring key, as it is stored. */
export function wrap(ring: KeyRing, key: DataKey, organisationId: string): Buffer {
  const wrapping = { id: key.id, bytes: ring.wrappingKey(organisationId, ring.currentId) };
  return seal(key.bytes, wrapping, contextOf(key.id, organisationId));
}
