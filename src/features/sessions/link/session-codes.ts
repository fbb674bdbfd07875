import { canonicalValue } from '../../../platform/kernel/values/canonical/canonical-value.js';
import type { BlindIndex } from '../../../platform/privacy/index.js';

/** The keyed hash of an address, different in each organisation and session. */
export const addressHash = (
  index: Pick<BlindIndex, 'computeUncached'>,
  { organisationId, id }: { readonly organisationId: string; readonly id: string },
  address: string,
): Buffer => {
  const canonical = canonicalValue(address.includes('@') ? 'EMAIL' : 'PHONE', address);
  return index.computeUncached(
    organisationId,
    'session-code',
    `${id}\0${canonical ?? address.trim().toLowerCase()}`,
  );
};
