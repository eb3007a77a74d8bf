import {
  type Call,
  CodedError as Coded,
  type CodedError,
  defineOperation,
  ErrorMapper,
  fail,
  id,
  idText,
  invalidParams,
  isCoded,
  list,
  yup,
} from '@lyceum/core';
import { copiesTo } from '../copies-to.ts';
import { CopyRecord, type CopyWish, wishFields } from '../copy-wish.ts';
import { findSource, type Source } from '../source.ts';
import { findTargets, type Target } from '../target.ts';
import type { Copy } from '../target-copies.ts';

/** Copies of one request. */
const mostCopies = 100;

const isDistinct = (ids: readonly unknown[] | undefined): boolean =>
  ids === undefined || new Set(ids).size === ids.length;

interface Failed {
  readonly blog_id: number;
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

interface Batch {
  readonly succeeded: Copy[];
  readonly failed: Failed[];
}

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
    const targets = await findTargets(call, blog_ids);
    const batch: Batch = { succeeded: [], failed: [] };
    for (const blogId of blog_ids) {
      await copyToOne(call, batch, { source, target: targets.get(blogId), wish, blogId, count });
    }
    return { ...batch, total, processed: total };
  },
});

interface One {
  readonly source: Source;
  readonly target: Target | undefined;
  readonly wish: CopyWish;
  readonly blogId: number;
  readonly count: number;
}

async function copyToOne(
  call: Call,
  batch: Batch,
  { source, target, wish, blogId, count }: One,
): Promise<void> {
  const refuse = (error: CodedError, index: number): void => {
    const described = call.get(ErrorMapper).describe(error) ?? { code: error.code, message: error.message };
    batch.failed.push({ blog_id: blogId, index, ...described });
  };
  const copies = target
    ? await copiesTo(call, source, target, wish).catch(orCoded)
    : new Coded('unknown_blog', {});
  if (isCoded(copies)) {
    for (let index = 1; index <= count; index += 1) refuse(copies, index);
    return;
  }
  try {
    for (let index = 1; index <= count; index += 1) {
      const copy = await copies.copy(index).catch(orCoded);
      if (isCoded(copy)) refuse(copy, index);
      else batch.succeeded.push(copy);
    }
  } finally {
    await copies.end();
  }
}

function orCoded(error: unknown): CodedError {
  if (isCoded(error)) return error;
  throw error;
}
