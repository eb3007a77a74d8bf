import {
  type Call,
  Database,
  editPost,
  fail,
  type Post,
  Posts,
  type PostType,
  PostTypes,
  readId,
} from '@lyceum/core';
import { DuplicateStore, type TreeRow } from './duplicate-store.ts';

/** What is to be copied. */
export interface Source {
  readonly post: Post;
  readonly type: PostType;
  /** Ids of the records below it that are copied with it, each behind its parent. */
  readonly below: readonly number[];
}

/** Records of one copy, with what is below. */
const mostRecords = 500;

/** Guarded like posts, and copied by nobody by themselves. */
const attachmentType = 'attachment';

/**
 * The record of the path, if the caller may edit it and it can be copied.
 * @throws `post_not_found`, `rest_forbidden`, `post_in_trash`, `post_type_not_duplicable`, `post_tree_too_large`
 */
export async function findSource(call: Call, idText: string, withChildren: boolean): Promise<Source> {
  const id = readId(idText);
  const post = id === null ? null : await call.get(Posts).find(call.site.blog_id, id);
  if (!post) return fail('post_not_found');
  const type = call.get(PostTypes).get(post.type);
  const isAttachment = post.type === attachmentType;
  if (!isAttachment && !(type && call.state.isOn(type.module))) fail('post_not_found');
  const guarded = type ?? ({ capabilities: 'post' } as const);
  if (!editPost(call, post, guarded)) fail('rest_forbidden');
  if (post.status === 'trash') fail('post_in_trash');
  if (!type?.duplicable) return fail('post_type_not_duplicable');
  return { post, type, below: withChildren ? await recordsBelow(call, post, type) : [] };
}

async function recordsBelow(call: Call, post: Post, type: PostType): Promise<readonly number[]> {
  const sql = call.get(Database).knex;
  const rows = await call.get(DuplicateStore).below(sql, post.blog_id, post.type, post.id);
  const total = rows.length + 1;
  if (total > mostRecords) fail('post_tree_too_large', { data: { total } });
  if (rows.some((row) => !editPost(call, row, type))) fail('rest_forbidden');
  return parentsFirst(post.id, rows);
}

/** Level by level from the root down; in each level the order of the rows. */
export function parentsFirst(root: number, rows: readonly TreeRow[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const { id, parent_id } of rows) children.set(parent_id, [...(children.get(parent_id) ?? []), id]);
  const ordered: number[] = [];
  const open = [root];
  const seen = new Set(open);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const child of children.get(next) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      ordered.push(child);
      open.push(child);
    }
  }
  return ordered;
}
