import { Addresses, type Call, created, defineOperation, fail, idText, maxId, yup } from '@lyceum/core';
import { CopyRecord, wishFields } from '../copy-wish.ts';
import { findSource } from '../source.ts';
import { SourceAttachments } from '../source-attachments.ts';
import { findTargets, type Target } from '../target.ts';
import { copiesTo } from '../target-copies.ts';

export const duplicatePost = defineOperation({
  id: 'post_duplicator.duplicate-post',
  method: 'POST',
  path: 'svc/post-duplicator/v1/posts/{post_id}/duplicate',
  summary: 'Make a copy of a record, on its site or on another one of the network',
  description: 'The answer comes when the copy is there, with its children and files if they were asked for.',
  access: { canAny: ['edit_posts', 'edit_pages'] },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ post_id: idText() }),
    body: yup.object({ ...wishFields, target_blog_id: yup.number().integer() }),
  },
  success: 201,
  output: CopyRecord,
  errors: [
    'post_not_found',
    'post_in_trash',
    'post_type_not_duplicable',
    'post_tree_too_large',
    'media_quota_exceeded',
    'storage_unavailable',
  ],
  // Files of gigabytes are copied while the client waits.
  timeoutMs: 300_000,
  example: { body: { title: 'Fire safety 2', status: 'draft', copy_children: true } },
  handle: async ({ params, body }, call) => {
    const { target_blog_id = call.site.blog_id, ...wish } = body;
    if (target_blog_id < 1 || (call.single && target_blog_id !== call.site.blog_id)) fail('invalid_blog');
    const source = await findSource(call, params.post_id, wish.copy_children);
    const target = await findTarget(call, target_blog_id);
    const parts = { call, source, target, wish };
    const copies = await copiesTo(parts, new SourceAttachments(call, source));
    try {
      const copy = await copies.copy(1);
      const location = call.get(Addresses).route(target.site, `svc/host/v1/posts/${copy.post_id}`);
      return created(copy, location);
    } finally {
      await copies.end();
    }
  },
});

async function findTarget(call: Call, blogId: number): Promise<Target> {
  const targets = blogId > maxId ? null : await findTargets(call, [blogId]);
  return targets?.get(blogId) ?? fail('unknown_blog');
}
