import { LRUCache } from 'lru-cache';
import type { Multisite } from '../../config/load.ts';

export interface Address {
  readonly domain: string;
  readonly path: string;
}

/** Names that mean one machine: a request for one finds a site stored under another. */
const aliases: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Network paths have at most 3 segments and a site adds one. */
const mostSegments = 4;

const domainForm = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})$/;

/** Public addresses, built from stored domains and the scheme and port of `BASE_URL`, never from a request. */
export class Addresses {
  readonly multisite: Multisite;
  readonly apiRoot: string;
  readonly base: URL;
  #port: string;

  constructor(options: { baseUrl: URL | null; port: number; apiRoot: string; multisite: Multisite }) {
    this.base = options.baseUrl ?? new URL(`http://localhost:${options.port}`);
    this.#port = this.base.port;
    this.apiRoot = options.apiRoot;
    this.multisite = options.multisite;
  }

  /** Without `BASE_URL` the port is known only once the server listens. */
  listensOn(port: number): void {
    this.#port = port === 80 ? '' : String(port);
  }

  get secure(): boolean {
    return this.base.protocol === 'https:';
  }

  /** `https://a.example/lab/` */
  site({ domain, path }: Address): string {
    return `${this.base.protocol}//${domain}${this.#port ? `:${this.#port}` : ''}${path}`;
  }

  /** `https://a.example/lab/console/` */
  admin(address: Address): string {
    return `${this.site(address)}console/`;
  }

  /** Absolute URL of a route on a site. */
  route(address: Address, route: string): string {
    return `${this.site(address)}${this.apiRoot}/${route}`;
  }
}

/** Hosts whose domains are kept: a request in a thousand names another one. */
const hostsKept = 1_000;
const longestHost = 262;
const domainsByHost = new LRUCache<string, readonly string[]>({ max: hostsKept });

/** Domains under which a `Host` header may be stored, the literal one first; null for no valid host. */
export function domainsOf(host: string | undefined): readonly string[] | null {
  if (!host || host.length > longestHost) return null;
  const kept = domainsByHost.get(host);
  if (kept) return kept;
  const domains = readDomains(host);
  if (domains) domainsByHost.set(host, domains);
  return domains;
}

function readDomains(host: string): readonly string[] | null {
  const domain = host.toLowerCase().replace(/:\d{1,5}$/, '');
  if (!domainForm.test(domain)) return null;
  return aliases.includes(domain) ? [domain, ...aliases.filter((alias) => alias !== domain)] : [domain];
}

/** `/`, `/lab/`, `/lab/api/`…: every site path that could begin this URL path. */
export function sitePathsOf(urlPath: string): string[] {
  const paths = ['/'];
  let at = 1;
  while (paths.length <= mostSegments) {
    const end = urlPath.indexOf('/', at);
    const segment = end < 0 ? urlPath.slice(at) : urlPath.slice(at, end);
    if (!/^[a-z0-9-]{1,63}$/.test(segment)) break;
    paths.push(`${urlPath.slice(0, at)}${segment}/`);
    if (end < 0) break;
    at = end + 1;
  }
  return paths;
}
