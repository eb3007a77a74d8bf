import { isIP } from 'node:net';

/**
 * The block of addresses by which attempts from one place are counted: an IPv4 address or its /24, an IPv6 /64,
 * because a single line is commonly given a whole one.
 */
export function addressBlock(ip: string, ipv4Bits: 24 | 32): string {
  const address = ip.replace(/%.*$/, '');
  if (isIP(address) === 4) {
    return ipv4Bits === 32 ? address : `${address.split('.').slice(0, 3).join('.')}.0/24`;
  }
  if (isIP(address) !== 6) return 'unknown';
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups without leading zeros; URL writes every spelling of an address in one way. */
function ipv6Groups(address: string): string[] {
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right] = short.split('::', 2);
  const head = left === '' ? [] : left.split(':');
  if (right === undefined) return head;
  const tail = right === '' ? [] : right.split(':');
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
