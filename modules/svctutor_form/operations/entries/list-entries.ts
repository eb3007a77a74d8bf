import { Database, defineOperation, page, pageQuery, word, yup } from '@lyceum/core';
import { EntryRecord } from '../../entries/entry.ts';
import { countEntries } from '../../entries/entry-count-store.ts';
import { listEntries as findEntries } from '../../entries/entry-store.ts';
import { editable, findErrors, findForm } from '../../form/find-form.ts';
import { formQuery } from '../forms/fields.ts';

export const listEntries = defineOperation({
  id: 'svctutor_form.list-entries',
  method: 'GET',
  path: 'svctutor-forms/form/v1/entries',
  summary: 'Entries of a form, the newest first unless asked otherwise',
  access: { signedIn: true },
  paged: true,
  input: {
    query: yup.object({ ...formQuery, ...pageQuery(), order: word('asc', 'desc').default('desc') }),
  },
  output: yup.array().of(EntryRecord).required(),
  errors: [...findErrors, 'invalid_permissions'],
  handle: async ({ query }, call) => {
    const form = editable(call, await findForm(call, query.id));
    const { knex } = call.get(Database);
    const { per_page, order } = query;
    const [entries, total] = await Promise.all([
      findEntries(knex, form.id, order, per_page, (query.page - 1) * per_page),
      countEntries(knex, form.id),
    ]);
    return page(entries, total);
  },
});
