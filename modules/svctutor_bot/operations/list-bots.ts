import { Database, defineOperation, type Operation, page, pageQuery, yup } from '@lyceum/core';
import { botRecord } from '../bot-record.ts';
import { listBots as findBots } from '../bot-store.ts';
import type { Desk } from '../desk.ts';
import { shownBot } from './present.ts';

export const listBots = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.list-${kind}`,
    method: 'GET',
    path: `${namespace}/${collection}`,
    summary: `Each ${one} of the site`,
    access: { can: 'manage_options' },
    paged: true,
    input: { query: yup.object({ ...pageQuery() }) },
    output: yup.array().of(botRecord(kind).required()),
    handle: async ({ query }, call) => {
      const offset = (query.page - 1) * query.per_page;
      const { knex } = call.get(Database);
      const { bots, total } = await findBots(knex, call.site.blog_id, kind, query.per_page, offset);
      return page(
        bots.map((bot) => shownBot(call, bot)),
        total,
      );
    },
  });
