import { defineOperation, yup } from '@lyceum/core';
import { deletePackage as remove } from '../delete-package.ts';
import { common, namespace, packageParams } from '../operation-parts.ts';

export const deletePackage = defineOperation({
  ...common,
  id: 'embed_packages.delete-package',
  method: 'DELETE',
  path: `${namespace}/packages/{id}`,
  summary: 'Delete a package and its files for good',
  description: 'Its addresses end at once. Pages that show it stay bound to it until they are unbound.',
  input: { params: packageParams() },
  output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
  errors: ['embed_packages_not_found', 'embed_packages_delete_failed'],
  example: { answer: { deleted: true, id: 7 } },
  handle: ({ params }, call) => remove(call, params.id),
});
