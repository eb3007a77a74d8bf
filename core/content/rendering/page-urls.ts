import { rewriteCssUrls } from './css-urls.ts';
import { elementText, type HtmlElement, HtmlTree, setText } from './html-tree.ts';
import { rewriteSrcset } from './srcset.ts';

/** An address in HTML, and where it stands. */
export interface FoundUrl {
  /** As it is written, but decoded. */
  readonly url: string;
  /** Lower-case name of the element. */
  readonly element: string;
  /** Lower-case name of the attribute; null in a style element. */
  readonly attribute: string | null;
}

/** What takes the place of an address; null leaves it as it is. */
export type ReplaceUrl = (found: FoundUrl) => string | null;

/** Attributes that are an address. */
const single = new Set('src href xlink:href poster data background action formaction'.split(' '));
/** Attributes that are a list of images. */
const lists = new Set(['srcset', 'imagesrcset']);

const blank = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;

/** Calls `replace` for every address of the tree, in its order, and puts what it answers in the place of that. */
export function replaceUrls(tree: HtmlTree, replace: ReplaceUrl): void {
  for (const element of tree.elements()) {
    replaceInAttributes(element, replace);
    if (element.tagName === 'style') {
      const found = (url: string) => replace({ url, element: 'style', attribute: null });
      const css = elementText(element);
      const changed = rewriteCssUrls(css, found);
      if (changed !== css) setText(element, changed);
    }
  }
}

function replaceInAttributes({ tagName, attrs }: HtmlElement, replace: ReplaceUrl): void {
  for (const attribute of attrs) {
    const name = attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name;
    const found = (url: string) => replace({ url, element: tagName, attribute: name });
    if (single.has(name)) attribute.value = found(attribute.value.replaceAll(blank, '')) ?? attribute.value;
    else if (lists.has(name)) attribute.value = rewriteSrcset(attribute.value, found);
    else if (name === 'style') attribute.value = rewriteCssUrls(attribute.value, found);
  }
}

/**
 * The inside of a body with other addresses in `src`, `srcset`, `href`, `poster` and the like, in style attributes and in
 * style elements. For work between, ask for `urlsOf` first.
 * @throws UnreasonableHtml
 */
export function rewriteUrls(html: string, replace: ReplaceUrl): string {
  const tree = HtmlTree.read(html);
  replaceUrls(tree, replace);
  return tree.write();
}

/** Every address of the inside of a body, in its order. @throws UnreasonableHtml */
export function urlsOf(html: string): FoundUrl[] {
  const found: FoundUrl[] = [];
  rewriteUrls(html, (one) => {
    found.push(one);
    return null;
  });
  return found;
}
