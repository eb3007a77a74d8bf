import { type FoundUrl, HtmlTree, replaceUrls, UnreasonableHtml } from '@lyceum/core';
import type { CourseAddresses } from './course-addresses.ts';
import { type PageFacts, type PageReference, referenceKey } from './page-facts.ts';
import { playedFile } from './players.ts';

/** What an address in HTML is for: something shown, something followed, or something run. */
export type Role = 'media' | 'link' | 'other';

const links = new Set(['a', 'area', 'form', 'button']);
const runs = new Set(['script', 'iframe', 'embed', 'object', 'frame']);

export const roleOf = ({ element, attribute }: FoundUrl): Role => {
  if (attribute === 'style' || attribute === 'background') return 'media';
  if (links.has(element) || attribute === 'action' || attribute === 'formaction') return 'link';
  return runs.has(element) ? 'other' : 'media';
};

/**
 * What the HTML of a page names that belongs into a course.
 * @param base the page's own address
 */
export function scanPage(html: string, base: string, addresses: CourseAddresses): PageFacts {
  const references = new Map<string, PageReference>();
  const warnings = new Set<string>();
  const note = (kind: PageReference['kind'], url: string): void => {
    const key = referenceKey(kind, url);
    references.set(key, { key, kind, url });
  };
  let tree: HtmlTree;
  try {
    tree = HtmlTree.read(html);
  } catch (error) {
    if (!(error instanceof UnreasonableHtml)) throw error;
    return { references: [], warnings: [`page_as_it_is: ${error.message}`], asItIs: true };
  }
  for (const element of tree.elements()) {
    const played = playedFile(element, base, addresses);
    if (played !== null) note('player', played);
  }
  replaceUrls(tree, (found) => {
    const address = addresses.read(found.url, base);
    const role = roleOf(found);
    if (address.kind === 'file' && found.element !== 'form') note('file', address.url);
    if (address.kind === 'external' && role === 'media') note('external', address.url);
    if (address.kind === 'strange' && role === 'media')
      warnings.add(`external_left: ${shortened(address.url)}`);
    return null;
  });
  return { references: [...references.values()], warnings: [...warnings], asItIs: false };
}

const longestShown = 300;

/** An address in a log. */
export const shortened = (url: string): string =>
  url.length > longestShown ? `${url.slice(0, longestShown)}…` : url;
