import { defineOperation } from '@lyceum/core';
import { readBinding } from '../bindings.ts';
import { common, namespace, pageOf } from '../operation-parts.ts';
import { BindingRecord, bindingExample, bindingParams } from './binding-record.ts';

export const getPagePackage = defineOperation({
  ...common,
  id: 'embed_packages.get-page-package',
  method: 'GET',
  path: `${namespace}/pages/{page_id}/package`,
  summary: 'The package that a page shows',
  input: { params: bindingParams() },
  output: BindingRecord,
  errors: ['embed_packages_page_not_found'],
  example: { answer: bindingExample },
  handle: ({ params }, call) => readBinding(call, pageOf(params)),
});
