import type { Knex } from 'knex';
import { titleOf } from '../content/attachments/attachment-fields.ts';
import { documentHash, documentText } from '../content/document.ts';
import type { PostWriter } from '../content/post-writer.ts';
import { lockUntilCommit } from '../db/locks.ts';
import { mapStrings } from './map-strings.ts';
import type { PostToRewrite, TermToRewrite } from './rewrite-content-store.ts';

/** Gives the very same text when nothing in it changes. */
export type TextChange = (text: string) => string;

/**
 * Of those who rewrite texts all over a site one goes after the other: each of them locks many of its rows, which
 * two at once could do in different orders. To be taken before any of the rows.
 */
export const lockTexts = (trx: Knex.Transaction, blogId: number): Promise<void> =>
  lockUntilCommit(trx, `texts of site ${blogId}`);

/** The post with its texts changed and the hash of its document made anew; the very same when nothing changes. */
export function changedPost(post: PostToRewrite, change: TextChange): PostToRewrite {
  const content = change(post.content);
  const excerpt = change(post.excerpt);
  const meta = mapStrings(post.meta, change) as PostToRewrite['meta'];
  const private_meta = mapStrings(post.private_meta, change) as PostToRewrite['private_meta'];
  const same = content === post.content && excerpt === post.excerpt;
  if (same && meta === post.meta && private_meta === post.private_meta) return post;
  const now = { ...post, content, excerpt, meta, private_meta };
  return { ...now, hash: documentHash(documentText(now)) };
}

/** The term with meta and icon changed; the very same when nothing changes. */
export function changedTerm(term: TermToRewrite, change: TextChange): TermToRewrite {
  const icon = change(term.icon);
  const meta = mapStrings(term.meta, change) as TermToRewrite['meta'];
  return icon === term.icon && meta === term.meta ? term : { ...term, icon, meta };
}

/** By whose words a rewritten post is found: an attachment also by its file's name and the words for who cannot see it. */
export const wordsOfPost = (writer: PostWriter, post: PostToRewrite): string =>
  writer.searchText(post, post.filename === null ? [] : [post.alt ?? '', titleOf(post.filename)]);
