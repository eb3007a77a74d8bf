import { Database, defineOperation, page, pageQuery, yup } from '@lyceum/core';
import { access, blogCodes, namespace } from '../access.ts';
import { includeField, ProjectRecord, presentProject, projectExample } from '../project-record.ts';
import { itemsOf } from '../stores/item-store.ts';
import { ProjectStore } from '../stores/project-store.ts';

export const listProjects = defineOperation({
  id: 'local_sync.list-projects',
  method: 'GET',
  path: `${namespace}/projects`,
  summary: 'Local projects of the site, the one that was synced last first',
  access,
  contract: true,
  site: 'selectable',
  blogCodes,
  input: {
    query: yup.object({ search: yup.string().max(200), include: includeField(), ...pageQuery() }),
  },
  paged: true,
  output: yup.array().of(ProjectRecord.required()).required(),
  example: { answer: [projectExample] },
  handle: async ({ query }, call) => {
    const { search, include, page: number, per_page } = query;
    const { knex } = call.get(Database);
    const { projects, total } = await call.get(ProjectStore).list(knex, {
      blogId: call.site.blog_id,
      search,
      limit: per_page,
      offset: (number - 1) * per_page,
    });
    const ids = projects.map(({ project_id }) => project_id);
    const items = include?.includes('items') ? await itemsOf(knex, ids) : null;
    const shown = projects.map((project) =>
      presentProject(project, items && (items.get(project.project_id) ?? [])),
    );
    return page(shown, total);
  },
});
