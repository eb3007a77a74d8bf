import {
  Attachments,
  callerOf,
  defineOperation,
  maxId,
  page,
  pageQuery,
  reachOf,
  word,
  yup,
} from '@lyceum/core';
import { MediaRecord } from './media-record.ts';
import { presentMedia } from './present-media.ts';

export const listMedia = defineOperation({
  id: 'host.list-media',
  method: 'GET',
  path: 'svc/host/v1/media',
  summary: 'Attachments that the caller may read, newest first; of those in the trash the ones he may edit',
  access: { can: 'read' },
  site: 'selectable',
  input: {
    query: yup.object({
      mime_type: yup.string().max(100),
      search: yup.string().max(200),
      parent_id: yup.number().integer().min(0).max(maxId),
      status: word('publish', 'private', 'trash', 'any').default('any'),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(MediaRecord.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const { items, total } = await call.get(Attachments).list({
      blogId: call.site.blog_id,
      status: query.status,
      mimeType: query.mime_type,
      search: query.search,
      parentId: query.parent_id,
      userId: callerOf(call).id,
      reach: {
        publish: reachOf(call, 'publish'),
        private: reachOf(call, 'private'),
        others: reachOf(call, 'draft'),
      },
      limit: query.per_page,
      offset: (query.page - 1) * query.per_page,
    });
    return page(
      items.map((attachment) => presentMedia(call, attachment)),
      total,
    );
  },
});
