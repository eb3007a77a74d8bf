import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Conversation } from './conversation.ts';

const columns = ['conversation_id', 'blog_id', 'lang', 'source', 'created_at'];

/** A conversation that nobody went on with for so many days is over, deleted or not. */
const alive = `last_message_at > clock_timestamp() - make_interval(days => ?)`;

/** The site's conversation with its row locked: whoever asks in it waits. Null where there is none, or no more. */
export async function lockConversation(
  trx: Knex.Transaction,
  blogId: number,
  conversationId: string,
  retentionDays: number,
): Promise<Conversation | null> {
  const row = await trx('ai_conversations')
    .where({ blog_id: blogId, conversation_id: conversationId })
    .whereRaw(alive, [retentionDays])
    .forUpdate()
    .first<Conversation | undefined>(columns);
  return row ?? null;
}

export async function findConversation(
  sql: Knex,
  blogId: number,
  conversationId: string,
  retentionDays: number,
): Promise<Conversation | null> {
  const row = await sql('ai_conversations')
    .where({ blog_id: blogId, conversation_id: conversationId })
    .whereRaw(alive, [retentionDays])
    .first<Conversation | undefined>(columns);
  return row ?? null;
}

export async function insertConversation(
  trx: Knex.Transaction,
  conversation: Omit<Conversation, 'created_at'>,
): Promise<Conversation> {
  const [row] = (await trx('ai_conversations').insert(conversation).returning(columns)) as Conversation[];
  if (!row) throw new Error('The insertion of a conversation returned no row.');
  return row;
}

/** Notes that something was said now. */
export async function touchConversation(trx: Knex.Transaction, conversationId: string): Promise<void> {
  await trx('ai_conversations')
    .where({ conversation_id: conversationId })
    .update({ last_message_at: trx.raw('clock_timestamp()') });
}

/** Deletes it with its messages; false where there is none. */
export async function deleteConversation(
  trx: Knex.Transaction,
  blogId: number,
  conversationId: string,
  retentionDays: number,
): Promise<boolean> {
  const deleted = await trx('ai_conversations')
    .where({ blog_id: blogId, conversation_id: conversationId })
    .whereRaw(alive, [retentionDays])
    .delete();
  return deleted > 0;
}

/** Sites that have conversations. */
export async function sitesWithConversations(sql: Knex): Promise<number[]> {
  // One step of the index per site instead of one per conversation.
  const { rows } = (await sql.raw(`
    with recursive found as (
      (select blog_id from ai_conversations order by blog_id limit 1)
      union all
      select (select c.blog_id from ai_conversations c where c.blog_id > found.blog_id order by c.blog_id limit 1)
      from found where found.blog_id is not null
    )
    select blog_id from found where blog_id is not null`)) as { rows: { blog_id: number }[] };
  return rows.map(({ blog_id }) => blog_id);
}

/** Deletes up to so many of a site's conversations that are silent for longer: how many. */
export async function deleteIdle(
  { knex }: Database,
  blogId: number,
  before: Date,
  limit: number,
): Promise<number> {
  return knex('ai_conversations')
    .whereIn(
      'conversation_id',
      knex('ai_conversations')
        .where({ blog_id: blogId })
        .where('last_message_at', '<', before)
        .orderBy('last_message_at')
        .limit(limit)
        .select('conversation_id'),
    )
    .where('last_message_at', '<', before)
    .delete();
}
