/** What an address in a page is to a course. */
export type CourseAddress =
  /** Below the site's `/files/`; `path` is decoded. */
  | { readonly kind: 'file'; readonly url: string; readonly path: string; readonly hash: string }
  /** Elsewhere on the site; `page` is what pages are known by. */
  | { readonly kind: 'site'; readonly url: string; readonly page: string; readonly hash: string }
  /** On another host, by http or https. */
  | { readonly kind: 'external'; readonly url: string; readonly hash: string }
  /** By no protocol that is ever fetched. */
  | { readonly kind: 'strange'; readonly url: string }
  /** Data, a place on the page itself, or nothing at all: it stays as it is. */
  | { readonly kind: 'own' };

const filesFolder = 'files/';
const longest = 4_000;

/** Protocols that no course fetches and nobody need be warned of. */
const harmless = new Set(['data:', 'mailto:', 'tel:', 'sms:', 'javascript:', 'blob:', 'about:']);

/** Reads addresses as they stand in pages of one site. */
export class CourseAddresses {
  readonly #site: URL;

  /** @param siteUrl ends with `/` */
  constructor(siteUrl: string) {
    this.#site = new URL(siteUrl);
  }

  /** @param base absolute address of what the text stands in */
  read(text: string, base: string): CourseAddress {
    if (text === '' || text.startsWith('#') || text.length > longest) return { kind: 'own' };
    const url = URL.parse(text, base);
    if (url === null || harmless.has(url.protocol)) return { kind: 'own' };
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'strange', url: url.href };
    const { hash } = url;
    url.hash = '';
    const isHere = url.host === this.#site.host && url.pathname.startsWith(this.#site.pathname);
    if (!isHere) return { kind: 'external', url: url.href, hash };
    const rest = url.pathname.slice(this.#site.pathname.length);
    const path = rest.startsWith(filesFolder) ? filePath(rest.slice(filesFolder.length)) : null;
    if (path !== null) return { kind: 'file', url: this.fileUrl(path), path, hash };
    return { kind: 'site', url: `${this.#site.origin}${url.pathname}${url.search}`, page: pageOf(url), hash };
  }

  /** The address of a file of the site. */
  fileUrl(path: string): string {
    return `${this.#site.href}${filesFolder}${path}`;
  }

  /** What the page at this absolute address is known by. */
  page(permalink: string): string {
    return pageOf(new URL(permalink));
  }
}

const pageOf = ({ pathname, search }: URL): string => `${pathname.replace(/\/$/, '')}${search}`;

/** Without the grant that may stand before it; null for what the host never made. */
function filePath(raw: string): string | null {
  const below = raw.startsWith('~') ? raw.slice(raw.indexOf('/') + 1) : raw;
  const segments = below.split('/').map(decoded);
  const isPath = segments.every((one) => one !== null && /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(one));
  return isPath ? segments.join('/') : null;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
