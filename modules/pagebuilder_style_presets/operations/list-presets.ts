import { Database, defineOperation, page, pageQuery, word, yup } from '@lyceum/core';
import { PresetRecord, presentPreset, statuses } from '../preset.ts';
import { elementType } from '../preset-fields.ts';
import { PresetStore, presetOrders } from '../preset-store.ts';

export const listPresets = defineOperation({
  id: 'pagebuilder_style_presets.list-presets',
  method: 'GET',
  path: 'svc/pagebuilder-style-presets/v1/presets',
  summary: 'Style presets of the site, by name unless asked otherwise',
  access: { can: 'edit_posts' },
  contract: true,
  input: {
    query: yup.object({
      element_type: elementType(),
      status: word(...statuses, 'any').default('publish'),
      is_default: yup.boolean(),
      search: yup.string().max(200),
      orderby: word(...presetOrders).default('name'),
      order: word('asc', 'desc').default('asc'),
      ...pageQuery(),
    }),
  },
  output: yup.array().of(PresetRecord.required()).required(),
  paged: true,
  handle: async ({ query }, call) => {
    const { status, per_page } = query;
    const { items, total } = await call.get(PresetStore).list(call.get(Database).knex, call.site.blog_id, {
      elementType: query.element_type,
      statuses: status === 'any' ? statuses : [status],
      isDefault: query.is_default,
      search: query.search,
      orderBy: query.orderby,
      order: query.order,
      limit: per_page,
      offset: (query.page - 1) * per_page,
    });
    return page(items.map(presentPreset), total);
  },
});
