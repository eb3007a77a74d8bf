import { Database, defineOperation, page, pageQuery, rawText, yup } from '@lyceum/core';
import { access, blogCodes, namespace } from '../access.ts';
import { findProject } from '../find-project.ts';
import { longestToldPath } from '../manifest/entries.ts';
import { ItemRecord, itemExample } from '../project-record.ts';
import { itemsPage } from '../stores/item-store.ts';

export const listPages = defineOperation({
  id: 'local_sync.list-pages',
  method: 'GET',
  path: `${namespace}/projects/{project}/pages`,
  summary: 'Pages of a project, by key: which side changed',
  access,
  site: 'selectable',
  blogCodes,
  input: {
    params: yup.object({ project: rawText(longestToldPath).required() }),
    query: yup.object(pageQuery()),
  },
  paged: true,
  output: yup.array().of(ItemRecord.required()).required(),
  errors: ['local_sync_project_not_found'],
  example: { answer: [itemExample] },
  handle: async ({ params, query }, call) => {
    const { project_id } = await findProject(call, params.project);
    const { items, total } = await itemsPage(call.get(Database).knex, project_id, query);
    return page(items, total);
  },
});
