import type { Knex } from 'knex';
import type { Bot } from '../bot.ts';
import type { Address, Arrival, Message } from '../message.ts';

/** The open chat of this key, made if need be; whoever else has something for it waits until the transaction ends. */
export async function holdChat(trx: Knex.Transaction, bot: Bot, chat: string): Promise<number> {
  const [row] = (await trx('bot_chats')
    .insert({ blog_id: bot.blog_id, bot_id: bot.id, chat })
    .onConflict(trx.raw('(bot_id, chat) where not closed') as never)
    .merge({ touched_at: trx.raw('clock_timestamp()') })
    .returning('id')) as { id: number }[];
  if (!row) throw new Error('The insertion of a chat returned no row.');
  return row.id;
}

export async function closeChat(trx: Knex.Transaction, chatId: number): Promise<void> {
  await trx('bot_chats').where({ id: chatId }).update({ closed: true });
}

/** Whether the chat had as many messages in the last minute as it may have. Looks at no more than these. */
export async function isTooFast(
  trx: Knex.Transaction,
  bot: Bot,
  chat: string,
  most: number,
): Promise<boolean> {
  const recent = trx('bot_messages')
    .where({ bot_id: bot.id, chat, direction: 'in' })
    .whereNot('state', 'ignored')
    .whereRaw(`created_at > clock_timestamp() - interval '1 minute'`)
    .select(trx.raw('1'))
    .limit(most);
  const row = await trx.count({ found: '*' }).from(recent.as('recent')).first();
  return Number((row as { found: number } | undefined)?.found ?? 0) >= most;
}

/** Its id, or null where a message with its external id is there already. */
export async function insertArrival(
  trx: Knex.Transaction,
  bot: Bot,
  chatId: number | null,
  arrival: Arrival,
): Promise<number | null> {
  const { externalId, chat, text, wanted, address } = arrival;
  const [row] = (await trx('bot_messages')
    .insert({
      ...{
        blog_id: bot.blog_id,
        bot_id: bot.id,
        chat_id: chatId,
        external_id: externalId,
        chat,
        text,
        wanted,
      },
      ...{
        direction: 'in',
        address: JSON.stringify(address),
        state: wanted === null ? 'ignored' : 'received',
      },
    })
    .onConflict(['bot_id', 'external_id'])
    .ignore()
    .returning('id')) as { id: number }[];
  return row?.id ?? null;
}

/** What became of an event that came before. */
export type Known = Pick<Message, 'id' | 'chat' | 'text' | 'state'> & { readonly address: Address };

export async function findByExternalId(sql: Knex, bot: Bot, externalId: string): Promise<Known | null> {
  const row = await sql('bot_messages')
    .where({ bot_id: bot.id, external_id: externalId })
    .first<Known | undefined>('id', 'chat', 'text', 'state', 'address');
  return row ?? null;
}

export async function noteJob(trx: Knex.Transaction, messageId: number, jobId: string): Promise<void> {
  await trx('bot_messages').where({ id: messageId }).update({ job_id: jobId });
}
