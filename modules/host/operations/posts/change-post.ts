import {
  type Call,
  Database,
  defineOperation,
  editPost,
  fail,
  idText,
  type Post,
  type PostFields,
  Posts,
  readId,
  yup,
} from '@lyceum/core';
import { lockReadable } from './find-readable.ts';
import { fieldsOf, postFields } from './post-fields.ts';
import { checkPermissions } from './post-permissions.ts';
import { PostRecord } from './post-record.ts';
import { presentPost } from './present-posts.ts';

const hashText = () =>
  yup
    .string()
    .matches(/^[0-9a-f]{64}$/)
    .meta({ jsonSchema: { type: 'string', pattern: '^[0-9a-f]{64}$' } });

export const changePost = defineOperation({
  id: 'host.change-post',
  method: 'PATCH',
  path: 'svc/host/v1/posts/{id}',
  summary: 'Change the given fields of a post; with base_hash only if its document is still that one',
  access: { canAny: ['edit_posts', 'edit_pages'] },
  site: 'selectable',
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({ base_hash: hashText(), ...postFields }),
  },
  output: PostRecord,
  errors: ['post_not_found', 'edit_conflict'],
  example: { body: { title: 'Fire safety', status: 'publish', meta: { editor: 'block' } } },
  handle: async ({ params, body }, call) => {
    const id = readId(params.id) ?? fail('post_not_found');
    const { base_hash, ...given } = body;
    return presentPost(call, await change(call, id, base_hash, fieldsOf(given)));
  },
});

function change(call: Call, id: number, baseHash: string | undefined, fields: PostFields): Promise<Post> {
  return call.get(Database).transaction(async (trx) => {
    const { post, type } = await lockReadable(trx, call, id);
    if (!editPost(call, post, type)) fail('rest_forbidden');
    await checkPermissions(trx, call, type, post, fields);
    if (baseHash !== undefined && baseHash !== post.hash)
      fail('edit_conflict', { data: { hash: post.hash } });
    return call.get(Posts).update(trx, call, post, fields);
  });
}
