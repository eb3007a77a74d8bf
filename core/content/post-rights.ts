import type { PostTypeDeclaration } from '../api/module.ts';
import type { Post } from './post.ts';
import type { PostViewer } from './post-list-store.ts';

/** The part of a call that rights are decided from. */
export interface Rights {
  readonly user: { readonly id: number } | null;
  can(capability: string): boolean;
}

export type Guarded = Pick<PostTypeDeclaration, 'capabilities'>;

const words = {
  post: {
    edit: 'edit_posts',
    others: 'edit_others_posts',
    publish: 'publish_posts',
    remove: 'delete_posts',
  },
  page: {
    edit: 'edit_pages',
    others: 'edit_others_pages',
    publish: 'publish_pages',
    remove: 'delete_pages',
  },
} as const;

/** Whether the caller may make records of the type. */
export const mayCreate = (call: Rights, type: Guarded): boolean => call.can(words[type.capabilities].edit);

/** Whether the caller may make records of the type public, private or planned. */
export const mayPublish = (call: Rights, type: Guarded): boolean =>
  call.can(words[type.capabilities].publish);

/** Whether the caller may change what others made, and make records in their name. */
export const mayEditOthers = (call: Rights, type: Guarded): boolean =>
  call.can(words[type.capabilities].others);

/** `edit_post` on a record: one's own with the type's edit capability, another's with that for others. */
export function editPost(call: Rights, post: Pick<Post, 'author_id'>, type: Guarded): boolean {
  if (!call.user) return false;
  return post.author_id === call.user.id ? mayCreate(call, type) : mayEditOthers(call, type);
}

/** Whether the caller may move the record to the trash or delete it. */
export const deletePost = (call: Rights, post: Pick<Post, 'author_id'>, type: Guarded): boolean =>
  editPost(call, post, type) && call.can(words[type.capabilities].remove);

/** Whether the caller may see the record. */
export function readPost(call: Rights, post: Pick<Post, 'author_id' | 'status'>, type: Guarded): boolean {
  if (!call.user || !call.can('read')) return false;
  if (post.status === 'publish' || post.author_id === call.user.id || mayEditOthers(call, type)) return true;
  return post.status === 'private' && seesPrivate(call, type);
}

const seesPrivate = (call: Rights, type: Guarded): boolean =>
  type.capabilities === 'page' && call.can('read_private_pages');

/** The same for a list: null for a caller who sees every record of the type. */
export function viewerOf(call: Rights, type: Guarded): PostViewer | null {
  if (mayEditOthers(call, type)) return null;
  return { userId: call.user?.id ?? 0, seesPrivate: seesPrivate(call, type) };
}
