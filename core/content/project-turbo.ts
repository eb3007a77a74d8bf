import { htmlTokens } from './html-tokens.ts';

/** Elements that show nothing to a reader. */
const hidden = new Set(['script', 'style', 'template']);

/** Tags of the document around its body. */
const frame = new Set(['html', 'head', 'body']);

/**
 * The readable HTML of a turbo document: the inside of its body without `script`, `style` and `template`, each
 * kept piece byte for byte. A text without a body tag is all body, but for its head.
 */
export function projectTurbo(html: string): string {
  const kept: string[] = [];
  let templates = 0;
  let inHead = false;
  for (const token of htmlTokens(html)) {
    const { kind, name } = token;
    if (name === 'template') templates = Math.max(0, templates + (kind === 'start' ? 1 : -1));
    else if (name === 'head') inHead = kind === 'start';
    else if (name === 'body') {
      // What stands before the body is no part of it.
      if (kind === 'start') kept.length = 0;
      inHead = false;
    }
    const isDoctype = kind === 'other' && /^<!doctype/i.test(html.slice(token.from, token.from + 9));
    if (hidden.has(name) || frame.has(name) || templates > 0 || inHead || isDoctype) continue;
    kept.push(html.slice(token.from, token.to));
  }
  return kept.join('').trim();
}
