import { asSent, defineOperation, id, judged, yup } from '@lyceum/core';
import { integerIn } from '../body-parts.ts';
import { Bots } from '../bots.ts';
import { Inbox } from '../inbound/inbox.ts';
import { readUpdate } from '../inbound/telegram-update.ts';
import { prove } from '../proof.ts';
import { calledBot, mostBytes, receiverOf } from './called-bot.ts';

export const receiveUpdate = defineOperation({
  id: 'svctutor_bot.receive-update',
  method: 'POST',
  path: 'svctutor-bot/messenger/v1/webhook/{bot_id}',
  summary: 'An update of a messenger, by its bot API',
  description:
    'The header `X-Telegram-Bot-Api-Secret-Token` proves the sender. What is said to the bot is answered later.',
  access: { public: 'The messenger has no account here; it proves itself by the secret of the bot.' },
  contract: true,
  maxBodyBytes: mostBytes,
  input: {
    params: yup.object({ bot_id: id().required() }),
    body: yup.object({
      update_id: judged({ type: 'integer' }, { required: true }),
      message: asSent({ type: 'object' }),
    }),
  },
  output: yup.object({ ok: yup.boolean().required() }),
  errors: ['svctutor_bot_not_found', 'rest_forbidden', 'rest_too_many_requests'],
  example: {
    body: {
      update_id: 1,
      message: {
        ...{ message_id: 7, chat: { id: 42, type: 'private' }, from: { id: 42, is_bot: false } },
        text: 'When does the library open?',
      },
    },
    answer: { ok: true },
  },
  handle: async ({ params, body }, call) => {
    const bot = await calledBot(call, 'messenger', params.bot_id);
    const bots = call.get(Bots);
    const shown = call.header('x-telegram-bot-api-secret-token');
    await prove(call, shown, bots.secretOf(bot, 'secret_token'));
    const updateId = integerIn(body, 'update_id');
    const [botId] = (bots.secretOf(bot, 'token') ?? '').split(':');
    await call.get(Inbox).receive(receiverOf(call, bot), readUpdate(updateId, body.message, Number(botId)));
    return { ok: true };
  },
});
