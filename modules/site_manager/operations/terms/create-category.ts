import { Addresses, created, defineOperation, yup } from '@lyceum/core';
import { createTerm } from '../../site-terms.ts';
import { categoryFields, SiteCategory, termName } from '../../term-fields.ts';

const path = 'svc/site-manager/v1/categories';

export const createCategory = defineOperation({
  id: 'site_manager.create-category',
  method: 'POST',
  path,
  summary: 'Create a site category',
  access: { can: 'manage_network' },
  contract: true,
  input: { body: yup.object({ name: termName().required(), ...categoryFields }) },
  success: 201,
  output: SiteCategory,
  errors: ['term_exists'],
  example: { body: { name: 'Schools', names: { ru: 'Школы' } } },
  handle: async ({ body }, call) => {
    const term = await createTerm(call, 'site_category', body);
    return created(term, call.get(Addresses).route(call.currentSite, `${path}/${term.id}`));
  },
});
