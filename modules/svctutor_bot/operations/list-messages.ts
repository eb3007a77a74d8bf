import { Database, defineOperation, fail, type Operation, page, pageQuery, time, yup } from '@lyceum/core';
import { findBot } from '../bot-store.ts';
import type { Desk } from '../desk.ts';
import { listMessages as findMessages } from '../message-list-store.ts';
import { botPath } from './called-bot.ts';

const MessageRecord = yup.object({
  id: yup.number().integer().required(),
  external_id: yup.string().nullable().defined(),
  chat: yup.string().defined(),
  direction: yup.string().required(),
  text: yup.string().defined(),
  state: yup.string().required(),
  attempts: yup.number().integer().required(),
  error: yup.object({ code: yup.string().required(), message: yup.string().defined() }).nullable().defined(),
  created_at: time().required(),
  updated_at: time().required(),
});

export const listMessages = ({ kind, namespace, collection, one }: Desk): Operation =>
  defineOperation({
    id: `svctutor_bot.list-messages-${kind}`,
    method: 'GET',
    path: `${namespace}/${collection}/{id}/messages`,
    summary: `What was said to a ${one} and by it, the newest first`,
    description: 'An answer, of direction `out`, has the state of its question and no external id.',
    access: { can: 'manage_options' },
    paged: true,
    input: { params: botPath, query: yup.object({ ...pageQuery() }) },
    output: yup.array().of(MessageRecord.required()),
    errors: ['svctutor_bot_not_found'],
    handle: async ({ params, query }, call) => {
      const db = call.get(Database);
      const bot = await findBot(db, call.site.blog_id, kind, params.id);
      if (!bot) return fail('svctutor_bot_not_found');
      const offset = (query.page - 1) * query.per_page;
      const { messages, total } = await findMessages(db.knex, bot.id, query.per_page, offset);
      return page(messages, total);
    },
  });
