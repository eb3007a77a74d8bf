import { isPlainObject } from '../api/schema.ts';
import { isSchema } from './declaration-fault.ts';

type Fault = readonly [field: string, mend: string];

/** Words that authors write: no upper case, for WordPress tells tags apart by case and people do not. */
const tagForm = /^[a-z][a-z0-9_-]{0,40}$/;
const keys = new Set(['tag', 'title', 'attributes', 'dynamic', 'render']);

/** What is wrong with the shortcodes of a declaration; null when nothing is. */
export function shortcodesFault(list: unknown): Fault | null {
  if (list === undefined) return null;
  if (!Array.isArray(list)) return ['shortcodes', 'must be an array.'];
  const seen = new Set<unknown>();
  for (const entry of list) {
    const fault = shortcodeFault(entry);
    if (fault) return [`shortcodes${fault[0]}`, fault[1]];
    const { tag } = entry as { readonly tag: string };
    if (seen.has(tag)) return [`shortcodes.${tag}`, 'is declared twice; rename one.'];
    seen.add(tag);
  }
  return null;
}

function shortcodeFault(entry: unknown): Fault | null {
  if (!isPlainObject(entry) || typeof entry.tag !== 'string' || typeof entry.render !== 'function') {
    return ['', 'every entry must be defineShortcode({ tag, dynamic, render }).'];
  }
  const { tag, title, attributes, dynamic } = entry;
  if (!tagForm.test(tag)) return ['.tag', `must match ${tagForm.source}.`];
  const unknown = Object.keys(entry).find((key) => !keys.has(key));
  if (unknown) return [`.${tag}.${unknown}`, 'is no key of a shortcode; remove it.'];
  if (title !== undefined && typeof title !== 'string') return [`.${tag}.title`, 'must be a text.'];
  if (typeof dynamic !== 'boolean') return [`.${tag}.dynamic`, 'must be true or false.'];
  const isObject = isSchema(attributes) && (attributes as { readonly type: unknown }).type === 'object';
  return attributes === undefined || isObject ? null : [`.${tag}.attributes`, 'must be a yup object.'];
}
