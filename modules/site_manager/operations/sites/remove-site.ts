import { Database, defineOperation, invalidParams, readId, yup } from '@lyceum/core';
import { removeSite as remove } from '../../remove-site.ts';
import { siteParams } from '../../site-fields.ts';
import { workOf } from '../../site-work.ts';

export const removeSite = defineOperation({
  id: 'site_manager.remove-site',
  method: 'DELETE',
  path: 'svc/site-manager/v1/sites/{blog_id}',
  summary: 'Remove a site: it is nowhere from now on, and a job takes away its rows and files',
  description: 'With `drop_tables=false` rows and files stay, and the site may come back for a while.',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    params: siteParams(),
    query: yup.object({ drop_tables: yup.boolean() }),
    body: yup.object({ drop_tables: yup.boolean() }),
  },
  output: yup.object({
    deleted: yup.boolean().required(),
    blog_id: yup.number().integer().required(),
    drop_tables: yup.boolean().required(),
    job_id: yup.string().uuid().nullable().defined(),
  }),
  errors: ['site_not_found', 'site_not_in_network', 'main_site_forbidden', 'site_busy'],
  example: { body: { drop_tables: false } },
  handle: async ({ params, query, body }, call) => {
    const dropTables = body.drop_tables ?? query.drop_tables ?? true;
    const asked = query.drop_tables ?? dropTables;
    if (asked !== dropTables) invalidParams({ drop_tables: 'must not be given twice with different values' });
    const work = await workOf(call);
    return call.get(Database).transaction((trx) => remove(trx, work, readId(params.blog_id), dropTables));
  },
});
