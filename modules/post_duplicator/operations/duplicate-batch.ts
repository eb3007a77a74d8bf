import { defineOperation, fail, id, idText, invalidParams, list, yup } from '@lyceum/core';
import { BatchResult } from '../batch-result.ts';
import { CopyRecord, wishFields } from '../copy-wish.ts';
import { findSource } from '../source.ts';
import { SourceAttachments } from '../source-attachments.ts';
import { findTargets } from '../target.ts';
import { copiesTo, type TargetCopies } from '../target-copies.ts';

/** Copies of one request. */
const mostCopies = 100;

const isDistinct = (ids: readonly unknown[] | undefined): boolean =>
  ids === undefined || new Set(ids).size === ids.length;

export const duplicateBatch = defineOperation({
  id: 'post_duplicator.duplicate-batch',
  method: 'POST',
  path: 'svc/post-duplicator/v1/posts/{post_id}/duplicate-batch',
  summary: 'Make copies of a record on many sites, or many on one, with a result for each',
  description: 'A site to which nothing can be copied stops nothing: it stands among the failed.',
  access: { canAny: ['edit_posts', 'edit_pages'] },
  site: 'selectable',
  contract: true,
  input: {
    params: yup.object({ post_id: idText() }),
    body: yup.object({
      ...wishFields,
      blog_ids: list(id().required(), 50).min(1).test('distinct', 'must not name a site twice', isDistinct),
      count: yup.number().integer().min(1).max(50).default(1),
    }),
  },
  output: yup.object({
    succeeded: yup.array().of(CopyRecord.required()).required(),
    failed: yup
      .array()
      .of(
        yup.object({
          blog_id: yup.number().integer().required(),
          index: yup.number().integer().required(),
          code: yup.string().required(),
          message: yup.string().defined(),
        }),
      )
      .required(),
    total: yup.number().integer().required(),
    processed: yup.number().integer().required(),
  }),
  errors: ['post_not_found', 'post_in_trash', 'post_type_not_duplicable', 'post_tree_too_large'],
  timeoutMs: 300_000,
  example: { body: { blog_ids: [2, 3], count: 1, status: 'draft' } },
  handle: async ({ params, body }, call) => {
    const { blog_ids = [call.site.blog_id], count, ...wish } = body;
    const total = blog_ids.length * count;
    if (total > mostCopies)
      invalidParams({ count: `must not ask for more than ${mostCopies} copies in all` });
    if (call.single && blog_ids.some((blogId) => blogId !== call.site.blog_id)) fail('invalid_blog');
    const source = await findSource(call, params.post_id, wish.copy_children);
    const along = new SourceAttachments(call, source);
    const targets = await findTargets(call, blog_ids);
    const result = new BatchResult(call);
    for (const blogId of blog_ids) {
      const target = targets.get(blogId);
      const begin = async (): Promise<TargetCopies> =>
        target ? await copiesTo({ call, source, target, wish }, along) : fail('unknown_blog');
      await copyMany(result, begin, blogId, count);
    }
    const { succeeded, failed } = result;
    return { succeeded, failed, total, processed: total };
  },
});

/** So many copies to one site; where none can be made, each of them has failed. */
async function copyMany(
  result: BatchResult,
  begin: () => Promise<TargetCopies>,
  blogId: number,
  count: number,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_none, at) => at + 1);
  let copies: TargetCopies;
  try {
    copies = await begin();
  } catch (error) {
    for (const number of numbers) result.refuse(blogId, number, error);
    return;
  }
  try {
    for (const number of numbers) {
      try {
        result.succeeded.push(await copies.copy(number));
      } catch (error) {
        result.refuse(blogId, number, error);
      }
    }
  } finally {
    await copies.end();
  }
}
