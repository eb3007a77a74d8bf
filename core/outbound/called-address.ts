import { isIP } from 'node:net';
import { names, plainHost, type Target } from './allow-list.ts';
import { isForbiddenAddress } from './forbidden-addresses.ts';

/** The URL, or what is wrong with it. */
export function readUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    return 'must be an http or https URL';
  }
  return url.username === '' && url.password === '' ? url : 'must not hold credentials';
}

/** The IP address that a host literally is, in whatever spelling: a URL has turned it into the usual one. */
export function literalOf(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

/** The port that the URL leads to. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** Whether a request may go there, where these entries of `outbound_allow` hold. */
export const mayGo = (target: Target, allowed: readonly string[]): boolean =>
  !isForbiddenAddress(target.address) || names(allowed, target);

/**
 * Why this address may not be saved: no http or https URL, credentials in it, or a literal address that is
 * forbidden. Null for a good one; names are checked when they are called.
 */
export function addressProblem(address: string, allowed: readonly string[]): string | null {
  const url = readUrl(address);
  if (typeof url === 'string') return url;
  const host = plainHost(url.hostname);
  const literal = literalOf(host);
  if (literal === null) return null;
  return mayGo({ host, port: portOf(url), address: literal }, allowed)
    ? null
    : 'must not be an address of this machine or of its network';
}
