import { canonicalTag, id, longestTag, yup } from '@lyceum/core';
import { cleanMessage, isMessage, messageLimit } from './question.ts';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidForm.test(text);

/** A uuid of any version. */
const uuid = () =>
  yup
    .string()
    .test('uuid', 'must be a uuid', (text) => text === undefined || isUuid(text))
    .meta({ jsonSchema: { type: 'string', format: 'uuid' } });

/** Control characters are no fault of a message: they are taken out of it. */
const message = () =>
  yup
    .string()
    .required()
    .test('message', `must have 1 to ${messageLimit} characters`, (text) => isMessage(cleanMessage(text)))
    .meta({ unchecked: true, jsonSchema: { type: 'string', minLength: 1, maxLength: messageLimit } });

export const questionFields = yup.object({
  message: message(),
  conversation_id: uuid(),
  message_id: uuid(),
  stream: yup.boolean().default(false),
  lang: yup
    .string()
    .min(1)
    .max(longestTag)
    .test('lang', 'must be a language tag', (tag) => tag === undefined || canonicalTag(tag) !== null),
  top_k: yup.number().integer().min(1).max(20),
  post_ids: yup.array().of(id().required()).min(1).max(100),
});
