import { documentHash, documentText, projectedContent } from './document.ts';
import { type MetaValues, mergeMeta } from './meta-keys.ts';
import type { Post, PostStatus } from './post.ts';
import { maxSlug, sanitizeSlug } from './slug.ts';

/** What a write gives of a post; absent fields stay as they are. */
export interface PostFields {
  readonly status?: Exclude<PostStatus, 'trash'> | undefined;
  readonly title?: string | undefined;
  /** Sanitized and made unique; without a letter or digit it is made from the title. */
  readonly slug?: string | undefined;
  /** Kept byte for byte. */
  readonly content?: string | undefined;
  readonly excerpt?: string | undefined;
  readonly author_id?: number | undefined;
  /** A post of the same site and type, 0 for none. */
  readonly parent_id?: number | undefined;
  readonly menu_order?: number | undefined;
  readonly lang?: string | undefined;
  /** An attachment of the site, 0 for none. */
  readonly featured_media?: number | undefined;
  /** RFC 3339 in UTC with milliseconds. */
  readonly created_at?: string | undefined;
  /** A client's values: checked, merged, null removes. */
  readonly meta?: MetaValues | undefined;
  /** Values of the writing module itself, read-only and private (`_`) keys too: merged unchecked, null removes. */
  readonly moduleMeta?: MetaValues | undefined;
  /** Term ids by taxonomy; replaces the sets of the given taxonomies. */
  readonly terms?: Readonly<Record<string, readonly number[]>> | undefined;
}

const plain = [
  'status',
  'title',
  'content',
  'excerpt',
  'author_id',
  'parent_id',
  'menu_order',
  'lang',
  'featured_media',
  'created_at',
] as const;

/** The wanted slug, before it is made unique. */
export function wantedSlug(given: string | undefined, post: Pick<Post, 'type' | 'title' | 'id'>): string {
  const slug = sanitizeSlug(given ?? '', maxSlug) || sanitizeSlug(post.title, maxSlug);
  return slug || sanitizeSlug(`${post.type}-${post.id}`, maxSlug);
}

/**
 * The post as the write will leave it: fields and meta merged, the readable HTML and the hash of its document
 * made anew.
 * @param base the post before, or a blank one
 * @param meta the checked values of `fields.meta`
 */
export function applied(before: Post | null, base: Post, fields: PostFields, meta: MetaValues): Post {
  const given = Object.fromEntries(
    plain.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  ) as Partial<Post>;
  const own = Object.entries(fields.moduleMeta ?? {});
  const shared = Object.fromEntries(own.filter(([key]) => !key.startsWith('_')));
  const secret = Object.fromEntries(own.filter(([key]) => key.startsWith('_')));
  const merged: Post = {
    ...base,
    ...given,
    trashed_status: fields.status === undefined ? base.trashed_status : null,
    meta: mergeMeta(base.meta, { ...meta, ...shared }),
    private_meta: mergeMeta(base.private_meta, secret),
  };
  const slug = before && fields.slug === undefined ? before.slug : wantedSlug(fields.slug, merged);
  const content = projectedContent(before, merged);
  const written = { ...merged, slug, content };
  return { ...written, hash: documentHash(documentText(written)) };
}

/** Names of the columns in which the two differ. */
export function changedColumns(before: Post, after: Post): readonly (keyof Post)[] {
  return (Object.keys(after) as (keyof Post)[]).filter((name) => {
    const [old, now] = [before[name], after[name]];
    return typeof old === 'object' ? JSON.stringify(old) !== JSON.stringify(now) : old !== now;
  });
}
