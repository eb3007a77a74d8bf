import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Failure } from './errors.ts';
import type { Message, MessageState, Reply } from './message.ts';

const columns = [
  ...[
    'id',
    'bot_id',
    'blog_id',
    'chat_id',
    'chat',
    'text',
    'state',
    'wanted',
    'address',
    'uuid',
    'parts_sent',
  ],
  ...['attempts', 'failures', 'updated_at'],
];

const now = (sql: Knex) => sql.raw('clock_timestamp()');

export async function findMessage(sql: Knex, id: number): Promise<Message | null> {
  return (await sql('bot_messages').where({ id }).first<Message | undefined>(columns)) ?? null;
}

/** The answer to a message, once it was made. */
export async function findReply(sql: Knex, questionId: number): Promise<Reply | null> {
  const row = await sql('bot_messages')
    .where({ question_id: questionId })
    .first<Reply | undefined>('uuid', 'text', 'created_at');
  return row ?? null;
}

export async function conversationOf(db: Database, chatId: number | null): Promise<string | null> {
  if (chatId === null) return null;
  const row = await db
    .knex('bot_chats')
    .where({ id: chatId })
    .first<{ conversation_id: string | null } | undefined>('conversation_id');
  return row?.conversation_id ?? null;
}

/** Changes a message and, where it has one, its answer. */
async function change(sql: Knex, id: number, fields: Readonly<Record<string, unknown>>): Promise<void> {
  await sql('bot_messages')
    .where((either) => either.where({ id }).orWhere({ question_id: id }))
    .update({ ...fields, updated_at: now(sql) });
}

export const setState = (sql: Knex, id: number, state: MessageState): Promise<void> =>
  change(sql, id, { state });

/** One try more was in vain. */
export const countFailure = (sql: Knex, id: number, tried: 'asking' | 'sending'): Promise<void> =>
  change(sql, id, {
    failures: sql.raw('failures + 1'),
    ...(tried === 'sending' ? { attempts: sql.raw('attempts + 1') } : {}),
  });

/** A part is with the platform. Counts once, whoever says so. */
export async function countPart(sql: Knex, id: number, part: number): Promise<void> {
  await sql('bot_messages')
    .where((either) => either.where({ id }).orWhere({ question_id: id }))
    .where({ parts_sent: part })
    .update({ parts_sent: part + 1, attempts: sql.raw('attempts + 1'), failures: 0, updated_at: now(sql) });
}

/** What is said to a message. */
export interface NewReply {
  readonly text: string;
  /** Where the next question of the chat goes on; null leaves it as it is. */
  readonly conversationId: string | null;
  /** Why it is not the answer that was asked for. */
  readonly error: Failure | null;
}

/** From now on the message is answered, by this and nothing else. */
export async function insertReply(trx: Knex.Transaction, message: Message, reply: NewReply): Promise<void> {
  const { id, blog_id, bot_id, chat_id, chat } = message;
  // The chat before its messages, as whoever takes a message in: it holds the chat, and waits for one that comes again.
  if (reply.conversationId !== null && chat_id !== null) {
    await trx('bot_chats').where({ id: chat_id }).update({ conversation_id: reply.conversationId });
  }
  await trx('bot_messages').insert({
    ...{ blog_id, bot_id, chat_id, chat, direction: 'out', text: reply.text, state: 'sending' },
    question_id: id,
  });
  const error = reply.error && JSON.stringify(reply.error);
  await change(trx, id, { state: 'sending', failures: 0, error });
}

/** Ends a message that has not come to its end in any other way. */
export async function endFailed(sql: Knex, id: number, error: Failure): Promise<void> {
  await sql('bot_messages')
    .where((either) => either.where({ id }).orWhere({ question_id: id }))
    .whereNotIn('state', ['sent', 'failed', 'ignored'])
    .update({ state: 'failed', error: JSON.stringify(error), updated_at: now(sql) });
}
