import { defineOperation, yup } from '@lyceum/core';
import { unbindPage } from '../bindings.ts';
import { common, namespace, pageOf } from '../operation-parts.ts';
import { bindingParams } from './binding-record.ts';

export const deletePagePackage = defineOperation({
  ...common,
  id: 'embed_packages.delete-page-package',
  method: 'DELETE',
  path: `${namespace}/pages/{page_id}/package`,
  summary: 'Let a page show its own content only',
  input: { params: bindingParams() },
  output: yup.object({ deleted: yup.boolean().required(), page_id: yup.number().integer().required() }),
  errors: ['embed_packages_page_not_found'],
  example: { answer: { deleted: true, page_id: 12 } },
  handle: ({ params }, call) => unbindPage(call, pageOf(params)),
});
