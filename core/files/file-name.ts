/** The longest label kept, in characters as a reader counts them (code points). */
const MAX_LENGTH = 200;

/** Cut to this before normalization, whose time may grow with the square of a run of accents. */
const MAX_BEFORE_NORMALIZATION = 2 * MAX_LENGTH;

/** Control characters, and the marks that reverse or hide text so that `exe` may read as `png`. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

const EXTENSION = /\.([A-Za-z0-9]{1,16})$/;

/** The extension of a file name: lower case, without the dot; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot < 1) return '';
  return EXTENSION.exec(name.slice(dot))?.[1]?.toLowerCase() ?? '';
}

/**
 * A label from what a client calls its file: the part after the last slash of either kind, without control
 * characters and bidirectional marks, in Unicode form C, without dots and spaces at its ends, at most 200
 * characters with the extension kept. `file` when nothing is left. Only ever a label: never part of a key.
 */
export function cleanFileName(name: string): string {
  const slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  const label = trimDots(name.slice(slash + 1).replace(INVISIBLE, ''));
  if (label === '') return 'file';
  const extension = extensionOf(label);
  const ending = extension === '' ? '' : label.slice(-extension.length - 1);
  const stem = cut(label.slice(0, label.length - ending.length), MAX_BEFORE_NORMALIZATION).normalize('NFC');
  return trimDots(cut(stem, MAX_LENGTH - ending.length)) + ending;
}

/** By code points, so that no character is cut in two. */
function cut(text: string, length: number): string {
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');
}

/** The cleaned name with `.extension` added when it has none of its own. */
export function cleanFileNameWith(name: string, extension: string): string {
  const clean = cleanFileName(name);
  if (extension === '' || extensionOf(clean) !== '') return clean;
  return cleanFileName(`${clean}.${extension}`);
}

/** By hand, since `/[. ]+$/` would look at each run of dots again from every place in it. */
function trimDots(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isDotOrSpace(text, start)) start += 1;
  while (end > start && isDotOrSpace(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isDotOrSpace(text: string, index: number): boolean {
  const character = text.charAt(index);
  return character === '.' || character.trim() === '';
}

/**
 * A `Content-Disposition` by RFC 6266: `filename` in ASCII for old clients, `filename*` in UTF-8 for the
 * others. The name is cleaned once more, so that nothing stored can end the header.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const clean = cleanFileName(name);
  // A percent sign in the plain form is decoded by some clients and not by others.
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(clean).replace(/[!'()*]/g, percent);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
