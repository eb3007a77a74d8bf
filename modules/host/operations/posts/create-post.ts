import {
  type Call,
  callerOf,
  created,
  Database,
  defineOperation,
  fail,
  invalidParams,
  mayCreate,
  Posts,
  type PostType,
  yup,
} from '@lyceum/core';
import { recordUrl } from '../record-url.ts';
import { usableType } from './find-readable.ts';
import { fieldsOf, postFields } from './post-fields.ts';
import { checkPermissions } from './post-permissions.ts';
import { PostRecord } from './post-record.ts';
import { presentPost } from './present-posts.ts';

export const createPost = defineOperation({
  id: 'host.create-post',
  method: 'POST',
  path: 'svc/host/v1/posts',
  summary: 'Create a post, page or record of another type',
  access: { canAny: ['edit_posts', 'edit_pages'] },
  site: 'selectable',
  input: { body: yup.object({ type: yup.string().default('post'), ...postFields }) },
  success: 201,
  output: PostRecord,
  example: { body: { type: 'page', title: 'Fire safety', content: '<p>Where the exits are.</p>' } },
  handle: async ({ body }, call) => {
    const { type: typeId, ...given } = body;
    const type = creatableType(call, typeId);
    if (!given.title && !given.content) titleMissing();
    const fields = fieldsOf(given);
    const post = await call.get(Database).transaction(async (trx) => {
      await checkPermissions(trx, call, type, null, fields);
      return call.get(Posts).create(trx, call, {
        ...fields,
        type: type.id,
        author_id: fields.author_id ?? callerOf(call).id,
        lang: fields.lang ?? call.setting('default_lang'),
      });
    });
    return created(await presentPost(call, post), recordUrl(call, `svc/host/v1/posts/${post.id}`));
  },
});

function creatableType(call: Call, id: string): PostType {
  const type = usableType(call, id) ?? invalidParams({ type: 'must be a post type of the site' });
  return mayCreate(call, type) ? type : fail('rest_forbidden');
}

const titleMissing = (): never =>
  fail('rest_missing_callback_param', {
    message: 'Missing parameter(s): title',
    data: { params: ['title'] },
  });
