import { Database, defineOperation, pageQuery, word, wrappedPage, yup } from '@lyceum/core';
import { common, namespace } from '../operation-parts.ts';
import { PackageItem, packageExample } from '../package-record.ts';
import { PackageStore, packageOrders } from '../package-store.ts';
import { presentPackages } from '../present-package.ts';

export const listPackages = defineOperation({
  ...common,
  id: 'embed_packages.list-packages',
  method: 'GET',
  path: `${namespace}/packages`,
  summary: 'Packages of a site',
  input: {
    query: yup.object({
      ...pageQuery(),
      search: yup.string().max(200),
      orderby: word(...packageOrders).default('modified_at'),
      order: word('asc', 'desc').default('desc'),
    }),
  },
  paged: true,
  output: yup.object({
    blog_id: yup.number().integer().required(),
    packages: yup.array().of(PackageItem).required(),
  }),
  example: { answer: { blog_id: 1, packages: [packageExample] } },
  handle: async ({ query }, call) => {
    const { blog_id } = call.site;
    const filter = { ...query, search: query.search, blogId: blog_id };
    const { rows, total } = await call.get(PackageStore).list(call.get(Database).knex, filter);
    return wrappedPage({ blog_id, packages: await presentPackages(call, rows) }, total);
  },
});
