import {
  defineOperation,
  id,
  invalidParams,
  list,
  maxId,
  type PostStatus,
  Posts,
  page,
  pageQuery,
  viewerOf,
  word,
  yup,
} from '@lyceum/core';
import { usableType } from './find-readable.ts';
import { PostRecord } from './post-record.ts';
import { presentPosts } from './present-posts.ts';

const anyStatus: readonly PostStatus[] = ['publish', 'draft', 'private', 'pending', 'future'];

const statusWord = () => word('publish', 'draft', 'private', 'pending', 'future', 'trash', 'any').required();

export const listPosts = defineOperation({
  id: 'host.list-posts',
  method: 'GET',
  path: 'svc/host/v1/posts',
  summary: 'Posts of one type that the caller may read',
  access: { can: 'read' },
  site: 'selectable',
  input: {
    query: yup.object({
      type: yup.string().default('post'),
      status: list(statusWord(), 7).default(() => ['publish']),
      search: yup.string().max(200),
      slug: yup.string().max(200),
      parent_id: yup.number().integer().min(0).max(maxId),
      author_id: id(),
      term_id: id(),
      lang: yup.string().max(35),
      ids: list(id().required(), 100),
      include: list(word('content', 'meta').required(), 2).default(() => []),
      orderby: word('created_at', 'modified_at', 'title', 'menu_order', 'id').default('created_at'),
      order: word('asc', 'desc').default('desc'),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(PostRecord.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const type = usableType(call, query.type);
    if (!type) return invalidParams({ type: 'must be a post type of the site' });
    const asked = (query.status ?? []).flatMap((status) => (status === 'any' ? anyStatus : [status]));
    const include = query.include ?? [];
    const { items, total } = await call.get(Posts).list({
      blogId: call.site.blog_id,
      type: type.id,
      statuses: [...new Set(asked)],
      search: query.search,
      slug: query.slug,
      parentId: query.parent_id,
      authorId: query.author_id,
      termId: query.term_id,
      lang: query.lang,
      ids: query.ids,
      visibleTo: viewerOf(call, type),
      orderBy: query.orderby,
      order: query.order,
      limit: query.per_page,
      offset: (query.page - 1) * query.per_page,
      include: { content: include.includes('content'), meta: include.includes('meta') },
    });
    return page(await presentPosts(call, items), total);
  },
});
