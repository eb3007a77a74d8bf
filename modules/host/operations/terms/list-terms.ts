import { defineOperation, id, maxId, page, pageQuery, Terms, yup } from '@lyceum/core';
import { findReadable } from '../posts/find-readable.ts';
import { presentTerm } from './present-term.ts';
import { siteTaxonomy } from './site-taxonomy.ts';
import { TermRecord } from './term-fields.ts';

export const listTerms = defineOperation({
  id: 'host.list-terms',
  method: 'GET',
  path: 'svc/host/v1/terms',
  summary: 'Terms of a taxonomy of the site, by order',
  access: { can: 'read' },
  site: 'selectable',
  input: {
    query: yup.object({
      taxonomy: yup.string().required(),
      parent_id: yup.number().integer().min(0).max(maxId),
      search: yup.string().max(200),
      post_id: id(),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(TermRecord.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const taxonomy = siteTaxonomy(call, query.taxonomy);
    const readable = query.post_id === undefined || (await findReadable(call, query.post_id)) !== null;
    if (!readable) return page([], 0);
    const { items, total } = await call.get(Terms).list({ blog_id: call.site.blog_id }, taxonomy, {
      parentId: query.parent_id,
      search: query.search,
      postId: query.post_id,
      by: 'order',
      limit: query.per_page,
      offset: (query.page - 1) * query.per_page,
    });
    const ids = items.map((term) => term.id);
    const counts = await call.get(Terms).counts(ids);
    return page(
      items.map((term) => presentTerm(call, term, counts.get(term.id) ?? 0)),
      total,
    );
  },
});
