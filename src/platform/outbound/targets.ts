import { isIP } from 'node:net';
import {
  isAddressAllowed,
  hostOf,
  validateUrl,
  type AddressPolicy,
  type TargetProblem,
} from './address-guard.js';
import type { HostResolver } from './host-resolver.js';
import type { OutboundProxy } from './outbound-proxy.js';

/** The target is not allowed. */
export class TargetRefusedError extends Error {
  constructor(readonly code: TargetProblem) {
    super(`target refused: ${code}`);
    this.name = 'TargetRefused';
  }
}

const MAX_CACHED_URLS = 1_000;

/** Decides where requests of one kind may go. A URL is checked when it is configured and again at every connection. */
export class OutboundTargets {
  private readonly validUrls = new Map<string, URL>();

  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolver: HostResolver,
    readonly proxy: OutboundProxy,
  ) {}

  /** Parses and checks a URL, and caches valid ones. Throws TargetRefusedError. */
  parse(text: string): URL {
    const knownUrl = this.validUrls.get(text);
    if (knownUrl) return knownUrl;
    const result = validateUrl(text, this.policy);
    if ('problem' in result) throw new TargetRefusedError(result.problem);
    if (this.validUrls.size >= MAX_CACHED_URLS) this.validUrls.clear();
    this.validUrls.set(text, result.url);
    return result.url;
  }

  /**
   * Returns the addresses of a host; throws TargetRefusedError unless all of them are allowed. If the proxy resolves
   * the host, returns the name itself, and the proxy must check its addresses.
   */
  async addressesOf(host: string): Promise<string[]> {
    if (isIP(host) === 0 && this.proxy.resolvesHost(host)) return [host];
    const addresses = isIP(host) === 0 ? await this.resolver.resolve(host) : [host];
    if (addresses.length === 0) throw new TargetRefusedError('HOST_NOT_FOUND');
    for (const address of addresses) this.check(address);
    return addresses;
  }

  /** Throws TargetRefusedError if the policy does not allow the address. */
  check(address: string): void {
    if (!isAddressAllowed(address, this.policy)) throw new TargetRefusedError('ADDRESS_NOT_ALLOWED');
  }

  /** Checks a URL and all current addresses of its host; throws TargetRefusedError. */
  async checkReachable(text: string): Promise<URL> {
    const url = this.parse(text);
    await this.addressesOf(hostOf(url));
    return url;
  }
}
