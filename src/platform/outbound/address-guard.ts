import { BlockList, isIP } from 'node:net';

/** Decides which addresses requests may go to. */
export interface AddressPolicy {
  readonly requireHttps: boolean;
  /** Allows loopback, also over http. Only on a developer's machine. */
  readonly allowLoopback: boolean;
  /** Address blocks that are allowed although they are not public. */
  readonly allowed: AddressSet;
}

/** Why a URL is refused. The texts are for the person who configures the endpoint and never quote the URL. */
export const targetProblems = {
  URL_INVALID: 'Must be an absolute URL of at most 2,048 characters.',
  SCHEME_NOT_ALLOWED: 'Must begin with https://.',
  CREDENTIALS_IN_URL: 'Must not carry a user name or a password.',
  PORT_NOT_ALLOWED: 'Must use port 80, 443 or one from 1024 upwards.',
  HOST_NOT_ALLOWED: 'Must name a host that is reachable from the internet.',
  ADDRESS_NOT_ALLOWED: 'Must not lead to a private, local or reserved address.',
  HOST_NOT_FOUND: 'Must name a host that DNS knows.',
} as const;
export type TargetProblem = keyof typeof targetProblems;

/** A set of address blocks. One list per family, because BlockList applies an IPv4-mapped rule to plain IPv4. */
export class AddressSet {
  private readonly v4 = new BlockList();
  private readonly v6 = new BlockList();

  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [network = '', prefix = ''] = cidr.split('/');
      const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
      (family === 'ipv6' ? this.v6 : this.v4).addSubnet(network, Number(prefix), family);
    }
  }

  /** True if the address is in the set; false for a text that is not an address. */
  has(address: string): boolean {
    const family = isIP(address);
    return family === 6 ? this.v6.check(address, 'ipv6') : family === 4 && this.v4.check(address, 'ipv4');
  }
}

export const LOOPBACK = new AddressSet(['127.0.0.0/8', '::1/128']);

// The IANA special-purpose registries, and addresses that clouds use outside of them.
const NOT_PUBLIC = new AddressSet([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; 100.100.100.200 is Alibaba's metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host service
  '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata service of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is Oracle's metadata service
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address of any kind
  '3fff::/20', // documentation
]);

// The global unicast block of IPv6. Outside of it: loopback, IPv4-mapped, NAT64, ULA, link-local, multicast.
const GLOBAL_V6 = new AddressSet(['2000::/3']);

export function isAddressAllowed(address: string, policy: AddressPolicy): boolean {
  // An address with a zone (fe80::1%eth0) is link-local, so it is refused.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0) return false;
  if (policy.allowed.has(address) || (policy.allowLoopback && LOOPBACK.has(address))) return true;
  return !NOT_PUBLIC.has(address) && (family === 4 || GLOBAL_V6.has(address));
}

export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Returns the host of a URL; an IPv6 address comes without its brackets, as sockets need it. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Checks the text of a URL; its host is resolved and checked later. The WHATWG parser has normalised decimal, octal,
 * hexadecimal and short forms of an IPv4 address.
 */
export function validateUrl(text: string, policy: AddressPolicy): { url: URL } | { problem: TargetProblem } {
  if (text.length > 2_048 || !URL.canParse(text)) return { problem: 'URL_INVALID' };
  const url = new URL(text);
  const problem = problemOf(url, policy);
  return problem === null ? { url } : { problem };
}

function problemOf(url: URL, policy: AddressPolicy): TargetProblem | null {
  const host = hostOf(url);
  const localName = isLocalhostName(host);
  const plainAllowed = !policy.requireHttps || (policy.allowLoopback && (localName || LOOPBACK.has(host)));
  const schemes = plainAllowed ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return 'SCHEME_NOT_ALLOWED';
  if (url.username !== '' || url.password !== '') return 'CREDENTIALS_IN_URL';
  if (!isPortAllowed(url.port)) return 'PORT_NOT_ALLOWED';
  if (host.endsWith('.') || (localName && !policy.allowLoopback)) return 'HOST_NOT_ALLOWED';
  return isIP(host) === 0 || isAddressAllowed(host, policy) ? null : 'ADDRESS_NOT_ALLOWED';
}

// True for 80, 443 and ports from 1024 on: other low ports are targets of forged requests. An empty port is the default
// of the scheme.
const isPortAllowed = (port: string): boolean =>
  port === '' || port === '80' || port === '443' || Number(port) >= 1_024;
