import type { Kind } from '../bot.ts';

/** New bots, for the API's description. */
export const bodyExamples: Readonly<Record<Kind, object>> = {
  messenger: { name: 'Tutor', token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw' },
  social: {
    ...{ name: 'Community', access_token: 'vk1.a.example', group_id: 1234567 },
    ...{ confirmation: '1a2b3c4d', secret: 'a word of ours' },
  },
  chat_widget: { name: 'Website', allowed_origins: ['https://www.lyceum.example'] },
};
