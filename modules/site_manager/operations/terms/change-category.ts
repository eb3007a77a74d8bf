import { defineOperation, idText, yup } from '@lyceum/core';
import { changeTerm } from '../../site-terms.ts';
import { categoryFields, SiteCategory, termName } from '../../term-fields.ts';

export const changeCategory = defineOperation({
  id: 'site_manager.change-category',
  method: 'PATCH',
  path: 'svc/site-manager/v1/categories/{id}',
  summary: 'Change the given fields of a site category',
  access: { can: 'manage_network' },
  contract: true,
  input: { params: yup.object({ id: idText() }), body: yup.object({ name: termName(), ...categoryFields }) },
  output: SiteCategory,
  errors: ['term_not_found', 'term_exists'],
  example: { body: { name: 'Schools' } },
  handle: ({ params, body }, call) => changeTerm(call, 'site_category', params.id, body),
});
