import { canonicalValue } from '../../../platform/kernel/values/canonical/canonical-value.js';
import { AddressSet } from '../../../platform/outbound/address-guard.js';
import { asCidr } from './app-profile.js';

/** The addresses that an application may be used from. What cannot be read as a block allows nothing. */
export class AllowList {
  private readonly addresses: AddressSet;

  constructor(blocks: readonly string[]) {
    this.addresses = new AddressSet(blocks.map(asCidr).filter((block) => block !== null));
  }

  holds(address: string | undefined): boolean {
    // An IPv4 caller on a socket for both families looks like IPv6.
    const caller = address === undefined ? null : canonicalValue('IP', address);
    return caller !== null && this.addresses.has(caller);
  }
}
