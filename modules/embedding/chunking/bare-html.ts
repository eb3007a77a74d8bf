import { htmlTokens } from '@lyceum/core';

const voids = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that end one another: however many follow unclosed, they do not nest. */
const endEachOther = new Set('p li dt dd tr td th thead tbody tfoot h1 h2 h3 h4 h5 h6 option'.split(' '));

/** Elements in which tags mean nothing and whose inside no reader sees. */
const unseen = new Set(
  'script style noscript iframe noembed noframes textarea title xmp plaintext'.split(' '),
);

/** Deeper nesting says nothing about a text, and a tree builder pays for it with the square of the depth. */
const mostDepth = 150;

/**
 * The same document for a tree builder, without what costs one time and tells a reader nothing: attributes,
 * comments, unseen text, and nesting beyond any sense. One pass over 5 MiB, whatever is in it.
 */
export function bareHtml(html: string): string {
  const kept: string[] = [];
  let depth = 0;
  for (const { kind, name, from, to } of htmlTokens(html)) {
    if (kind === 'text') kept.push(html.slice(from, to));
    if ((kind !== 'start' && kind !== 'end') || unseen.has(name) || !isPlain(name)) continue;
    const isStart = kind === 'start';
    if (voids.has(name) || endEachOther.has(name)) {
      kept.push(isStart ? `<${name}>` : `</${name}>`);
      continue;
    }
    if (isStart) depth += 1;
    if (depth <= mostDepth) kept.push(isStart ? `<${name}>` : `</${name}>`);
    if (!isStart) depth = Math.max(0, depth - 1);
  }
  return kept.join('');
}

/** Any other name is no element that matters here. */
const isPlain = (name: string): boolean => name.length <= 40 && /^[a-z][a-z0-9-]*$/.test(name);
