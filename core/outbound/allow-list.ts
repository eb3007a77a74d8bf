import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Where a request is about to go. */
export interface Target {
  /** As a URL has it: lower case, IPv6 in brackets, without trailing dot. */
  readonly host: string;
  readonly port: number;
  /** The IP address that the host was resolved to. */
  readonly address: string;
}

/** The network's option with the entries: hosts, `host:port` or CIDRs that may be called though they are inside. */
export const allowOption = 'outbound_allow';

interface Entry {
  matches(target: Target): boolean;
}

const cidrForm = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i;
const portForm = /^(.+):(\d{1,5})$/;

/** Host of a URL without the dot that a name may end with. */
export const plainHost = (host: string): string => host.replace(/\.$/, '');

/** An address that is one of these, also when IPv6 wraps it. */
function holds(list: BlockList, address: string): boolean {
  return isIPv4(address) ? list.check(address, 'ipv4') : isIPv6(address) && list.check(address, 'ipv6');
}

function range(net: string, prefix: number): Entry | null {
  const family = isIP(net);
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(net, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return { matches: ({ address }) => holds(list, address) };
}

/** The host as a URL would have it; null for what can be none. */
function hostIn(text: string): string | null {
  const url = URL.parse(`http://${isIPv6(text) ? `[${text}]` : text}/`);
  const isHost = url !== null && url.port === '' && url.pathname === '/' && url.username === '';
  return isHost && url.search === '' && url.hash === '' ? plainHost(url.hostname) : null;
}

function place(host: string, port: number | null): Entry {
  const list = new BlockList();
  const literal = host.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  if (family !== 0) list.addAddress(literal, family === 4 ? 'ipv4' : 'ipv6');
  return {
    matches: (target) =>
      (port === null || port === target.port) && (host === target.host || holds(list, target.address)),
  };
}

function parseEntry(text: string): Entry | null {
  const cidr = cidrForm.exec(text);
  if (cidr) return range(cidr[1] ?? '', Number(cidr[2]));
  const withPort = isIPv6(text) ? null : portForm.exec(text);
  const host = hostIn(withPort ? (withPort[1] ?? '') : text);
  const port = withPort ? Number(withPort[2]) : null;
  return host === null || port === 0 || (port ?? 0) > 65_535 ? null : place(host, port);
}

/** True for a host, `host:port` or CIDR: what the setting `outbound_allow` may hold. */
export const isAllowEntry = (text: string): boolean => parseEntry(text) !== null;

/** Whether one of the entries names the target, by its host or by the address that it resolves to. */
export const names = (entries: readonly string[], target: Target): boolean =>
  entries.some((text) => parseEntry(text)?.matches(target) ?? false);
