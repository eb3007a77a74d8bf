import { documentHash, documentText } from '../content/document.ts';
import type { RegisteredMeta } from '../content/meta-keys.ts';
import type { Post } from '../content/post.ts';
import type { NamePatterns } from './name-patterns.ts';
import { rewriteIds } from './rewrite-ids.ts';
import { type Rewriting, rewriteMeta } from './rewrite-meta.ts';

/** What of a post can name other records or addresses. */
export type PostTexts = Pick<Post, 'content' | 'excerpt' | 'meta' | 'private_meta' | 'hash'>;

const noKeys: ReadonlyMap<string, RegisteredMeta> = new Map();

/**
 * The texts of a copied post, their ids and URLs rewritten, the hash of its document made anew. The very same
 * object when nothing changes.
 */
export function rewritePost<P extends PostTexts>(
  post: P,
  registered: ReadonlyMap<string, RegisteredMeta>,
  excluded: NamePatterns,
  rewriting: Rewriting,
): P {
  const rewrite = (text: string): string => rewriting.urls(rewriteIds(text, rewriting.newId));
  const texts = {
    content: rewrite(post.content),
    excerpt: rewrite(post.excerpt),
    meta: rewriteMeta(post.meta, registered, excluded, rewriting),
    private_meta: rewriteMeta(post.private_meta, noKeys, excluded, rewriting),
  };
  const changed = Object.entries(texts).some(([name, text]) => post[name as keyof typeof texts] !== text);
  if (!changed) return post;
  const now = { ...post, ...texts };
  return { ...now, hash: documentHash(documentText(now)) };
}
