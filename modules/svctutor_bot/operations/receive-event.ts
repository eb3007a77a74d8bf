import { Readable } from 'node:stream';
import { asSent, defineOperation, id, judged, stream, yup } from '@lyceum/core';
import { textIn } from '../body-parts.ts';
import { Bots } from '../bots.ts';
import { Inbox } from '../inbound/inbox.ts';
import { readEvent } from '../inbound/vk-event.ts';
import { proveShort } from '../proof.ts';
import { calledBot, mostBytes, receiverOf } from './called-bot.ts';

const plain = (text: string) => stream(Readable.from([text]), 'text/plain; charset=utf-8');

export const receiveEvent = defineOperation({
  id: 'svctutor_bot.receive-event',
  method: 'POST',
  path: 'svctutor-bot/social/v1/callback/{channel_id}',
  summary: 'An event of a community, by its callback API',
  description:
    'The number of the community and the secret in the body prove the sender; to be confirmed, the number is enough. ' +
    'What is said to the community is answered later.',
  access: { public: 'The network has no account here; it proves itself by the secret in the body.' },
  contract: true,
  maxBodyBytes: mostBytes,
  input: {
    params: yup.object({ channel_id: id().required() }),
    body: yup.object({
      type: judged({ type: 'string' }, { required: true }),
      group_id: judged({ type: 'integer' }, { required: true }),
      event_id: asSent({ type: 'string' }),
      v: asSent({ type: 'string' }),
      object: asSent({ type: 'object' }),
      secret: asSent({ type: 'string' }),
    }),
  },
  streams: 'text/plain',
  errors: ['svctutor_bot_not_found', 'rest_forbidden', 'rest_too_many_requests'],
  example: { body: { type: 'confirmation', group_id: 1234567 } },
  handle: async ({ params, body }, call) => {
    const bot = await calledBot(call, 'social', params.channel_id);
    const { configuration } = bot;
    const type = textIn(body, 'type', 100);
    const isConfirmation = type === 'confirmation';
    const isOfGroup = body.group_id === configuration.group_id;
    const secret = call.get(Bots).secretOf(bot, 'secret');
    if (!isOfGroup) await proveShort(call, null, secret);
    else if (!isConfirmation) await proveShort(call, body.secret, secret);
    if (isConfirmation) return plain(configuration.confirmation ?? '');
    const arrival = readEvent(type, body.event_id, body.object);
    if (arrival) await call.get(Inbox).receive(receiverOf(call, bot), arrival);
    return plain('ok');
  },
});
