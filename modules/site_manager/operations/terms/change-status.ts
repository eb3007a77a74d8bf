import { defineOperation, idText, yup } from '@lyceum/core';
import { changeTerm } from '../../site-terms.ts';
import { SiteStatus, statusFields, termName } from '../../term-fields.ts';

export const changeStatus = defineOperation({
  id: 'site_manager.change-status',
  method: 'PATCH',
  path: 'svc/site-manager/v1/statuses/{id}',
  summary: 'Change the given fields of a site status',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: yup.object({ id: idText() }), body: yup.object({ name: termName(), ...statusFields }) },
  output: SiteStatus,
  errors: ['term_not_found', 'term_exists'],
  example: { body: { name: 'In preparation' } },
  handle: ({ params, body }, call) => changeTerm(call, 'site_status', params.id, body),
});
