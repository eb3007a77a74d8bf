import { lines, type Xml, xml } from './xml.ts';

/** A path as an address: what is no part of one is escaped, slashes stay. */
const hrefOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The files of a package as content packaging lists them; the page that is launched comes first. */
export function fileElements(launched: string, paths: readonly string[], indent: string): Xml {
  const others = [...new Set(paths)].filter((path) => path !== launched);
  return lines(
    [launched, ...others].map((path) => xml`<file href="${hrefOf(path)}"/>`),
    indent,
  );
}
