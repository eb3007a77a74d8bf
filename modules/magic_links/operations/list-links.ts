import { Database, defineOperation, id, page, pageQuery, word, yup } from '@lyceum/core';
import { LinkRecord, linkExample, statuses } from '../link.ts';
import { LinkStore } from '../link-store.ts';

export const listLinks = defineOperation({
  id: 'magic_links.list-links',
  method: 'GET',
  path: 'svc/magic-links/v1/links',
  summary: 'Links of the site, newest first',
  description: 'Without their tokens, which nobody can see again.',
  access: { can: 'promote_users' },
  input: { query: yup.object({ user_id: id(), status: word(...statuses), ...pageQuery() }) },
  output: yup.array().of(LinkRecord).required(),
  paged: true,
  example: { answer: [linkExample] },
  handle: async ({ query }, call) => {
    const { links, total } = await call
      .get(LinkStore)
      .list(call.get(Database).knex, call.site.blog_id, query);
    return page(links, total);
  },
});
