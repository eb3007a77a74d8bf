import { JsonIds } from './json-ids.ts';
import { pastBlank } from './json-tokens.ts';
import { type IdKind, idForm, type NewId } from './references.ts';
import { applyEdits, type Edit } from './text-edits.ts';

/**
 * Rewrites the ids in a text with markup: those in the attributes of block comments, in classes `wp-image-N`, and
 * in the shortcodes of galleries, playlists, players and captions. Pure, and linear in the length of the text;
 * only the numbers change, or go together with the comma, name or blank that belongs to them.
 */
export function rewriteMarkupIds(text: string, newId: NewId): string {
  return applyEdits(text, [
    ...blockEdits(text, newId),
    ...classEdits(text, newId),
    ...shortcodeEdits(text, newId),
  ]);
}

/** Rewrites, in a text that is JSON, the numbers under `id` in objects with a `url`; and the markup in its strings. */
export function rewriteJsonIds(text: string, newId: NewId): string {
  const walked = new JsonIds(text, 'document', newId).walk(0, text.length);
  const edits = walked && pastBlank(text, walked.end) === text.length ? walked.edits : [];
  return applyEdits(text, [...edits, ...classEdits(text, newId), ...shortcodeEdits(text, newId)]);
}

const looksLikeJson = /^\s*[[{]/;

/** Rewrites the ids of a text of either kind. */
export function rewriteIds(text: string, newId: NewId): string {
  return looksLikeJson.test(text) ? rewriteJsonIds(text, newId) : rewriteMarkupIds(text, newId);
}

const blockName = /\s+wp:[a-z][a-z0-9_/-]*\s+(?={)/y;

/** Comments are taken one after the other and never twice, so a text of mere beginnings costs no more than others. */
function blockEdits(text: string, newId: NewId): Edit[] {
  const edits: Edit[] = [];
  for (let at = text.indexOf('<!--'); at >= 0; ) {
    const close = text.indexOf('-->', at + 4);
    if (close < 0) break;
    // Of several beginnings before one end the first is the comment, but the last may be what was meant.
    const begins = new Set([at, text.lastIndexOf('<!--', close - 1)]);
    for (const begin of begins) {
      const found = attributeEdits(text, begin + 4, close, newId);
      if (found) edits.push(...found);
      if (found) break;
    }
    at = text.indexOf('<!--', close + 3);
  }
  return edits;
}

function attributeEdits(text: string, at: number, close: number, newId: NewId): readonly Edit[] | null {
  blockName.lastIndex = at;
  if (!blockName.test(text)) return null;
  return new JsonIds(text, 'block', newId).walk(blockName.lastIndex, close)?.edits ?? null;
}

/** As JSON writes it a quote has backslashes before it, or is one of the escapes `\u0022` and `\u0027`. */
const quote = String.raw`(?:\\*["']|\\+u002[27])`;
const classHere = new RegExp(String.raw`\bclass\s*=\s*${quote}`, 'g');
/** The value of a class attribute; longer ones are no lists of classes. */
const classesHere = /[^"'<>\\]{0,2000}/y;
const imageClass = /(^|\s)wp-image-(\d+)(?=(\s?))(?!\S)/g;
const images: readonly IdKind[] = ['attachment'];

function classEdits(text: string, newId: NewId): Edit[] {
  const edits: Edit[] = [];
  if (!text.includes('wp-image-')) return edits;
  for (const { index, 0: opening } of text.matchAll(classHere)) {
    const from = index + opening.length;
    classesHere.lastIndex = from;
    const classes = classesHere.exec(text)?.[0] ?? '';
    for (const found of classes.matchAll(imageClass)) {
      const [whole, before = '', number = '', after = ''] = found;
      const id = idForm.test(number) ? newId(images, Number(number)) : undefined;
      if (id === undefined) continue;
      const start = from + found.index;
      const end = start + whole.length;
      // One blank goes along: the one before it, or of the first class the one behind it.
      if (id === null) edits.push({ from: start, to: before ? end : end + after.length, with: '' });
      else edits.push({ from: end - number.length, to: end, with: String(id) });
    }
  }
  return edits;
}

const shortcodeHere = /\[(gallery|playlist|audio|video|caption)(?=[\s\]])([^[\]]*)/g;
const idsAttribute = new RegExp(String.raw`\sids\s*=\s*${quote}?\s*(\d[\d,\s]*)`);
const idAttribute = new RegExp(String.raw`\sid\s*=\s*${quote}?(?:attachment_)?(\d+)`);

function shortcodeEdits(text: string, newId: NewId): Edit[] {
  const edits: Edit[] = [];
  for (const found of text.matchAll(shortcodeHere)) {
    const [whole, name, attributes = ''] = found;
    const from = found.index + whole.length - attributes.length;
    const listed = name === 'gallery' || name === 'playlist';
    const value = (listed ? idsAttribute : idAttribute).exec(attributes);
    if (!value) continue;
    const [assigned, list = ''] = value;
    edits.push(...listEdits(list, from + value.index + assigned.length - list.length, newId));
  }
  return edits;
}

/** Edits of a list like `7,8`: a number that goes takes the comma before it along, the first one that behind it. */
function listEdits(list: string, from: number, newId: NewId): Edit[] {
  const edits: Edit[] = [];
  let keeps = false;
  for (const { index, 0: number } of list.matchAll(/\d+/g)) {
    const id = idForm.test(number) ? newId(images, Number(number)) : undefined;
    const start = from + index;
    const end = start + number.length;
    if (id === null) {
      const comma = keeps ? list.lastIndexOf(',', index) : list.indexOf(',', index);
      if (keeps) edits.push({ from: comma < 0 ? start : from + comma, to: end, with: '' });
      else edits.push({ from: start, to: comma < 0 ? end : from + comma + 1, with: '' });
      continue;
    }
    keeps = true;
    if (id !== undefined) edits.push({ from: start, to: end, with: String(id) });
  }
  return edits;
}
