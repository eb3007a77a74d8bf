import { Database, defineOperation, page, pageQuery, readId, Sites, yup } from '@lyceum/core';
import { MemberRecord, role } from '../../member-fields.ts';
import { MemberStore } from '../../member-store.ts';
import { siteParams } from '../../site-fields.ts';

export const listMembers = defineOperation({
  id: 'site_manager.list-members',
  method: 'GET',
  path: 'svc/site-manager/v1/sites/{blog_id}/users',
  summary: 'Members of a site with their roles, by id',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    params: siteParams(),
    query: yup.object({ role: role(), search: yup.string().max(200), ...pageQuery() }),
  },
  output: yup.array().of(MemberRecord.required()).required(),
  paged: true,
  errors: ['site_not_found', 'site_not_in_network'],
  handle: async ({ params, query }, call) => {
    const { blog_id } = await call.get(Sites).get(call.site.network_id, readId(params.blog_id));
    const { members, total } = await call.get(MemberStore).list(call.get(Database).knex, blog_id, query);
    return page(members, total);
  },
});
