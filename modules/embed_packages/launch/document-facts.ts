import { htmlTokens } from '@lyceum/core';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** Title and language stand at the beginning of a document. */
export const headBytes = 64 * 1024;

/** Of a title or a tag: longer ones are cut or left out. */
const longestTag = 2_000;
const longestTitle = 200;

/** What a document says of itself. */
export interface DocumentFacts {
  /** Empty when it says nothing. */
  readonly title: string;
  readonly lang: string | null;
}

function decoderFor(head: Buffer): { decode(bytes: Uint8Array): string } {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  const named = /<meta[^>]{0,200}charset\s{0,10}=\s{0,10}["']?([\w-]{1,40})/i.exec(
    head.toString('latin1', 0, 1024),
  );
  try {
    return new TextDecoder(named?.[1] ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}

/** Title and language of an HTML document, read from its first bytes. */
export function documentFacts(head: Buffer): DocumentFacts {
  const html = decoderFor(head).decode(head);
  let lang: string | null = null;
  let inTitle = false;
  for (const { kind, name, from, to } of htmlTokens(html)) {
    if (kind === 'start' && name === 'html' && lang === null) lang = langOf(html.slice(from, to));
    if (kind === 'start' && name === 'body') break;
    if (inTitle && kind === 'raw') return { title: textOf(html.slice(from, to)), lang };
    inTitle = kind === 'start' && name === 'title';
  }
  return { title: '', lang };
}

type Element = DefaultTreeAdapterTypes.Element;

const root = (html: string): Element | undefined =>
  parse(html).childNodes.find((node): node is Element => node.nodeName === 'html');

function langOf(tag: string): string | null {
  if (tag.length > longestTag) return null;
  const value = root(tag)
    ?.attrs.find(({ name }) => name === 'lang')
    ?.value.trim();
  return value === undefined || value === '' ? null : value.slice(0, 35);
}

/** Character references become characters, white space single spaces. */
function textOf(title: string): string {
  const body = root(`<body><textarea>.${title.slice(0, longestTag).replaceAll('<', '&lt;')}`)?.childNodes[1];
  const area = body && 'childNodes' in body ? body.childNodes[0] : undefined;
  const text = area && 'childNodes' in area ? area.childNodes[0] : undefined;
  const value = text && 'value' in text ? text.value.slice(1) : '';
  const plain = value.replaceAll(/[\s\u0000-\u001f\u007f]+/gu, ' ').trim();
  return [...plain.slice(0, 4 * longestTitle)].slice(0, longestTitle).join('').toWellFormed().trim();
}
