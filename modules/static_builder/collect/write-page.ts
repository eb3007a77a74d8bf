import { HtmlTree, replaceUrls } from '@lyceum/core';
import type { PageTrack } from '../player/page-tracks.ts';
import type { CourseAddresses } from './course-addresses.ts';
import { referenceKey } from './page-facts.ts';
import { attributeOf, type Element, partsOf, playedFile, setAttribute } from './players.ts';

/** A video or sound as a course plays it. */
export interface FoundPlayer {
  /** Address of the file that is played. */
  readonly url: string;
  /** Empty for none. */
  readonly poster: string;
  readonly tracks: readonly Omit<PageTrack, 'media'>[];
}

/** What addresses in a page become. */
export interface PageLinks {
  /** The page's own address. */
  readonly base: string;
  readonly addresses: CourseAddresses;
  /** Where a file lies in the course, as pages write it; null for one that is not there. */
  readonly fileAt: (key: string) => string | null;
  readonly player: (key: string) => FoundPlayer | null;
  /** Where a page of the course lies, as pages write it, by what addresses know it by. */
  readonly pageAt: (page: string) => string | null;
  /** Where a file of a bound package lies, as pages write it. */
  readonly packageAt: (url: string) => string | null;
}

/** Marks a link that leads out of the course to the page that it was made of. */
export const liveMark = 'data-live';

/** The HTML of a page as it stands in the course, and the text tracks of its players. */
export function writePage(
  html: string,
  links: PageLinks,
): { readonly html: string; readonly tracks: PageTrack[] } {
  const tree = HtmlTree.read(html);
  const players = new Map<Element, FoundPlayer>();
  const live = new Map<Element, string>();
  for (const element of tree.elements()) {
    const played = playedFile(element, links.base, links.addresses);
    const found = played === null ? null : links.player(referenceKey('player', played));
    if (found) players.set(element, found);
    if (attributeOf(element, liveMark) !== undefined) live.set(element, attributeOf(element, 'href') ?? '');
  }
  replaceUrls(tree, ({ url, element }) => newAddress(url, element, links));
  for (const [element, href] of live) setAttribute(element, 'href', href);
  return { html: writeWith(tree, players, links), tracks: tracksOf(players) };
}

function newAddress(text: string, element: string, links: PageLinks): string | null {
  const address = links.addresses.read(text, links.base);
  const inPackage = address.kind === 'file' || address.kind === 'site' ? links.packageAt(address.url) : null;
  if (inPackage !== null && 'hash' in address) return `${inPackage}${address.hash}`;
  switch (address.kind) {
    case 'file': {
      const at = element === 'form' ? null : links.fileAt(referenceKey('file', address.url));
      return `${at ?? address.url}${address.hash}`;
    }
    case 'site': {
      const at = element === 'form' ? null : links.pageAt(address.page);
      return `${at ?? address.url}${address.hash}`;
    }
    case 'external': {
      const at = links.fileAt(referenceKey('external', address.url));
      return at === null ? `${address.url}${address.hash}` : `${at}${address.hash}`;
    }
    case 'strange':
    case 'own':
      return null;
  }
}

function writeWith(tree: HtmlTree, players: ReadonlyMap<Element, FoundPlayer>, links: PageLinks): string {
  const parts = new Set<Element>();
  let number = 0;
  for (const [element, player] of players) {
    number += 1;
    for (const part of partsOf(element)) parts.add(part);
    setAttribute(element, 'src', links.fileAt(referenceKey('file', player.url)) ?? player.url);
    if (player.poster !== '' && attributeOf(element, 'poster') === undefined && element.tagName === 'video') {
      setAttribute(element, 'poster', links.fileAt(referenceKey('file', player.poster)) ?? player.poster);
    }
    setAttribute(element, 'data-tracks', player.tracks.length > 0 ? `m${number}` : null);
  }
  tree.remove(parts);
  return tree.write();
}

function tracksOf(players: ReadonlyMap<Element, FoundPlayer>): PageTrack[] {
  return [...players.values()].flatMap(({ tracks }, index) =>
    tracks.map((track) => ({ ...track, media: `m${index + 1}` })),
  );
}
