import { Database, defineOperation, page, pageQuery, Terms, yup } from '@lyceum/core';
import { langQuery, languagesOf } from '../languages.ts';
import { access, SectionList, sectionTaxonomy, showSections } from '../section.ts';

export const listSections = defineOperation({
  id: 'course_manager.list-sections',
  method: 'GET',
  path: 'svc/course-manager/v1/sections',
  summary: 'Sections of the site by order; searched by their names in the current language',
  access,
  input: { query: yup.object({ search: yup.string().max(200), ...langQuery, ...pageQuery() }) },
  output: SectionList,
  paged: true,
  handle: async ({ query }, call) => {
    const languages = languagesOf(call, query.lang);
    const { items, total } = await call.get(Terms).list({ blog_id: call.site.blog_id }, sectionTaxonomy, {
      search: query.search,
      langs: [languages.current, languages.standard],
      by: 'order',
      limit: query.per_page,
      offset: (query.page - 1) * query.per_page,
    });
    return page(await showSections(call, items, languages, call.get(Database).knex), total);
  },
});
