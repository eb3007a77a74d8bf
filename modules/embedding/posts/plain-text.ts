import type { Shortcodes, SiteState } from '@lyceum/core';

const bracketed = /\[\/?[a-z][a-z0-9_-]{1,50}(?:\s[^[\]]{0,2000})?\]/gi;
const closing = /\[\/([a-z][a-z0-9_-]{1,50})\]/gi;
const nameIn = /^\[\/?([a-z][a-z0-9_-]*)/i;

/** What closes another, or has attributes, is a shortcode of a module that is not here; `[1]` and `[sic]` are words. */
const telling = /^\[\/|=\s*["'\w]/;

/**
 * The content without what only a renderer reads. The inside of a shortcode stays where it is the same for every
 * reader; what a dynamic one holds may be for some of them alone.
 */
export function withoutShortcodes(shortcodes: Shortcodes, state: SiteState, content: string): string {
  if (!content.includes('[')) return content;
  const kept: string[] = [];
  let done = 0;
  for (const found of shortcodes.parse(state, content)) {
    kept.push(content.slice(done, found.from));
    if (!found.dynamic && found.content !== null) kept.push(found.content);
    done = found.to;
  }
  kept.push(content.slice(done));
  return withoutUnknown(kept.join(' '));
}

function withoutUnknown(content: string): string {
  const closed = new Set([...content.matchAll(closing)].map(([, name]) => name?.toLowerCase()));
  return content.replaceAll(bracketed, (found) => {
    const name = nameIn.exec(found)?.[1]?.toLowerCase();
    return telling.test(found) || closed.has(name) ? ' ' : found;
  });
}
