import type { Knex } from 'knex';
import type { ListedMessage } from './message.ts';

const columns = [
  'id',
  'external_id',
  'chat',
  'direction',
  'text',
  'state',
  'attempts',
  'error',
  'created_at',
];

/** Messages of a bot, the newest first. */
export async function listMessages(
  sql: Knex,
  botId: number,
  limit: number,
  offset: number,
): Promise<{ messages: ListedMessage[]; total: number }> {
  const [messages, count] = await Promise.all([
    sql('bot_messages')
      .where({ bot_id: botId })
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .select<ListedMessage[]>([...columns, 'updated_at']),
    sql('bot_messages').where({ bot_id: botId }).count({ total: '*' }).first(),
  ]);
  return { messages, total: Number(count?.total ?? 0) };
}

/** Jobs of messages that have not come to their end, in the order in which they came. */
export const jobsOfBot = (trx: Knex.Transaction, botId: number): Promise<string[]> =>
  trx('bot_messages')
    .where({ bot_id: botId })
    .whereIn('state', ['received', 'answering', 'sending'])
    .whereNotNull('job_id')
    .orderBy('id')
    .pluck('job_id');

export const sitesWithMessages = (sql: Knex): Promise<number[]> =>
  sql('bot_messages').distinct().pluck('blog_id');

/** Deletes a batch of messages that are older, those that are still worked on excepted: how many. */
export function deleteOld(sql: Knex, blogId: number, before: Date, most: number): Promise<number> {
  const old = sql('bot_messages')
    .where({ blog_id: blogId })
    .where('created_at', '<', before)
    .whereNotIn('state', ['received', 'answering', 'sending'])
    .orderBy('created_at')
    .limit(most)
    .select('id');
  return sql('bot_messages').whereIn('id', old).delete();
}

/** Deletes chats in which nothing was said since then. */
export async function deleteIdleChats(sql: Knex, blogId: number, before: Date): Promise<void> {
  const said = sql('bot_messages').whereRaw('bot_messages.chat_id = bot_chats.id').select(sql.raw('1'));
  await sql('bot_chats')
    .where({ blog_id: blogId })
    .where('touched_at', '<', before)
    .whereNotExists(said)
    .delete();
}
