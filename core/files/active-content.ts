import { opening } from './text-content.ts';

/** What a browser takes for HTML when it guesses, by the WHATWG's table, and a few more that run or embed. */
const TAGS = [
  '!--',
  '!doctype',
  '?xml',
  '?php',
  'a',
  'b',
  'base',
  'body',
  'br',
  'div',
  'embed',
  'font',
  'form',
  'frameset',
  'h1',
  'head',
  'html',
  'iframe',
  'img',
  'link',
  'math',
  'meta',
  'object',
  'p',
  'script',
  'style',
  'svg',
  'table',
  'title',
  'video',
];

const TAG = new RegExp(`^<(?:${TAGS.map((tag) => tag.replace('?', '\\?')).join('|')})(?:[\\s/>]|$)`);

/** `<!-->` and `<?=` need no space behind them. */
const STARTS = ['<!--', '<!doctype', '<?php', '<?=', '<%', '<html', '<script', '<svg'];

/** A program, whatever it is called: Windows and DOS, Linux, or a script with an interpreter. */
export function isProgram(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 4)).toString('latin1');
  return bytes.startsWith('MZ') || bytes.startsWith('\x7fELF') || bytes.startsWith('#!');
}

/** Source of a server's language, which no site may take even where HTML is allowed. */
export function isServerScript(head: Uint8Array): boolean {
  const start = opening(head);
  return start.startsWith('<?php') || start.startsWith('<?=') || start.startsWith('<%');
}

/** HTML, SVG, XML or PHP: what begins like markup, behind any white space and byte order mark. */
export function isMarkup(head: Uint8Array): boolean {
  const start = opening(head);
  return STARTS.some((text) => start.startsWith(text)) || TAG.test(start);
}

/**
 * The name of the first element of an XML or HTML text, in lower case and without its prefix, behind
 * declarations, comments and a document type. Null when there is none.
 */
export function rootElement(text: string): string | null {
  let at = 0;
  for (;;) {
    at = text.indexOf('<', at);
    if (at === -1) return null;
    const end = endOfPreamble(text, at);
    if (end === null) break;
    if (end === -1) return null;
    at = end;
  }
  const name = /^<(?:[A-Za-z_][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63})/.exec(text.slice(at, at + 140))?.[1];
  return name?.toLowerCase() ?? null;
}

/** Where the declaration, comment or document type at `at` ends; -1 when it does not, null when it is none. */
function endOfPreamble(text: string, at: number): number | null {
  if (text.startsWith('<?', at)) return text.indexOf('?>', at);
  if (text.startsWith('<!--', at)) return text.indexOf('-->', at + 4);
  if (text.startsWith('<!', at)) return text.indexOf('>', at);
  return null;
}
