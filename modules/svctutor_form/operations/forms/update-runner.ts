import { defineOperation, fail, yup } from '@lyceum/core';
import { changeErrors, changeForm } from '../../form/change-form.ts';
import { metaKey, runners } from '../../form/form.ts';
import { claimFields, TokenRecord } from './fields.ts';

export const updateRunner = defineOperation({
  id: 'svctutor_form.update-runner',
  method: 'POST',
  path: 'svctutor-forms/form/v1/updateRunner',
  summary: `Choose the runner of a form: ${runners.join(', ')}`,
  access: { signedIn: true },
  contract: true,
  maxBodyBytes: 5 * 1024 * 1024,
  input: { body: yup.object({ ...claimFields, runner: yup.string().defined() }) },
  output: TokenRecord,
  errors: [...changeErrors, 'invalid_runner'],
  example: { body: { id: 12, runner: 'chat', token: '482a3d5d75588970aacc927d86c236c6' } },
  handle: ({ body }, call) =>
    changeForm(call, body, () => {
      const runner = runners.find((known) => known === body.runner) ?? fail('invalid_runner');
      return { moduleMeta: { [metaKey('runner')]: runner } };
    }),
});
