import type { Multisite } from '../../../config/load.ts';
import type { Address } from '../../http/addresses.ts';

/** Longest name of a host, and longest label of it: RFC 1035. */
export const maxDomain = 253;
export const maxLabel = 63;

/** Where the site of this slug lies in its network; the empty slug is the network's own address. */
export function siteAddress(kind: Multisite, network: Address, slug: string): Address {
  const { domain, path } = network;
  if (slug === '') return { domain, path };
  if (kind === 'subdomain') return { domain: `${slug}.${domain}`, path };
  return { domain, path: `${path}${slug}/` };
}
