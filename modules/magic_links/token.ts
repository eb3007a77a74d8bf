import { createHash, randomBytes } from 'node:crypto';
import { sameSiteUrl } from '@lyceum/core';

/** `ml_` and 32 random bytes. */
export const drawToken = (): string => `ml_${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The page that answers links; also its path below a site. */
export const landingPath = 'magic-link';

/**
 * The link. The token stands in the fragment, which no browser sends: no log, proxy or `Referer` gets it.
 * @param landingUrl the site's own page for links; empty, or no longer on the site: the built-in one
 */
export function linkUrl(siteUrl: string, landingUrl: string, token: string): string {
  const own = landingUrl === '' ? null : sameSiteUrl(siteUrl, landingUrl);
  const page = own?.split('#', 1)[0] ?? `${siteUrl}${landingPath}`;
  return `${page}#token=${token}`;
}
