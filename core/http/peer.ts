import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Who sent a request, as far as he can be believed. */
export interface Peer {
  readonly ip: string;
  readonly host: string | undefined;
  /** Whether cookies are for encrypted connections alone: known to be one, or promised by `BASE_URL`. */
  readonly secure: boolean;
  /** Whether the client's connection is known to be encrypted: here, or by the word of a trusted proxy. */
  readonly https: boolean;
}

const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

/** A hop of `X-Forwarded-For`: some proxies write `1.2.3.4:5678` and `[2001:db8::1]:5678`. */
const hopAddress = (hop: string): string =>
  plain(
    hop
      .trim()
      .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
      .replace(/^([\d.]+):\d{1,5}$/, '$1'),
  );

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Reads `X-Forwarded-*` from configured proxies and from nobody else. */
export class Peers {
  readonly #trusted = new BlockList();
  readonly #any: boolean;
  readonly #secure: boolean;

  constructor(trustedProxies: readonly string[], secure: boolean) {
    for (const entry of trustedProxies) {
      const [address = '', bits] = entry.split('/');
      if (bits === undefined) this.#trusted.addAddress(address, family(address));
      else this.#trusted.addSubnet(address, Number(bits), family(address));
    }
    this.#any = trustedProxies.length > 0;
    this.#secure = secure;
  }

  #isTrusted(address: string): boolean {
    return this.#any && isIP(address) !== 0 && this.#trusted.check(address, family(address));
  }

  of(request: IncomingMessage): Peer {
    const ip = plain(request.socket.remoteAddress ?? '');
    const own = (request.socket as { encrypted?: boolean }).encrypted === true;
    if (!this.#isTrusted(ip)) {
      return { ip, host: request.headers.host, secure: own || this.#secure, https: own };
    }
    const first = (name: string): string | undefined => {
      const value = request.headers[name];
      return (Array.isArray(value) ? value[0] : value)?.split(',')[0]?.trim() || undefined;
    };
    const https = own || first('x-forwarded-proto')?.toLowerCase() === 'https';
    return {
      ip: this.#clientOf(request) ?? ip,
      host: first('x-forwarded-host') ?? request.headers.host,
      secure: https || this.#secure,
      https,
    };
  }

  /** The last address of the chain that no trusted proxy added. */
  #clientOf(request: IncomingMessage): string | null {
    const header = request.headers['x-forwarded-for'];
    const chain = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map(hopAddress);
    return chain.reverse().find((hop) => isIP(hop) !== 0 && !this.#isTrusted(hop)) ?? null;
  }
}

const privateRanges = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  privateRanges.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateRanges.addSubnet(net, bits, 'ipv6');
}

/** True for loopback, private and link-local addresses. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) !== 0 && privateRanges.check(address, family(address));
