import type { HtmlTree } from '@lyceum/core';
import type { CourseAddresses } from './course-addresses.ts';

/** An element of a page. */
export type Element = ReturnType<HtmlTree['elements']> extends Iterable<infer E> ? E : never;

const childElements = (element: Element): Element[] =>
  element.childNodes.filter((node): node is Element => 'tagName' in node);

export const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value;

/** Gives the element the attribute, or takes it away. */
export function setAttribute({ attrs }: Element, name: string, value: string | null): void {
  const at = attrs.findIndex((one) => one.name === name);
  if (at >= 0) attrs.splice(at, 1);
  if (value !== null) attrs.push({ name, value });
}

/** Sources and tracks of a player, which one address of its own takes the place of. */
export const partsOf = (element: Element): Element[] =>
  childElements(element).filter(({ tagName }) => tagName === 'source' || tagName === 'track');

/** Address of the first file of the site that a video or sound plays; null for one that plays none. */
export function playedFile(element: Element, base: string, addresses: CourseAddresses): string | null {
  if (element.tagName !== 'video' && element.tagName !== 'audio') return null;
  const sources = partsOf(element).filter(({ tagName }) => tagName === 'source');
  for (const one of [element, ...sources]) {
    const found = addresses.read((attributeOf(one, 'src') ?? '').trim(), base);
    if (found.kind === 'file') return found.url;
  }
  return null;
}
