import { Database, defineOperation, list, maxId, pageQuery, word, wrappedPage, yup } from '@lyceum/core';
import { statuses } from '../build.ts';
import { BuildRecord, presentBuilds } from '../build-record.ts';
import { Builds } from '../builds.ts';
import { access, blogCodes } from '../operation-parts.ts';

export const listBuilds = defineOperation({
  id: 'static_builder.list-builds',
  method: 'GET',
  path: 'svclms/static-builder/v1/builds',
  summary: 'The builds of the site, the one that changed last first',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  paged: true,
  input: {
    query: yup.object({
      ...pageQuery(),
      status: list(word(...statuses).required(), statuses.length),
      build_course_id: yup.number().integer().min(0).max(maxId),
      search: yup.string().max(200),
    }),
  },
  output: yup.object({
    blog_id: yup.number().integer().required(),
    builds: yup.array().of(BuildRecord.required()).required(),
  }),
  handle: async ({ query }, call) => {
    const { page, per_page } = query;
    const { blog_id } = call.site;
    const filter = {
      blogId: blog_id,
      statuses: query.status ?? [],
      courseId: query.build_course_id ?? null,
      search: query.search ?? '',
    };
    const { store } = call.get(Builds).parts;
    const offset = (page - 1) * per_page;
    const { builds, total } = await store.list(call.get(Database).knex, filter, per_page, offset);
    return wrappedPage({ blog_id, builds: await presentBuilds(call, builds) }, total);
  },
});
