import { defineModule, yup } from '@lyceum/core';

const network = { scope: 'network', default: '' } as const;

/** Keeps a secret of a network, and something that is none. */
export default defineModule({
  id: 'test_vault',
  title: 'Vault',
  defaultEnabled: true,
  settings: {
    key: { ...network, schema: yup.string().defined(), secret: true },
    color: { ...network, schema: yup.string().defined() },
  },
  hooks: {
    onSiteCreated: async ({ blog_id, network_id }, { trx }) => {
      const root = await trx('networks').where({ network_id }).first('root_blog_id');
      await trx('site_options').insert({
        blog_id,
        name: 'test_root',
        value: JSON.stringify(root.root_blog_id),
      });
    },
  },
});
