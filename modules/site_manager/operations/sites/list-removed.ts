import { defineOperation, page, pageQuery, RemovedSites, Sites, time, yup } from '@lyceum/core';
import { daysMs } from '../../retention.ts';
import { Site } from '../../site-fields.ts';

export const listRemoved = defineOperation({
  id: 'site_manager.list-removed',
  method: 'GET',
  path: 'svc/site-manager/v1/sites/removed',
  summary: 'Removed sites that may come back, first removed first',
  access: { can: 'manage_network' },
  input: { query: yup.object(pageQuery()) },
  output: yup
    .array()
    .of(Site.shape({ removed_at: time().required(), purge_at: time().required() }).required())
    .required(),
  paged: true,
  handle: async ({ query }, call) => {
    const { sites, total } = await call.get(RemovedSites).list(call.site.network_id, query);
    const shown = await call.get(Sites).show(sites, false);
    const retention = call.setting<number>('removed_site_retention_days') * daysMs;
    const items = shown.map((site, at) => {
      const removed_at = sites[at]?.removed_at ?? '';
      return { ...site, removed_at, purge_at: new Date(Date.parse(removed_at) + retention).toISOString() };
    });
    return page(items, total);
  },
});
