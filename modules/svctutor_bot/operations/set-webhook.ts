import { Database, defineOperation, fail, id, yup } from '@lyceum/core';
import { findBot } from '../bot-store.ts';
import { Bots } from '../bots.ts';
import { clearOf, SendProblem } from '../sending/send-problem.ts';
import { Sender } from '../sending/sender.ts';
import { descriptionOf, isOk, webhookRequest } from '../sending/telegram.ts';
import { callbackUrlOf } from './present.ts';

export const setWebhook = defineOperation({
  id: 'svctutor_bot.set-webhook',
  method: 'POST',
  path: 'svctutor-bot/messenger/v1/bots/{bot_id}/set-webhook',
  summary: 'Tell the messenger where to bring what is said to the bot',
  access: { can: 'manage_options' },
  input: { params: yup.object({ bot_id: id().required() }) },
  output: yup.object({ ok: yup.boolean().required(), description: yup.string().defined() }),
  errors: ['svctutor_bot_not_found', 'svctutor_bot_api_error'],
  example: { answer: { ok: true, description: 'Webhook was set' } },
  handle: async ({ params }, call) => {
    const bots = call.get(Bots);
    const bot = await findBot(call.get(Database), call.site.blog_id, 'messenger', params.bot_id);
    if (!bot) return fail('svctutor_bot_not_found');
    const refuse = (told: string): never =>
      fail('svctutor_bot_api_error', { data: { description: clearOf(told, bots.secretsOf(bot)) } });
    const token = bots.secretOf(bot, 'token');
    const secretToken = bots.secretOf(bot, 'secret_token');
    if (token === null || secretToken === null) return refuse('The token of the bot cannot be read.');
    const baseUrl = bot.configuration.api_base_url ?? '';
    const request = webhookRequest(baseUrl, token, callbackUrlOf(call, bot), secretToken);
    const answer = await call
      .get(Sender)
      .ask(call.state, request)
      .catch((error: unknown) => {
        if (error instanceof SendProblem) return refuse(error.message);
        throw error;
      });
    if (!isOk(answer)) return refuse(descriptionOf(answer));
    await bots.noteWebhook(call, bot);
    return { ok: true, description: clearOf(descriptionOf(answer), bots.secretsOf(bot)) };
  },
});
