import { canonicalValue } from '../../../platform/kernel/values/canonical/canonical-value.js';
import { AddressSet } from '../../../platform/outbound/address-guard.js';
import { asCidr } from './app-profile.js';

/** The addresses from which an application may be used. An unreadable block allows nothing. */
export class AllowList {
  private readonly addresses: AddressSet;

  constructor(blocks: readonly string[]) {
    this.addresses = new AddressSet(blocks.map(asCidr).filter((block) => block !== null));
  }

  holds(address: string | undefined): boolean {
    // On a socket for both families the address of an IPv4 caller has the form of IPv6.
    const caller = address === undefined ? null : canonicalValue('IP', address);
    return caller !== null && this.addresses.has(caller);
  }
}
