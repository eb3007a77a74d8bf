import { CapabilityTable, callerOf, Database, defineOperation, roles, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { editableSites } from '../editable-site-store.ts';
import { namespace, SiteRow, siteExample, siteRow } from '../site-row.ts';

export const listSites = defineOperation({
  id: 'studio_sync.list-sites',
  method: 'GET',
  path: `${namespace}/sites`,
  summary: 'Open sites of the network whose pages the user may edit, by id',
  access: { secret: bearer },
  contract: true,
  output: yup.object({
    success: yup.boolean().required(),
    sites: yup.array().of(SiteRow.required()).required(),
  }),
  example: { answer: { success: true, sites: [siteExample] } },
  handle: async (_input, call) => {
    const table = call.get(CapabilityTable);
    const editing = roles.filter((role) => table.holds(role, false, 'edit_pages'));
    const sites = await editableSites(call.get(Database).knex, call.site, callerOf(call), editing);
    return { success: true, sites: sites.map((site) => siteRow(call, site)) };
  },
});
