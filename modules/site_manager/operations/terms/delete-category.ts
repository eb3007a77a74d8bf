import { defineOperation, idText, yup } from '@lyceum/core';
import { removeTerm } from '../../site-terms.ts';

export const deleteCategory = defineOperation({
  id: 'site_manager.delete-category',
  method: 'DELETE',
  path: 'svc/site-manager/v1/categories/{id}',
  summary: 'Delete a site category; its children move to its parent, sites lose it',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
  errors: ['term_not_found'],
  handle: async ({ params }, call) => {
    const { id } = await removeTerm(call, 'site_category', params.id);
    return { deleted: true, id };
  },
});
