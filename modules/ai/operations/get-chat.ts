import { defineOperation, SettingsService, yup } from '@lyceum/core';
import { messageLimit } from '../question.ts';
import { isConfigured, settingsOf } from '../site-settings.ts';
import { Sources } from '../sources.ts';
import { wordsFor } from '../words.ts';

const count = () => yup.number().integer().required();

export const getChat = defineOperation({
  id: 'ai.get-chat',
  method: 'GET',
  path: 'svctutor/ai/v1/chat',
  summary: 'Whether the chat of the site can answer, and how it introduces itself',
  access: { public: 'A chat has to know before anybody signs in whether it can be shown.' },
  contract: true,
  output: yup.object({
    enabled: yup.boolean().required(),
    available: yup.boolean().required(),
    blog_id: count(),
    title: yup.string().required(),
    greeting: yup.string().required(),
    lang: yup.string().required(),
    provider: yup.string().required(),
    streaming: yup.boolean().required(),
    requires_secret: yup.boolean().required(),
    retrieval: yup.object({ available: yup.boolean().required(), chunks: count() }).required(),
    limits: yup.object({ message_chars: count(), rate_per_minute: count() }).required(),
  }),
  handle: async (_input, call) => {
    const settings = settingsOf(call.get(SettingsService), call.state);
    const { title, greeting } = wordsFor(settings.lang, settings.lang, settings);
    return {
      enabled: true,
      available: settings.chat_secret !== null && isConfigured(settings),
      blog_id: call.site.blog_id,
      ...{ title, greeting, lang: settings.lang, provider: settings.provider },
      ...{ streaming: true, requires_secret: true },
      retrieval: await call.get(Sources).available(call.state),
      limits: { message_chars: messageLimit, rate_per_minute: settings.rate_per_minute },
    };
  },
});
