/** Shortcodes with attributes, or in pairs: the text between them stays. */
const shortcode = /\[\/?[a-z][a-z0-9_-]{1,50}(?:\s[^[\]]{0,2000})?\]/gi;

/** A bracket is a shortcode when it closes one, or has attributes: \`[1]\` and \`[sic]\` are a writer's own. */
const telling = /^\[\/|=\s*["'\w]/;

/** The content without what only a renderer reads. */
export const withoutShortcodes = (content: string): string => {
  const closed = new Set(
    [...content.matchAll(/\[\/([a-z][a-z0-9_-]{1,50})\]/gi)].map(([, name]) => name?.toLowerCase()),
  );
  return content.replaceAll(shortcode, (found) => {
    const name = /^\[\/?([a-z][a-z0-9_-]*)/i.exec(found)?.[1]?.toLowerCase() ?? '';
    return telling.test(found) || closed.has(name) ? '' : found;
  });
};
