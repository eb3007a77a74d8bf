import { defineOperation, id, yup } from '@lyceum/core';
import { bindPage } from '../bindings.ts';
import { common, namespace, pageOf, path } from '../operation-parts.ts';
import { BindingRecord, bindingExample, bindingParams } from './binding-record.ts';

export const putPagePackage = defineOperation({
  ...common,
  id: 'embed_packages.put-page-package',
  method: 'PUT',
  path: `${namespace}/pages/{page_id}/package`,
  summary: 'Let a page show a package, or one document of it',
  description:
    'Without `path` it shows the entry, whichever that is. It takes the place of what the page showed.',
  input: {
    params: bindingParams(),
    body: yup.object({ package_id: id().required(), path: path().nullable() }),
  },
  output: BindingRecord,
  errors: ['embed_packages_page_not_found', 'embed_packages_not_found'],
  example: { body: { package_id: 7 }, answer: bindingExample },
  handle: ({ params, body }, call) =>
    bindPage(call, pageOf(params), { package_id: body.package_id, path: body.path ?? null }),
});
