import ipaddr from 'ipaddr.js';

/**
 * What an IP address is to the hub. `private`: reachable only where an operator allowed the host by name. `never`: link-local, metadata services,
 * unspecified, multicast and everything that is no address of one peer.
 */
export type AddressKind = 'public' | 'private' | 'never';

const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Metadata services of clouds that do not sit in the link-local range. */
const METADATA = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192']);

/** IPv6 ranges whose last 32 bits are the IPv4 address that is really meant. */
const EMBEDDED = new Set(['ipv4Mapped', 'rfc6145', 'rfc6052']);

/** Classifies a literal in any spelling that names an address; text that is none is `never`. */
export function addressKind(literal: string): AddressKind {
  const text = literal.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  // The library reads the deprecated `::a.b.c.d` as a mapped address; the kernel does not.
  if (!ipaddr.isValid(text) || /^::\d+\./.test(text)) return 'never';
  const address = ipaddr.parse(text);
  if (METADATA.has(address.toString())) return 'never';
  const range: string = address.range();
  if (range === 'unicast') return isIpv4Compatible(address) ? 'never' : 'public';
  if (EMBEDDED.has(range)) return addressKind(lastFourBytes(address));
  return PRIVATE.has(range) ? 'private' : 'never';
}

/** `::a.b.c.d`, long deprecated, and some stacks still route it to the IPv4 address. */
function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return (
    address.kind() === 'ipv6' &&
    address
      .toByteArray()
      .slice(0, 12)
      .every((byte) => byte === 0)
  );
}

function lastFourBytes(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toByteArray().slice(-4).join('.');
}

/** True where the host of a URL is an address and not a name. */
export function isAddress(hostname: string): boolean {
  return ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''));
}
