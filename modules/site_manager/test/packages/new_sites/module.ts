import { defineModule, fail } from '@lyceum/core';

/** Off, and yet told of every new site: it notes that, and refuses those whose slug begins with `refused`. */
export default defineModule({
  id: 'test_new_sites',
  title: 'New sites',
  publicSegments: ['shop'],
  errors: { test_site_refused: { status: 409, message: 'Not this site.' } },
  errorsElsewhere: { 'site_manager.create-site': ['test_site_refused'] },
  hooks: {
    onSiteCreated: async ({ blog_id, network_id }, { trx }) => {
      const site = await trx('sites').where({ blog_id }).first('slug');
      await trx('site_options').insert({ blog_id, name: 'test_told', value: JSON.stringify(network_id) });
      if (site.slug.startsWith('refused')) fail('test_site_refused');
    },
  },
});
