import { defineOperation, id, reply, yup } from '@lyceum/core';
import { calledBot } from './called-bot.ts';
import { mayUse, mayUseChat } from './widget-origin.ts';

export const askChatOrigin = defineOperation({
  id: 'svctutor_bot.ask-chat-origin',
  method: 'OPTIONS',
  path: 'svctutor-bot/chat-widget/v1/chat/{channel_id}',
  summary: 'What a browser asks before a page of another origin uses the chat',
  access: { public: 'A browser asks before it knows of any secret.' },
  contract: true,
  crossOrigin: mayUseChat,
  input: { params: yup.object({ channel_id: id().required() }) },
  errors: ['svctutor_bot_not_found'],
  handle: async ({ params }, call) => {
    const bot = await calledBot(call, 'chat_widget', params.channel_id);
    const origin = call.header('origin');
    if (origin === '' || !mayUse(bot, origin, call)) return reply(null, {});
    return reply(null, {
      headers: {
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Content-Type, X-Svctutor-Bot-Secret',
        'Access-Control-Max-Age': '600',
      },
    });
  },
});
