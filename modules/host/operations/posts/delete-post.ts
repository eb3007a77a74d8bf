import { audit, Database, defineOperation, deletePost, fail, idText, Posts, readId, yup } from '@lyceum/core';
import { lockReadable } from './find-readable.ts';
import { PostRecord } from './post-record.ts';
import { presentPost } from './present-posts.ts';

/** What is left to say of a post that is gone. */
const Deleted = yup.object({
  deleted: yup.boolean(),
  ...PostRecord.partial().fields,
  id: PostRecord.fields.id,
});

export const removePost = defineOperation({
  id: 'host.delete-post',
  method: 'DELETE',
  path: 'svc/host/v1/posts/{id}',
  summary: 'Move a post to the trash, or with force delete it for good',
  description: 'Without force the answer is the post, in the trash; with force it is {deleted: true, id}.',
  access: { canAny: ['delete_posts', 'delete_pages'] },
  site: 'selectable',
  input: {
    params: yup.object({ id: idText() }),
    query: yup.object({ force: yup.boolean().default(false) }),
  },
  output: Deleted,
  errors: ['post_not_found'],
  handle: async ({ params, query }, call) => {
    const id = readId(params.id) ?? fail('post_not_found');
    const posts = call.get(Posts);
    const trashed = await call.get(Database).transaction(async (trx) => {
      const { post, type } = await lockReadable(trx, call, id);
      if (!deletePost(call, post, type)) fail('rest_forbidden');
      if (!query.force) return posts.trash(trx, call, post);
      await posts.remove(trx, call, post);
      await audit(trx, call, {
        module: 'host',
        action: 'post.delete',
        subject: `post:${id}`,
        from: { type: post.type, title: post.title, slug: post.slug, status: post.status },
      });
      return null;
    });
    return trashed ? presentPost(call, trashed) : { deleted: true, id };
  },
});
