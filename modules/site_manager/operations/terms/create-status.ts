import { Addresses, created, defineOperation, yup } from '@lyceum/core';
import { createTerm } from '../../site-terms.ts';
import { SiteStatus, statusFields, termName } from '../../term-fields.ts';

const path = 'svc/site-manager/v1/statuses';

export const createStatus = defineOperation({
  id: 'site_manager.create-status',
  method: 'POST',
  path,
  summary: 'Create a site status',
  access: { can: 'manage_network' },
  contract: true,
  input: { body: yup.object({ name: termName().required(), ...statusFields }) },
  success: 201,
  output: SiteStatus,
  errors: ['term_exists'],
  example: { body: { name: 'In preparation', names: { ru: 'Готовится' } } },
  handle: async ({ body }, call) => {
    const term = await createTerm(call, 'site_status', body);
    return created(term, call.get(Addresses).route(call.currentSite, `${path}/${term.id}`));
  },
});
