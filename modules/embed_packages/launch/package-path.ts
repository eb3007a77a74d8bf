/** Addresses of a manifest are read as if the package lay here. */
export const packageBase = 'http://package.invalid/';

/** `xml:base` of an element inside of one with this base; what is no address changes nothing. */
export const baseInside = (base: string, given: string | undefined): string =>
  given === undefined ? base : (URL.parse(given.trim(), base)?.href ?? base);

/** The path in the package that an address of a manifest leads to; null for one outside of it. */
export function packagePath(href: string, base: string): string | null {
  const url = URL.parse(href.trim(), base);
  if (url === null || url.href === packageBase || !url.href.startsWith(packageBase)) return null;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return null;
  }
}
