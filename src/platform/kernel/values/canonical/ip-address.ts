import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const IPV4_BITS = 32;
const IPV6_BITS = 128;
const PORT = String.raw`(?::\d{1,5})?`;
const BRACKETED = new RegExp(String.raw`^\[([^\]]*)\]${PORT}$`);
// Eight groups without a zero group are canonical already. The library takes ten microseconds to find that out.
const FULL_IPV6 = /^[1-9a-f][0-9a-f]{0,3}(?::[1-9a-f][0-9a-f]{0,3}){7}$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** A block of addresses. For a single address, `bits` is the full length. */
export interface IpNetwork {
  readonly address: string;
  readonly bits: number;
  /** True if bits beyond the network were set: the author may have meant another block. */
  readonly hadHostBits: boolean;
}

/**
 * Returns an address in the notation of RFC 5952, without brackets, port and zone. An IPv4-mapped IPv6 address becomes
 * the IPv4 address. Leading zeros are refused, because some programs read them as octal.
 */
export function canonicalIpAddress(text: string): string | null {
  const bare = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
  switch (isIP(bare)) {
    case 4:
      return bare;
    case 6: {
      if (FULL_IPV6.test(bare)) return bare;
      const parsed = ipaddr.IPv6.parse(bare.replace(/%.*$/, ''));
      return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String();
    }
    default:
      return null;
  }
}

/** Reads an address or a CIDR block; null for any other text. */
export function networkOf(text: string): IpNetwork | null {
  const [written = '', suffix, ...more] = text.split('/');
  const address = canonicalIpAddress(written);
  if (address === null || more.length > 0) return null;
  const widest = bitsOf(address);
  if (suffix === undefined) return { address, bits: widest, hadHostBits: false };
  if (!/^(0|[1-9]\d{0,2})$/.test(suffix) || isIP(written) === 0) return null;
  // `::ffff:10.0.0.0/104` is `10.0.0.0/8`.
  const bits = Number(suffix) - (isIP(written) === 6 && widest === IPV4_BITS ? IPV6_BITS - IPV4_BITS : 0);
  if (bits < 0 || bits > widest) return null;
  const block = `${address}/${bits}`;
  const first =
    widest === IPV4_BITS
      ? ipaddr.IPv4.networkAddressFromCIDR(block).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(block).toRFC5952String();
  return { address: first, bits, hadHostBits: first !== address };
}

/** Returns a block masked to its network (`10.0.0.0/8`); a block of one address becomes that address. */
export function canonicalIpNetwork(text: string): string | null {
  const network = networkOf(text);
  if (!network) return null;
  const { address, bits } = network;
  return bits === bitsOf(address) ? address : `${address}/${bits}`;
}

/** Returns the 16 bytes of an address, IPv4 mapped to IPv6 (RFC 4291, 2.5.5.2); null for any other text. */
export function addressBytes(text: string): readonly number[] | null {
  const address = canonicalIpAddress(text);
  if (address === null) return null;
  const parsed = ipaddr.parse(address);
  return (parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress() : parsed).toByteArray();
}

/**
 * Returns the first and the last address of a block as 128-bit numbers, IPv4 mapped to IPv6; null for any other text.
 */
export function addressRange(text: string): { readonly first: bigint; readonly last: bigint } | null {
  const network = networkOf(text);
  if (!network) return null;
  const bytes = addressBytes(network.address) ?? [];
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return { first, last: first + (1n << BigInt(bitsOf(network.address) - network.bits)) - 1n };
}

const bitsOf = (address: string): number => (address.includes(':') ? IPV6_BITS : IPV4_BITS);
