import { type Call, editPost, fail, maxId, Posts, PostTypes, yup } from '@lyceum/core';
import type { Knex } from 'knex';

/** What is written beside a file, at its upload and later. */
export const mediaFields = {
  title: yup.string().max(500),
  alt: yup.string().max(5_000),
  caption: yup.string().max(100_000),
  parent_id: yup.number().integer().min(0).max(maxId),
};

/**
 * Whoever attaches a file to a record must be allowed to edit it. Whether there is such a record is for the
 * service to say.
 * @throws `rest_forbidden`
 */
export async function checkParentRight(sql: Knex, call: Call, parentId: number | undefined): Promise<void> {
  if (!parentId) return;
  const parent = await call.get(Posts).find(call.site.blog_id, parentId, sql);
  const type = parent && call.get(PostTypes).get(parent.type);
  if (parent && type && !editPost(call, parent, type)) fail('rest_forbidden');
}
