import { defineOperation, fail, idText, readId, yup } from '@lyceum/core';
import { findReadable } from './find-readable.ts';
import { PostRecord } from './post-record.ts';
import { presentPost } from './present-posts.ts';

export const getPost = defineOperation({
  id: 'host.get-post',
  method: 'GET',
  path: 'svc/host/v1/posts/{id}',
  summary: 'One post, with content and meta',
  access: { can: 'read' },
  site: 'selectable',
  input: { params: yup.object({ id: idText() }) },
  output: PostRecord,
  errors: ['post_not_found'],
  handle: async ({ params }, call) => {
    const id = readId(params.id);
    const found = id === null ? null : await findReadable(call, id);
    return found ? presentPost(call, found.post) : fail('post_not_found');
  },
});
