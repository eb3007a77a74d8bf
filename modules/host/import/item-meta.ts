import type { MetaKeys } from '@lyceum/core';
import { unserialize } from './php-unserialize.ts';
import type { WxrMeta } from './wxr-record.ts';

type Values = Readonly<Record<string, unknown>>;

/** Meta of an item, as its post will have it. */
export interface ItemMeta {
  /** Shown, checked like a client's. */
  readonly meta: Values;
  /** Keys that begin with `_`. */
  readonly secret: Values;
}

/** Notes of the editor and of embeds, which mean nothing elsewhere; and what no object may have for a key. */
const dropped = /^(?:_edit_|_oembed_|_wp_old_slug$|__proto__$)/;

/** Keys that say what the import puts elsewhere. */
const elsewhere: ReadonlySet<string> = new Set([
  '_thumbnail_id',
  '_wp_attachment_image_alt',
  '_wp_trash_meta_status',
]);

const longestKey = 100;

/** A key that a post may have, of any text: other characters become `_`. */
const keyOf = (text: string): string => text.slice(0, longestKey).replaceAll(/[^A-Za-z0-9_.:-]/g, '_');

/** The value of one of the keys that the import puts elsewhere; empty when there is none. */
export const metaText = (meta: readonly WxrMeta[], key: string): string =>
  meta.find((entry) => entry.key === key)?.value ?? '';

/** JSON of what PHP serialized, else the text; a key that comes again makes a list of its values. */
function collect(entries: readonly WxrMeta[]): Map<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const { key, value } of entries) {
    const name = keyOf(key);
    const known = values.get(name);
    const read = unserialize(value) ?? value;
    if (known) known.push(read);
    else values.set(name, [read]);
  }
  return new Map([...values].map(([key, all]) => [key, all.length === 1 ? all[0] : all]));
}

/**
 * What of an item's meta comes in, and how.
 * @param refuse told of each key that does not
 */
export function itemMeta(
  metaKeys: MetaKeys,
  of: { readonly on: 'post' | 'term'; readonly type: string },
  entries: readonly WxrMeta[],
  refuse: (key: string, problem: string) => void,
): ItemMeta {
  const wanted = entries.filter(({ key }) => !dropped.test(key) && !elsewhere.has(key));
  const values = collect(wanted);
  const open = [...values].filter(([key]) => !key.startsWith('_'));
  const registered = metaKeys.of(of.on, of.type);
  const own = open.filter(([key]) => {
    const leads = registered.get(key)?.refs !== undefined;
    if (leads) refuse(key, 'names records by ids that are others here');
    return !leads;
  });
  const { kept, refused } = metaKeys.fitting(of.on, of.type, Object.fromEntries(own));
  for (const [key, problem] of refused) refuse(key, problem);
  return { meta: kept, secret: Object.fromEntries([...values].filter(([key]) => key.startsWith('_'))) };
}
