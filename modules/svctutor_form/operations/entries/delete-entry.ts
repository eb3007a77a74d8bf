import { audit, Database, defineOperation, fail, idText, yup } from '@lyceum/core';
import { addToCount } from '../../entries/entry-count-store.ts';
import { deleteEntry as removeEntry } from '../../entries/entry-store.ts';
import { entryErrors, lockEntry } from './find-entry.ts';

export const deleteEntry = defineOperation({
  id: 'svctutor_form.delete-entry',
  method: 'DELETE',
  path: 'svctutor-forms/form/v1/entries/{entry_id}',
  summary: 'Delete an entry of a form for good',
  access: { signedIn: true },
  input: { params: yup.object({ entry_id: idText() }) },
  output: yup.object({ deleted: yup.boolean().required(), entry_id: yup.number().integer().required() }),
  errors: entryErrors,
  handle: ({ params }, call) =>
    call.get(Database).transaction(async (trx) => {
      const { entry, form } = await lockEntry(trx, call, params.entry_id);
      const { entry_id, index } = entry;
      if (!(await removeEntry(trx, entry_id))) fail('svctutor_form_entry_not_found');
      await addToCount(trx, form, -1);
      await audit(trx, call, {
        module: 'svctutor_form',
        action: 'svctutor_form.entry_delete',
        subject: `form_entry:${entry_id}`,
        from: { form_id: form.id, index },
      });
      return { deleted: true, entry_id };
    }),
});
