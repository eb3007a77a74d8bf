import { domainToASCII } from 'node:url';

const longestDomain = 253;
const mostSegments = 3;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const segment = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** More than any domain with scheme and path around it: what is longer is refused unread. */
const longestTyped = 2_000;

/**
 * The domain that somebody typed: in lower case and punycode, without spaces, scheme and path.
 * Empty when nothing is left; null when it can be no domain.
 */
export function readDomain(typed: string): string | null {
  if (typed.length > longestTyped) return null;
  const host = typed
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '');
  if (host === '') return '';
  // Only what is not ASCII: of the rest it would make IPv4 addresses of numbers, and decode %.
  const domain = /^[\x21-\x7e]*$/.test(host) ? host : domainToASCII(host);
  const fits = domain.length <= longestDomain && domain.split('.').every((part) => label.test(part));
  return fits ? domain : null;
}

/** The path that somebody typed, in lower case and with a slash at the end; null when it can be no network's. */
export function readPath(typed: string): string | null {
  if (typed.length > longestTyped) return null;
  const lower = typed.trim().toLowerCase();
  const path = lower.endsWith('/') ? lower : `${lower}/`;
  if (!path.startsWith('/')) return null;
  if (path === '/') return path;
  const parts = path.slice(1, -1).split('/');
  const fits =
    parts.length <= mostSegments && parts.every((part) => segment.test(part) && !part.includes('--'));
  return fits ? path : null;
}

/** The segments of a network's path. */
export const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
