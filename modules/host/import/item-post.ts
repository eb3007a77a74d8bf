import type { BroughtPost, PostStatus } from '@lyceum/core';
import type { ItemMeta } from './item-meta.ts';
import { metaText } from './item-meta.ts';
import type { LocalTime } from './local-time.ts';
import type { Warnings } from './warnings.ts';
import type { WxrItem } from './wxr-record.ts';

type LivingStatus = Exclude<PostStatus, 'trash'>;

/** What an item becomes on the site, but for its author and terms. */
export interface ItemRules {
  readonly time: LocalTime;
  readonly now: Date;
  readonly lang: string;
  readonly warnings: Warnings;
}

const living: ReadonlySet<string> = new Set(['publish', 'draft', 'private', 'pending', 'future']);
const longestTitle = 500;
const longestExcerpt = 100_000;
const largestOrder = 2_147_483_647;

/** How warnings name an item. */
export const nameOf = ({ type, id }: Pick<WxrItem, 'type' | 'id'>): string => `${type}:${id}`;

const isLiving = (status: string): status is LivingStatus => living.has(status);

/** The post of an item. */
export function postOf(item: WxrItem, meta: ItemMeta, rules: ItemRules): Omit<BroughtPost, 'author_id'> {
  const { time, now, lang, warnings } = rules;
  const created_at = time.moment(item.dateGmt, item.date) ?? now.toISOString();
  return {
    type: item.type,
    status: statusOf(item, created_at, rules),
    trashed: item.status === 'trash',
    title: cut(item.title.trim(), longestTitle, 'title', item, warnings),
    slug: decoded(item.slug),
    content: item.content,
    excerpt: cut(item.excerpt, longestExcerpt, 'excerpt', item, warnings),
    menu_order: orderOf(item.menuOrder),
    lang,
    created_at,
    modified_at: time.moment(item.modifiedGmt, item.modified) ?? created_at,
    meta: meta.meta,
    moduleMeta: meta.secret,
  };
}

function statusOf(item: WxrItem, createdAt: string, { now, warnings }: ItemRules): LivingStatus {
  if (item.password !== '') {
    warnings.add('password_dropped', 'Has a password and is private here.', nameOf(item));
    return 'private';
  }
  const isInTrash = item.status === 'trash';
  const status = isInTrash ? metaText(item.meta, '_wp_trash_meta_status') || 'draft' : item.status;
  if (status === 'inherit' || status === '') return 'publish';
  if (status === 'future') return Date.parse(createdAt) > now.getTime() ? 'future' : 'publish';
  if (isLiving(status)) return status;
  if (!isInTrash)
    warnings.add('status_unknown', 'Has a status that is unknown here and is a draft.', nameOf(item));
  return 'draft';
}

function cut(text: string, longest: number, field: string, item: WxrItem, warnings: Warnings): string {
  if (text.length <= longest) return text;
  warnings.add(`${field}_cut`, `The ${field} was cut to ${longest} characters.`, nameOf(item));
  return text.slice(0, longest).toWellFormed();
}

/** Slugs of other scripts are percent-encoded in exports. */
export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

function orderOf(text: string): number {
  const order = Number(text);
  return Number.isInteger(order) && Math.abs(order) <= largestOrder ? order : 0;
}
