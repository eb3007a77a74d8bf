import { callerOf, Database, defineOperation, list, mayCreate, mayEditOthers, word, yup } from '@lyceum/core';
import { bearer } from '../bearer.ts';
import { documentTypes, ListedItem, listedExample } from '../document-item.ts';
import { editedType } from '../find-document.ts';
import { listItems as listStoredItems } from '../item-store.ts';
import { namespace } from '../site-row.ts';

const most = 50;

export const listItems = defineOperation({
  id: 'studio_sync.list-items',
  method: 'GET',
  path: `${namespace}/sync/items`,
  summary: 'Documents that the user may edit, by id, without their texts',
  description: 'The hash says whether a text that the studio has is still that of the site.',
  access: { secret: bearer, can: 'edit_pages' },
  contract: true,
  site: 'selectable',
  input: {
    query: yup.object({
      post_type: list(word(...documentTypes).required(), most)
        .min(1)
        .default(() => ['page', 'modal']),
    }),
  },
  output: yup.object({
    success: yup.boolean().required(),
    items: yup.array().of(ListedItem.required()).required(),
  }),
  example: { answer: { success: true, items: [listedExample] } },
  handle: async ({ query }, call) => {
    const types = [...new Set(query.post_type)].flatMap((word) => editedType(call, word) ?? []);
    const others = types.filter((type) => mayEditOthers(call, type));
    const own = types.filter((type) => mayCreate(call, type));
    const items = await listStoredItems(call.get(Database).knex, {
      blogId: call.site.blog_id,
      others: others.map(({ id }) => id),
      own: own.map(({ id }) => id),
      authorId: callerOf(call).id,
    });
    return { success: true, items };
  },
});
