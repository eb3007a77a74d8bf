import { defineOperation, idText, yup } from '@lyceum/core';
import { removeTerm } from '../../site-terms.ts';

export const deleteStatus = defineOperation({
  id: 'site_manager.delete-status',
  method: 'DELETE',
  path: 'svc/site-manager/v1/statuses/{id}',
  summary: 'Delete a site status; sites that have it are left without one',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: yup.object({ id: idText() }) },
  output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
  errors: ['term_not_found'],
  handle: async ({ params }, call) => {
    const { id } = await removeTerm(call, 'site_status', params.id);
    return { deleted: true, id };
  },
});
