import { canonicalValue } from '../../../platform/kernel/values/canonical/canonical-value.js';
import type { BlindIndex } from '../../../platform/privacy/index.js';

/** An address by its keyed hash: that of one organisation says nothing to another one. */
export const addressHash = (
  index: Pick<BlindIndex, 'once'>,
  { organisationId, id }: { readonly organisationId: string; readonly id: string },
  address: string,
): Buffer => {
  const canonical = canonicalValue(address.includes('@') ? 'EMAIL' : 'PHONE', address);
  return index.once(organisationId, 'session-code', `${id}\0${canonical ?? address.trim().toLowerCase()}`);
};
