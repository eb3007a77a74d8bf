import { defineOperation, idText, yup } from '@lyceum/core';
import { EntryRecord } from '../../entries/entry.ts';
import { entryErrors, entryFor } from './find-entry.ts';

export const getEntry = defineOperation({
  id: 'svctutor_form.get-entry',
  method: 'GET',
  path: 'svctutor-forms/form/v1/entries/{entry_id}',
  summary: 'One entry of a form, which may be in the trash',
  access: { signedIn: true },
  input: { params: yup.object({ entry_id: idText() }) },
  output: EntryRecord,
  errors: entryErrors,
  handle: async ({ params }, call) => (await entryFor(call, params.entry_id)).entry,
});
