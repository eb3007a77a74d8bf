import { defineOperation, fail, yup } from '@lyceum/core';
import { changeErrors, changeForm } from '../../form/change-form.ts';
import { hashes, metaKey } from '../../form/form.ts';
import { named, readObject } from '../../form/form-json.ts';
import { jsonText, longestDefinition } from '../../form/form-limits.ts';
import { claimFields, TokenRecord } from './fields.ts';

const sha256 = () =>
  yup
    .string()
    .matches(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .meta({ jsonSchema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' } });

export const updateDefinition = defineOperation({
  id: 'svctutor_form.update-definition',
  method: 'POST',
  path: 'svctutor-forms/form/v1/updateDefinition',
  summary: 'Save the definition of a form, a JSON text, and with it its name and the sums of the builder',
  access: { signedIn: true },
  contract: true,
  maxBodyBytes: 5 * 1024 * 1024,
  input: {
    body: yup.object({
      ...claimFields,
      definition: jsonText(longestDefinition).defined(),
      name: yup.string().min(1).max(200),
      fingerprint: sha256(),
      stencil: sha256(),
      actionables: sha256(),
    }),
  },
  output: TokenRecord,
  errors: [...changeErrors, 'invalid_json'],
  example: {
    body: { id: 12, definition: '{"name":"A","clusters":[]}', token: 'cfb71d8502bf5296ab336f245690f1b2' },
    answer: { token: '482a3d5d75588970aacc927d86c236c6' },
  },
  handle: ({ body }, call) =>
    changeForm(call, body, () => {
      const { definition: text, name } = body;
      const definition = readObject(text) ?? fail('invalid_json');
      const sums = hashes.flatMap((sum) => {
        const given = body[sum];
        return given === undefined ? [] : [[metaKey(sum), given.toLowerCase()]];
      });
      return {
        content: name === undefined ? text : named(text, definition, name),
        title: name,
        moduleMeta: Object.fromEntries(sums) as Record<string, string>,
      };
    }),
});
