import { Addresses, created, defineOperation, type Operation } from '@lyceum/core';
import { newFields } from '../bot-fields.ts';
import { newBotRecord } from '../bot-record.ts';
import { Bots } from '../bots.ts';
import type { Desk } from '../desk.ts';
import { bodyExamples } from './body-examples.ts';
import { shownBot } from './present.ts';

export const createBot = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.create-${kind}`,
    method: 'POST',
    path: `${namespace}/${collection}`,
    summary: `Set up a ${one}`,
    description: 'A secret that the server makes is in this answer and in no other.',
    access: { can: 'manage_options' },
    success: 201,
    input: { body: newFields(kind) },
    output: newBotRecord(kind),
    errors: ['svctutor_bot_limit'],
    example: { body: bodyExamples[kind] },
    handle: async ({ body }, call) => {
      const { bot, made } = await call.get(Bots).create(call, kind, body);
      const location = call.get(Addresses).route(call.site, `${namespace}/${collection}/${bot.id}`);
      return created({ ...shownBot(call, bot), ...made }, location);
    },
  });
