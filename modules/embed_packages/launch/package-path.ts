const base = 'http://package.invalid/';

/**
 * The path in the package that an address of a manifest leads to; null for one outside of it.
 * @param folders `xml:base` of the elements around it, the outermost first
 */
export function packagePath(href: string, folders: readonly string[]): string | null {
  try {
    const folder = folders.reduce((from, next) => new URL(next.trim(), from), new URL(base));
    const url = new URL(href.trim(), folder);
    if (url.href === base || !url.href.startsWith(base)) return null;
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return null;
  }
}
