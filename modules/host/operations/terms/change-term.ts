import { Database, defineOperation, fail, idText, readId, Terms, yup } from '@lyceum/core';
import { presentTerm } from './present-term.ts';
import { siteTaxonomies } from './site-taxonomy.ts';
import { fieldsOf, TermRecord, termFields, termName } from './term-fields.ts';

export const changeTerm = defineOperation({
  id: 'host.change-term',
  method: 'PATCH',
  path: 'svc/host/v1/terms/{id}',
  summary: 'Change the given fields of a term; a meta value null removes its key',
  access: { can: 'manage_categories' },
  site: 'selectable',
  input: {
    params: yup.object({ id: idText() }),
    body: yup.object({ name: termName(), ...termFields }),
  },
  output: TermRecord,
  errors: ['term_not_found', 'term_exists'],
  example: { body: { name: 'Safety at work', parent_id: 0 } },
  handle: async ({ params, body }, call) => {
    const id = readId(params.id) ?? fail('term_not_found');
    const owner = { blog_id: call.site.blog_id };
    const term = await call
      .get(Database)
      .transaction((trx) => call.get(Terms).update(trx, owner, siteTaxonomies(call), id, fieldsOf(body)));
    const counts = await call.get(Terms).counts([id]);
    return presentTerm(call, term, counts.get(id) ?? 0);
  },
});
