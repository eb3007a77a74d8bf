import { lockUntilCommit, type PostLinks, type Shortcodes } from '@lyceum/core';
import { type ChunkStore, primaryLanguage, type ReplacedChunks } from '@lyceum/module/rag';
import type { Knex } from 'knex';
import { cutDocument } from '../chunking/cut-document.ts';
import { withoutShortcodes } from '../posts/plain-text.ts';
import { mostTextBytes, type PostText, putPostState, readPost } from '../posts/post-state-store.ts';
import { embedderKey, languagesOf } from '../site-wish.ts';
import type { SyncScope } from './sync-scope.ts';

/** What became of a post; `tooLong` has no chunks. */
export interface CutPost extends ReplacedChunks {
  readonly tooLong: boolean;
}

export interface CutParts {
  readonly chunks: ChunkStore;
  readonly links: PostLinks;
  readonly shortcodes: Shortcodes;
}

/** Brings the chunks of one post up to date; null when it is no longer one to be synced. */
export async function cutPost(
  trx: Knex.Transaction,
  parts: CutParts,
  scope: SyncScope,
  id: number,
): Promise<CutPost | null> {
  // Of two jobs at one new post, the second must see what the first put there.
  await lockUntilCommit(trx, `embedding post ${id}`);
  const post = await readPost(trx, scope, id);
  if (!post) return null;
  const replaced = await parts.chunks.replace(
    trx,
    await sourceOf(parts.links, scope, post),
    chunksOf(parts.shortcodes, scope, post),
    { wanted: scope.embeds && knows(scope, post.lang), anew: scope.anew },
  );
  await putPostState(trx, scope.blogId, post, scope.recipe);
  return { ...replaced, tooLong: post.bytes > mostTextBytes };
}

function chunksOf(shortcodes: Shortcodes, { wish, state }: SyncScope, { title, content }: PostText) {
  const html = withoutShortcodes(shortcodes, state, content);
  return cutDocument({ title, html, size: wish.size, embedder: embedderKey(wish) });
}

async function sourceOf(links: PostLinks, { blogId, site }: SyncScope, post: PostText) {
  const { id, title, type, lang } = post;
  const urls = await links.permalinks(site, [post]);
  return { blog_id: blogId, id_post: id, title, url: urls.get(id) ?? '', post_type: type, lang };
}

function knows({ wish }: SyncScope, lang: string): boolean {
  const languages = languagesOf(wish);
  return languages === null || languages.includes(primaryLanguage(lang));
}
