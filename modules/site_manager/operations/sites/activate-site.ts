import { defineOperation } from '@lyceum/core';
import { changeSite } from '../../change-site.ts';
import { Site, siteParams } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

export const activateSite = defineOperation({
  id: 'site_manager.activate-site',
  method: 'POST',
  path: 'svc/site-manager/v1/sites/{blog_id}/activate',
  summary: 'Make a site public',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: siteParams() },
  output: Site,
  errors: ['site_not_found', 'site_not_in_network'],
  handle: async ({ params }, call) =>
    showOne(call, await changeSite(call, params.blog_id, 'site.activate', { public: 1 }), false),
});
