import { Database, defineOperation, fail, idText, readId, Terms, yup } from '@lyceum/core';
import { siteTaxonomies } from './site-taxonomy.ts';

export const deleteTerm = defineOperation({
  id: 'host.delete-term',
  method: 'DELETE',
  path: 'svc/host/v1/terms/{id}',
  summary: 'Delete a term; its children move to its parent, its assignments go',
  access: { can: 'manage_categories' },
  site: 'selectable',
  input: { params: yup.object({ id: idText() }) },
  output: yup.object({ deleted: yup.boolean().required(), id: yup.number().integer().required() }),
  errors: ['term_not_found'],
  handle: async ({ params }, call) => {
    const id = readId(params.id) ?? fail('term_not_found');
    const owner = { blog_id: call.site.blog_id };
    await call
      .get(Database)
      .transaction((trx) => call.get(Terms).remove(trx, owner, siteTaxonomies(call), id, call));
    return { deleted: true, id };
  },
});
