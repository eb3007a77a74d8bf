import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { SiteState } from '../state/site-state.ts';
import { plainHost } from './allow-list.ts';
import { addressProblem, literalOf, mayGo, portOf, readUrl } from './called-address.ts';
import { type Opened, openRequest, type ResolvedAddress } from './open-request.ts';
import { endedBy, OutboundError } from './outbound-error.ts';

/** A request to an address that somebody typed in. */
export interface OutboundRequest {
  /** http or https, without credentials. */
  readonly url: string;
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds from the call to the last byte. Default 10,000. */
  readonly timeoutMs?: number;
  /** Milliseconds without a byte. Default: `timeoutMs` alone counts. */
  readonly silenceMs?: number;
  /** Bytes of the answer's body. Default 1 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** What a server outside answered, whole. */
export interface OutboundAnswer {
  /** As the server says; a redirect is an answer like any other. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface OutboundParts {
  /** The entries of `outbound_allow` that hold for a site. */
  readonly allowed: (site: SiteState) => readonly string[];
  /** All addresses of a host name. */
  readonly lookup: (host: string) => Promise<readonly ResolvedAddress[]>;
}

const standardTimeoutMs = 10_000;
const standardMaxBytes = 1024 * 1024;

/**
 * Requests to servers outside. A name is resolved once, every address of it is checked, and the connection goes to
 * one that was: neither spelling, redirect nor a second answer of the name server leads to an address inside.
 */
export class Outbound {
  readonly #parts: OutboundParts;

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  /**
   * Why this address may not be saved: no http or https URL, credentials in it, or a literal address that is
   * forbidden. Null for a good one; names are checked when they are called.
   */
  problem(site: SiteState, address: string): string | null {
    return addressProblem(address, this.#parts.allowed(site));
  }

  /** The whole answer. @throws OutboundError */
  async request(site: SiteState, asked: OutboundRequest): Promise<OutboundAnswer> {
    const { status, headers, body } = await this.open(site, asked);
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { status, headers, body: Buffer.concat(chunks) };
  }

  /** The answer with its body as it comes: to be read to its end or left by `return`. @throws OutboundError */
  async open(site: SiteState, asked: OutboundRequest): Promise<Opened> {
    const url = readUrl(asked.url);
    if (typeof url === 'string') throw new OutboundError('outbound_bad_url', `The address ${url}.`);
    const deadline = AbortSignal.timeout(asked.timeoutMs ?? standardTimeoutMs);
    const signal = asked.signal ? AbortSignal.any([asked.signal, deadline]) : deadline;
    const addresses = await this.#addresses(site, url, signal);
    return openRequest({
      url,
      addresses,
      method: asked.method ?? 'GET',
      headers: asked.headers ?? {},
      body: asked.body,
      silenceMs: asked.silenceMs ?? null,
      maxBytes: asked.maxBytes ?? standardMaxBytes,
      signal,
    });
  }

  /** Checked addresses of the URL's host. One that is forbidden among them is a name that plays tricks. */
  async #addresses(site: SiteState, url: URL, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const host = plainHost(url.hostname);
    const literal = literalOf(host);
    const found =
      literal === null ? await this.#resolve(host, signal) : [{ address: literal, family: isIP(literal) }];
    const port = portOf(url);
    const allowed = this.#parts.allowed(site);
    for (const { address } of found) {
      if (mayGo({ host, port, address }, allowed)) continue;
      throw new OutboundError('outbound_forbidden', 'The address is not one that may be called.');
    }
    return found;
  }

  async #resolve(host: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const aborted = new Promise<never>((_resolve, reject) => {
      const refuse = (): void => reject(signal.reason);
      if (signal.aborted) refuse();
      else signal.addEventListener('abort', refuse, { once: true });
    });
    try {
      const found = await Promise.race([this.#parts.lookup(host), aborted]);
      if (found.length > 0) return found;
    } catch (error) {
      if (signal.aborted) throw endedBy(signal);
      throw new OutboundError('outbound_failed', 'The host was not found.', error);
    }
    throw new OutboundError('outbound_failed', 'The host was not found.');
  }
}
