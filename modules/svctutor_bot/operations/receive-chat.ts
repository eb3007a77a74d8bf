import { accepted, asSent, defineOperation, either, fail, id, judged, yup } from '@lyceum/core';
import { Bots } from '../bots.ts';
import { Inbox } from '../inbound/inbox.ts';
import type { Known } from '../inbound/inbox-store.ts';
import { readWidgetEvent, type WidgetArrival } from '../inbound/widget-event.ts';
import { prove } from '../proof.ts';
import { botMessage } from '../sending/callback.ts';
import { awaitReply } from './await-reply.ts';
import { calledBot, mostBytes, receiverOf } from './called-bot.ts';
import { mayUse, mayUseChat } from './widget-origin.ts';

const text = (most: number) => judged({ type: 'string', minLength: 1, maxLength: most }, { required: true });

const BotMessage = yup.object({
  event: yup.string().required(),
  id: yup.string().required(),
  client_id: yup.string().defined(),
  chat_id: yup.string().required(),
  message: yup
    .object({
      type: yup.string().required(),
      text: yup.string().defined(),
      timestamp: yup.number().integer().required(),
    })
    .required(),
});

const Acknowledged = yup.object({ id: yup.string().required(), status: yup.string().required() });

/** An id that stood for something else before. */
function refuseOther(known: Known, { chat, text, event, address }: WidgetArrival): void {
  const isSame =
    known.chat === chat &&
    known.text === text &&
    known.address.event === event &&
    known.address.client_id === address.client_id;
  if (!isSame) fail('svctutor_bot_event_conflict');
}

const sender = { id: 1233, name: 'John Smith' };

export const receiveChat = defineOperation({
  id: 'svctutor_bot.receive-chat',
  method: 'POST',
  path: 'svctutor-bot/chat-widget/v1/chat/{channel_id}',
  summary: 'An event of the chat of a website',
  description:
    'The header `X-Svctutor-Bot-Secret` proves the sender: the backend of the website, which passes on what its ' +
    'visitor says. Where answers are awaited, one that is not ready in time is 202; the same event gets it later.',
  access: {
    public: 'The backend of a website has no account here; it proves itself by the secret of the chat.',
  },
  contract: true,
  maxBodyBytes: mostBytes,
  crossOrigin: mayUseChat,
  input: {
    params: yup.object({ channel_id: id().required() }),
    body: yup.object({
      event: text(100),
      id: text(100),
      client_id: text(100),
      chat_id: text(100),
      message: judged({ type: 'object' }, { required: false }),
      site_id: asSent({}),
      sender: asSent({ type: 'object' }),
      channel: asSent({ type: 'object' }),
      agents_online: asSent({ type: 'boolean' }),
    }),
  },
  output: either(BotMessage, Acknowledged),
  errors: [
    ...[
      'svctutor_bot_not_found',
      'rest_forbidden',
      'rest_too_many_requests',
      'svctutor_bot_origin_forbidden',
    ],
    'svctutor_bot_event_conflict',
  ],
  example: {
    body: {
      ...{
        event: 'CLIENT_MESSAGE',
        id: '9661ab9c-48b0-11ed-a3d6-859398ff9bd9',
        client_id: '1233',
        chat_id: '2037',
      },
      message: { type: 'TEXT', text: 'When does the library open?', timestamp: 1665415879 },
      ...{ site_id: '123456', agents_online: true, sender },
    },
    answer: {
      ...{
        event: 'BOT_MESSAGE',
        id: '0c1f8a52-5d0e-4c61-9f35-2c4f7a3b9e10',
        client_id: '1233',
        chat_id: '2037',
      },
      message: { type: 'TEXT', text: 'The library opens at 9:00. [1]', timestamp: 1665415881 },
    },
  },
  handle: async ({ params, body }, call) => {
    const bot = await calledBot(call, 'chat_widget', params.channel_id);
    await prove(call, call.header('x-svctutor-bot-secret'), call.get(Bots).secretOf(bot, 'secret'));
    if (!mayUse(bot, call.header('origin'), call)) fail('svctutor_bot_origin_forbidden');
    const arrival = readWidgetEvent(body);
    const received = await call.get(Inbox).receive(receiverOf(call, bot), arrival);
    if (!received.isNew) refuseOther(received.known, arrival);
    const { id, isIgnored } = received.isNew
      ? received
      : { id: received.known.id, isIgnored: received.known.state === 'ignored' };
    const acknowledged = { id: arrival.externalId, status: 'accepted' };
    if (isIgnored || bot.configuration.delivery === 'callback') return acknowledged;
    const { message, reply } = await awaitReply(call, bot, id);
    return reply ? botMessage(message, reply) : accepted({ ...acknowledged, status: 'pending' });
  },
});
