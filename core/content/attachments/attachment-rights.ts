import type { Post } from '../post.ts';
import { editPost, type Rights } from '../post-rights.ts';

/** Attachments are guarded like posts. */
const guarded = { capabilities: 'post' } as const;

type Owned = Pick<Post, 'author_id' | 'status'>;

/** `edit_post` on an attachment: one's own with `edit_posts`, another's with `edit_others_posts`. */
export const mayEditAttachment = (call: Rights, attachment: Owned): boolean =>
  editPost(call, attachment, guarded);

/**
 * Whether the caller may read an attachment and its file: `publish` with `read`; `private` its author, or with
 * `read_private_pages`; any other status whoever may edit it; in the trash nobody. What the attachment belongs to
 * plays no part.
 */
export function mayReadAttachment(call: Rights, { author_id, status }: Owned): boolean {
  if (!call.user || status === 'trash') return false;
  return inReach(call, author_id, reachOf(call, status));
}

/** Whose attachments of a status somebody sees in lists; those in the trash whoever may edit them. */
export type Reach = 'all' | 'own' | 'none';

/** Which attachments of this status the caller may read: all, his own, or none. */
export function reachOf(call: Rights, status: Post['status']): Reach {
  if (!call.can('read')) return 'none';
  if (status === 'publish') return 'all';
  if (status === 'private') return call.can('read_private_pages') ? 'all' : 'own';
  if (call.can('edit_others_posts')) return 'all';
  return call.can('edit_posts') ? 'own' : 'none';
}

const inReach = (call: Rights, authorId: number, reach: Reach): boolean =>
  reach === 'all' || (reach === 'own' && authorId === call.user?.id);
