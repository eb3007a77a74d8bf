import { created, Database, defineOperation, Terms, yup } from '@lyceum/core';
import { recordUrl } from '../record-url.ts';
import { presentTerm } from './present-term.ts';
import { siteTaxonomy } from './site-taxonomy.ts';
import { fieldsOf, TermRecord, termFields, termName } from './term-fields.ts';

export const createTerm = defineOperation({
  id: 'host.create-term',
  method: 'POST',
  path: 'svc/host/v1/terms',
  summary: 'Create a term of a taxonomy of the site',
  access: { can: 'manage_categories' },
  site: 'selectable',
  input: {
    body: yup.object({ taxonomy: yup.string().required(), name: termName().required(), ...termFields }),
  },
  success: 201,
  output: TermRecord,
  errors: ['term_exists'],
  example: { body: { taxonomy: 'category', name: 'Safety', names: { ru: 'Безопасность' } } },
  handle: async ({ body }, call) => {
    const { taxonomy, ...given } = body;
    const id = siteTaxonomy(call, taxonomy);
    const owner = { blog_id: call.site.blog_id };
    const term = await call
      .get(Database)
      .transaction((trx) => call.get(Terms).create(trx, owner, id, { ...fieldsOf(given), name: given.name }));
    return created(presentTerm(call, term, 0), recordUrl(call, `svc/host/v1/terms/${term.id}`));
  },
});
