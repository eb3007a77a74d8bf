import { defineModule } from '@lyceum/core';
import { errors } from './errors.ts';
import { createConversations } from './migrations/001-create-conversations.ts';
import { askQuestion } from './operations/ask-question.ts';
import { deleteConversation } from './operations/delete-conversation.ts';
import { getChat } from './operations/get-chat.ts';
import { getConversation } from './operations/get-conversation.ts';
import { forgetConversations } from './schedules/forget-conversations.ts';
import { services } from './services.ts';
import { settings } from './settings.ts';
import { Sources } from './sources.ts';

export default defineModule({
  id: 'ai',
  title: 'AI chat',
  description: 'Answers questions from the texts of the site, with their sources.',
  namespaces: ['svctutor/ai/v1'],
  defaultEnabled: true,
  optional: ['rag'],
  settings,
  errors,
  tables: { ai_conversations: { copy: 'none' }, ai_messages: { copy: 'none' } },
  migrations: [createConversations],
  operations: [getChat, askQuestion, getConversation, deleteConversation],
  schedules: [forgetConversations],
  services,
  hooks: {
    start: ({ get }) => get(Sources).connect(get),
  },
});
