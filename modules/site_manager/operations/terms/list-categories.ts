import { defineOperation, maxId, pageQuery, yup } from '@lyceum/core';
import { SiteCategory, termQuery } from '../../term-fields.ts';
import { listTerms } from './list-terms.ts';

export const listCategories = defineOperation({
  id: 'site_manager.list-categories',
  method: 'GET',
  path: 'svc/site-manager/v1/categories',
  summary: 'Site categories of the network, by name',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    query: yup.object({
      ...termQuery(),
      parent_id: yup.number().integer().min(0).max(maxId),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(SiteCategory.required()).required(),
  paged: true,
  handle: ({ query }, call) => listTerms(call, 'site_category', query),
});
