import { defineOperation, flag, id, page, pageQuery, Sites, siteOrders, word, yup } from '@lyceum/core';
import { include, Site } from '../../site-fields.ts';

export const listSites = defineOperation({
  id: 'site_manager.list-sites',
  method: 'GET',
  path: 'svc/site-manager/v1/sites',
  summary: 'All sites of the network, whatever their flags',
  access: { can: 'manage_network' },
  contract: true,
  input: {
    query: yup.object({
      search: yup.string().max(200),
      status_id: id(),
      category_id: id(),
      public: flag(),
      archived: flag(),
      deleted: flag(),
      spam: flag(),
      mature: flag(),
      is_template: yup.boolean(),
      user_id: id(),
      include: include(),
      orderby: word(...siteOrders).default('blog_id'),
      order: word('asc', 'desc').default('asc'),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(Site.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const { include: wanted, page: number, per_page, orderby, order, ...filter } = query;
    const sites = call.get(Sites);
    const { network_id } = call.site;
    const found = await sites.list({ ...filter, network_id }, { page: number, per_page, orderby, order });
    return page(await sites.show(found.sites, wanted?.includes('stats') ?? false), found.total);
  },
});
