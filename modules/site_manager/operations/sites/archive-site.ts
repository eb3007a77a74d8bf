import { defineOperation } from '@lyceum/core';
import { changeSite } from '../../change-site.ts';
import { Site, siteParams } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

export const archiveSite = defineOperation({
  id: 'site_manager.archive-site',
  method: 'POST',
  path: 'svc/site-manager/v1/sites/{blog_id}/archive',
  summary: 'Archive: the site is unavailable to those who do not manage the network',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: siteParams() },
  output: Site,
  errors: ['site_not_found', 'site_not_in_network', 'main_site_forbidden'],
  handle: async ({ params }, call) =>
    showOne(call, await changeSite(call, params.blog_id, 'site.archive', { archived: 1 }), false),
});
