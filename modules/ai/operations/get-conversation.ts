import { Database, defineOperation, fail, time, yup } from '@lyceum/core';
import { CitationRecord } from '../answer-record.ts';
import { findConversation } from '../conversation/conversation-store.ts';
import { listMessages } from '../conversation/message-store.ts';
import { conversationIdIn, conversationPath, retentionDays } from './conversation-path.ts';

const mostMessages = 500;

const MessageRecord = yup.object({
  message_id: yup.string().required(),
  role: yup.string().required(),
  content: yup.string().defined(),
  citations: yup.array().of(CitationRecord.required()).required(),
  status: yup.string().required(),
  error: yup.object({ code: yup.string().required(), message: yup.string().required() }).nullable().defined(),
  created_at: time().required(),
});

export const getConversation = defineOperation({
  id: 'ai.get-conversation',
  method: 'GET',
  path: 'svctutor/ai/v1/conversations/{conversation_id}',
  summary: 'A conversation with its messages, oldest first; of a very long one the last',
  access: { can: 'manage_options' },
  input: { params: conversationPath },
  output: yup.object({
    conversation_id: yup.string().required(),
    lang: yup.string().required(),
    source: yup.string().required(),
    created_at: time().required(),
    messages: yup.array().of(MessageRecord.required()).required(),
  }),
  errors: ['ai_conversation_not_found'],
  handle: async ({ params }, call) => {
    const { knex } = call.get(Database);
    const wanted = conversationIdIn(params);
    const found = await findConversation(knex, call.site.blog_id, wanted, retentionDays(call));
    const { conversation_id, lang, source, created_at } = found ?? fail('ai_conversation_not_found');
    const messages = await listMessages(knex, conversation_id, mostMessages);
    return { conversation_id, lang, source, created_at, messages };
  },
});
