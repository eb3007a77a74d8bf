import { type Call, fail, yup } from '@lyceum/core';
import { isUuid } from '../question-fields.ts';

export const conversationPath = yup.object({
  conversation_id: yup
    .string()
    .required()
    .meta({ jsonSchema: { type: 'string', format: 'uuid' } }),
});

/** The id of the path; one that can be none is one of no conversation. */
export function conversationIdIn({ conversation_id }: { readonly conversation_id: string }): string {
  return isUuid(conversation_id) ? conversation_id.toLowerCase() : fail('ai_conversation_not_found');
}

/** Days that the site keeps a conversation which nobody goes on with. */
export const retentionDays = (call: Call): number => call.setting<number>('retention_days');
