import { defineOperation, flag, yup } from '@lyceum/core';
import { changeSite as change } from '../../change-site.ts';
import { Site, siteFields, siteParams, siteTitle } from '../../site-fields.ts';
import { showOne } from './show-one.ts';

export const changeSite = defineOperation({
  id: 'site_manager.change-site',
  method: 'PATCH',
  path: 'svc/site-manager/v1/sites/{blog_id}',
  summary: 'Change the given fields of a site',
  description: 'Given categories replace those that the site has. A new slug moves the site at once.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    params: siteParams(),
    body: yup.object({
      title: siteTitle(),
      slug: yup.string(),
      archived: flag(),
      deleted: flag(),
      spam: flag(),
      mature: flag(),
      ...siteFields,
    }),
  },
  output: Site,
  errors: [
    'site_not_found',
    'site_not_in_network',
    'main_site_forbidden',
    'main_site_slug_forbidden',
    'site_slug_invalid',
    'site_exists',
    'term_not_found',
  ],
  example: { body: { title: 'Laboratory of sound', public: 0 } },
  handle: async ({ params, body }, call) =>
    showOne(call, await change(call, params.blog_id, 'site.update', body), false),
});
