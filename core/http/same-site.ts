/** Longest address that is looked at. */
const maxLength = 2_000;

const forbidden = /[\u0000-\u001f\u007f\\]/;

const firstSegment = (path: string): string => path.split('/', 1)[0] ?? '';

/**
 * Where a client may be led after it signed in: the absolute URL that `text` means on the site, or null when it leads
 * anywhere else. Same scheme, host and port, and a path below the site's; no credentials, no control characters, no
 * backslash, and none in disguise where it could turn into the beginning of a host; nor a path that begins with two
 * slashes (`/.//x` means one), which without its host is an address elsewhere.
 * @param siteUrl ends with `/`
 */
export function sameSiteUrl(siteUrl: string, text: unknown): string | null {
  if (typeof text !== 'string' || text === '' || text.length > maxLength || forbidden.test(text)) return null;
  const site = new URL(siteUrl);
  const url = URL.parse(text, siteUrl);
  if (url === null || url.origin !== site.origin || url.username !== '' || url.password !== '') return null;
  if (!url.pathname.startsWith(site.pathname) || url.pathname.startsWith(`${site.pathname}/`)) return null;
  const segments = [url.pathname.slice(1), url.pathname.slice(site.pathname.length)].map(firstSegment);
  return segments.some((segment) => /%5c/i.test(segment)) ? null : url.href;
}

/** Path, query and fragment of a URL: where it leads on whatever name of the host the client used. */
export function pathOfUrl(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}
