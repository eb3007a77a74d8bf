import { htmlTokens } from '../html-tokens.ts';

/** Elements of the head that a page is shown by. */
const shown = new Set(['style', 'script', 'link']);

/** All that may stand in a head; whatever else begins the body. */
const ofHead = new Set([...shown, 'title', 'meta', 'base', 'noscript', 'template', 'html', 'head']);

/** Tags of the document around its body. */
const frame = new Set(['html', 'head', 'body']);

/**
 * What a turbo document shows: the inside of its body, and before it the styles, scripts and style sheets of its head,
 * each piece byte for byte. Readers who want words alone have the document's projection.
 */
export function turboPage(html: string): string {
  const assets: string[] = [];
  const kept: string[] = [];
  let inHead = false;
  for (const { kind, name, from, to } of htmlTokens(html)) {
    if (kind === 'start' && !ofHead.has(name)) inHead = false;
    if (name === 'head') inHead = kind === 'start';
    // What stands before the body is no part of it.
    if (name === 'body' && kind === 'start') kept.length = 0;
    const text = html.slice(from, to);
    if (frame.has(name) || (kind === 'other' && /^<!doctype/i.test(text))) continue;
    if (!inHead) kept.push(text);
    else if (shown.has(name)) assets.push(text);
  }
  return [...assets, ...kept].join('').trim();
}
