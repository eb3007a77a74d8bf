import { defineOperation, fail, type Operation, yup } from '@lyceum/core';
import { changeErrors, changeForm } from '../../form/change-form.ts';
import { type JsonPart, metaKey } from '../../form/form.ts';
import { readObject } from '../../form/form-json.ts';
import { jsonText, longestPart } from '../../form/form-limits.ts';
import { claimFields, TokenRecord } from './fields.ts';

interface Part {
  readonly part: JsonPart;
  /** As the route spells it. */
  readonly word: string;
  readonly summary: string;
  readonly contract: boolean;
}

const updatePart = ({ part, word, summary, contract }: Part): Operation =>
  defineOperation({
    id: `svctutor_form.update-${part}`,
    method: 'POST',
    path: `svctutor-forms/form/v1/update${word}`,
    summary,
    access: { signedIn: true },
    contract,
    maxBodyBytes: 5 * 1024 * 1024,
    input: { body: yup.object({ ...claimFields, [part]: jsonText(longestPart[part]).defined() }) },
    output: TokenRecord,
    errors: [...changeErrors, 'invalid_json'],
    example: { body: { id: 12, [part]: '{}', token: '482a3d5d75588970aacc927d86c236c6' } },
    handle: ({ body }, call) =>
      changeForm(call, body, () => {
        const text = (body as Readonly<Record<string, unknown>>)[part] as string;
        if (!readObject(text)) fail('invalid_json');
        return { moduleMeta: { [metaKey(part)]: text } };
      }),
  });

export const updateParts: readonly Operation[] = [
  updatePart({
    part: 'shortcode',
    word: 'Shortcode',
    summary: 'Save how a form behaves where its shortcode stands, a JSON text',
    contract: true,
  }),
  updatePart({
    part: 'styles',
    word: 'Styles',
    summary: 'Save the styles of a form, a JSON text',
    contract: true,
  }),
  updatePart({
    part: 'l10n',
    word: 'L10n',
    summary: 'Save the translations of a form, a JSON text',
    contract: true,
  }),
  updatePart({
    part: 'hooks',
    word: 'Hooks',
    summary: 'Save what a new entry sets off, a JSON text',
    contract: false,
  }),
  updatePart({
    part: 'trackers',
    word: 'Trackers',
    summary: 'Save the trackers of a form, a JSON text',
    contract: false,
  }),
];
