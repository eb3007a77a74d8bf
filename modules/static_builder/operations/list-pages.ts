import { Database, defineOperation, word, yup } from '@lyceum/core';
import { Builds } from '../builds.ts';
import { access, blogCodes } from '../operation-parts.ts';

const CatalogPage = yup.object({
  id: yup.number().integer().required(),
  title: yup.string().defined(),
  slug: yup.string().defined(),
  menu_order: yup.number().integer().required(),
  status: word('publish', 'draft', 'private', 'pending').required(),
});

export const listPages = defineOperation({
  id: 'static_builder.list-pages',
  method: 'GET',
  path: 'svclms/static-builder/v1/pages',
  summary: 'The pages that a course may be made of, in the order of menus',
  access,
  site: 'selectable',
  blogCodes,
  contract: true,
  output: yup.object({
    blog_id: yup.number().integer().required(),
    pages: yup.array().of(CatalogPage.required()).required(),
  }),
  handle: async (_input, call) => {
    const { blog_id } = call.site;
    const { pages } = call.get(Builds).parts;
    return { blog_id, pages: await pages.catalog(call.get(Database).knex, blog_id) };
  },
});
