import { defineOperation, readId, Sites, yup } from '@lyceum/core';
import { include, Site, siteParams } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

export const readSite = defineOperation({
  id: 'site_manager.read-site',
  method: 'GET',
  path: 'svc/site-manager/v1/sites/{blog_id}',
  summary: 'One site of the network',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: siteParams(), query: yup.object({ include: include() }) },
  output: Site,
  errors: ['site_not_found', 'site_not_in_network'],
  handle: async ({ params, query }, call) => {
    const site = await call.get(Sites).get(call.site.network_id, readId(params.blog_id));
    return showOne(call, site, query.include?.includes('stats') ?? false);
  },
});
