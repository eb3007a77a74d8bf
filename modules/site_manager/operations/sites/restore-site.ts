import { audit, Database, defineOperation, RemovedSites, readId, yup } from '@lyceum/core';
import { enqueueRewrite } from '../../jobs/rewrite-urls.ts';
import { Site, siteParams } from '../../site-fields.ts';
import { workOf } from '../../site-work.ts';
import { showOne } from './show-one.ts';

export const restoreSite = defineOperation({
  id: 'site_manager.restore-site',
  method: 'POST',
  path: 'svc/site-manager/v1/sites/{blog_id}/restore',
  summary: 'Bring back a site that was removed with drop_tables=false',
  description: 'It has its id, flags, members, posts and files again; `slug` chooses another address.',
  access: { can: 'manage_network' },
  input: { params: siteParams(), body: yup.object({ slug: yup.string() }) },
  output: Site,
  errors: ['site_not_found', 'site_not_in_network', 'site_slug_invalid', 'site_exists'],
  example: { body: { slug: 'lab-again' } },
  handle: async ({ params, body }, call) => {
    const work = await workOf(call);
    const wanted = { networkId: call.site.network_id, blogId: readId(params.blog_id), slug: body.slug };
    const site = await call.get(Database).transaction(async (trx) => {
      const { site, before } = await call
        .get(RemovedSites)
        .restore(trx, { ...wanted, reserved: work.reserved });
      const { blog_id, domain, path } = site;
      await audit(trx, call, {
        module: 'site_manager',
        action: 'site.restore',
        subject: `site:${blog_id}`,
        blogId: blog_id,
        from: { domain: before.domain, path: before.path },
        to: { domain, path },
      });
      await enqueueRewrite(trx, work, before, site);
      return site;
    });
    return showOne(call, site, false);
  },
});
