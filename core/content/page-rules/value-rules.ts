import { resolveLocal } from './local-references.ts';
import type { Place } from './place.ts';
import type { Severity } from './problem.ts';
import type { PageRules } from './widget-words.ts';

/** Tells of a problem at a place. */
export type Tell = (code: string, severity: Severity, place: Place | null, message: string) => void;

const addressKeys: ReadonlySet<unknown> = new Set(['url', 'href', 'src', 'link']);
const unsafeStarts = ['javascript:', 'vbscript:', 'data:text/html'];
const longestStart = Math.max(...unsafeStarts.map((start) => start.length));

/** The first letters of an address as a browser reads it: without spaces and control characters, in lower case. */
function startOf(address: string): string {
  let start = '';
  for (const letter of address) {
    if ((letter.codePointAt(0) ?? 0) <= 0x20 || /^[\s\u007f-\u009f]$/u.test(letter)) continue;
    start += letter.toLowerCase();
    if (start.length >= longestStart) break;
  }
  return start;
}

/** What is asked of the texts of an element. */
interface TextRules extends Pick<PageRules, 'isFile'> {
  readonly mayScript: boolean;
  readonly tell: Tell;
}

function checkText(text: string, place: Place, { mayScript, isFile, tell }: TextRules): void {
  if (addressKeys.has(place.key) && unsafeStarts.some((start) => startOf(text).startsWith(start))) {
    tell('pb_unsafe_url', 'error', place, 'The address would run a script or show foreign HTML.');
  }
  if (!mayScript && /<script/i.test(text)) {
    tell('pb_script', 'warning', place, 'A script belongs into a widget of type html.');
  }
  if (!isFile || !text.includes('local://')) return;
  const [strange] = resolveLocal(text, 'plain', (path) => (isFile(path) ? '' : null)).unknown;
  if (strange !== undefined) tell('pb_local_ref', 'error', place, `The project has no file "${strange}".`);
}

/** Looks at every text in a value of an element, however deep, without recursion. */
export function checkValue(given: unknown, place: Place, rules: TextRules): void {
  const open: { readonly value: unknown; readonly place: Place }[] = [{ value: given, place }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, place: at } = next;
    if (typeof value === 'string') checkText(value, at, rules);
    else if (Array.isArray(value)) {
      for (const [index, member] of value.entries()) {
        open.push({ value: member, place: { above: at, key: index } });
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        open.push({ value: member, place: { above: at, key } });
      }
    }
  }
}
