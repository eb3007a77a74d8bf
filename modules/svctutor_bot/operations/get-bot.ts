import { Database, defineOperation, fail, type Operation } from '@lyceum/core';
import { botRecord } from '../bot-record.ts';
import { findBot } from '../bot-store.ts';
import type { Desk } from '../desk.ts';
import { botPath } from './called-bot.ts';
import { shownBot } from './present.ts';

export const getBot = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.get-${kind}`,
    method: 'GET',
    path: `${namespace}/${collection}/{id}`,
    summary: `One ${one}, without its secrets`,
    access: { can: 'manage_options' },
    input: { params: botPath },
    output: botRecord(kind),
    errors: ['svctutor_bot_not_found'],
    handle: async ({ params }, call) => {
      const bot = await findBot(call.get(Database), call.site.blog_id, kind, params.id);
      return shownBot(call, bot ?? fail('svctutor_bot_not_found'));
    },
  });
