import { canonicalValue } from '../../../platform/kernel/values/canonical/canonical-value.js';
import { AddressSet } from '../../../platform/outbound/address-guard.js';
import { parseCidr } from './app-profile.js';

/** The IP addresses that may use an application. An invalid block allows nothing. */
export class AllowList {
  private readonly addresses: AddressSet;

  constructor(blocks: readonly string[]) {
    this.addresses = new AddressSet(blocks.map(parseCidr).filter((block) => block !== null));
  }

  includes(address: string | undefined): boolean {
    // On a dual-stack socket an IPv4 address arrives as an IPv4-mapped IPv6 address.
    const caller = address === undefined ? null : canonicalValue('IP', address);
    return caller !== null && this.addresses.has(caller);
  }
}
