import { Readable } from 'node:stream';
import { audit, Database, defineOperation, stream, yup } from '@lyceum/core';
import { entryTable } from '../../entries/entry-table.ts';
import { editable, findErrors, findForm } from '../../form/find-form.ts';
import { formQuery } from '../forms/fields.ts';

export const exportEntries = defineOperation({
  id: 'svctutor_form.export-entries',
  method: 'GET',
  path: 'svctutor-forms/form/v1/entries/export',
  summary: 'All entries of a form as CSV (RFC 4180, UTF-8); nothing in it is a formula',
  access: { signedIn: true },
  input: { query: yup.object(formQuery) },
  streams: 'text/csv',
  errors: [...findErrors, 'invalid_permissions'],
  handle: async ({ query }, call) => {
    const form = editable(call, await findForm(call, query.id));
    const db = call.get(Database);
    await db.transaction((trx) =>
      audit(trx, call, {
        module: 'svctutor_form',
        action: 'svctutor_form.export',
        subject: `form:${form.id}`,
      }),
    );
    return stream(Readable.from(entryTable(db.knex, form.id)), 'text/csv; charset=utf-8', {
      'Content-Disposition': `attachment; filename="form-${form.id}-entries.csv"`,
      'Cache-Control': 'private, no-store',
    });
  },
});
