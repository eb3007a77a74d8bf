import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that lead to this machine, to its neighbours, to many, or to nobody (IANA special-purpose list). */
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Parts of IPv6's global unicast space that wrap other addresses, or are for documents and tests. */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const forbidden = new BlockList();
for (const [net, prefix] of special4) forbidden.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of special6) forbidden.addSubnet(net, prefix, 'ipv6');

/**
 * All of IPv6 that is public. A list of what is allowed: an IPv4 address has too many dresses in IPv6 (mapped,
 * compatible, 6to4…) to name each.
 */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

const nat64Form = /^\[64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})?\]$/;

/** The IPv4 address behind one of a network that reaches IPv4 through NAT64; null for any other. */
function behindNat64(address: string): string | null {
  const found = nat64Form.exec(URL.parse(`http://[${address}]/`)?.hostname ?? '');
  if (!found) return null;
  const value = Number.parseInt(found[1] ?? '0', 16) * 0x1_00_00 + Number.parseInt(found[2] ?? '0', 16);
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
}

/**
 * Whether an IP address is loopback, private, link-local, multicast, unspecified or otherwise not public. What is no
 * address at all is forbidden too.
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbidden.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  const [bare = ''] = address.split('%');
  const behind = behindNat64(bare);
  if (behind !== null) return forbidden.check(behind, 'ipv4');
  return !global6.check(bare, 'ipv6') || forbidden.check(bare, 'ipv6');
}
