import { defineOperation, fail } from '@lyceum/core';
import { changeSite } from '../../change-site.ts';
import { Site, siteParams } from '../../site-fields.ts';
import { holdsOnSite } from './holds-on-site.ts';
import { showOne } from './show-one.ts';

export const deactivateSite = defineOperation({
  id: 'site_manager.deactivate-site',
  method: 'POST',
  path: 'svc/site-manager/v1/sites/{blog_id}/deactivate',
  summary: 'Make a site not public',
  access: {
    check: (call) => call.user !== null,
    because: '`manage_network`, or `delete_sites` on the site that the path names',
  },
  contract: true,
  input: { params: siteParams() },
  output: Site,
  errors: ['site_not_found', 'site_not_in_network', 'main_site_forbidden'],
  handle: async ({ params }, call) => {
    const may = call.can('manage_network') || (await holdsOnSite(call, params.blog_id, 'delete_sites'));
    if (!may) fail('rest_forbidden');
    return showOne(call, await changeSite(call, params.blog_id, 'site.deactivate', { public: 0 }), false);
  },
});
