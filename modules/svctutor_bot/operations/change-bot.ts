import { defineOperation, type Operation } from '@lyceum/core';
import { changeFields } from '../bot-fields.ts';
import { botRecord } from '../bot-record.ts';
import { Bots } from '../bots.ts';
import type { Desk } from '../desk.ts';
import { botPath } from './called-bot.ts';
import { shownBot } from './present.ts';

export const changeBot = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.change-${kind}`,
    method: 'PATCH',
    path: `${namespace}/${collection}/{id}`,
    summary: `Change the given fields of a ${one}`,
    access: { can: 'manage_options' },
    input: { params: botPath, body: changeFields(kind) },
    output: botRecord(kind),
    errors: ['svctutor_bot_not_found'],
    example: { body: { enabled: false } },
    handle: async ({ params, body }, call) =>
      shownBot(call, await call.get(Bots).change(call, kind, params.id, body)),
  });
