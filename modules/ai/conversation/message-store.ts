import type { Database } from '@lyceum/core';
import type { Knex } from 'knex';
import { type Failure, interrupted } from '../errors.ts';
import {
  type Claim,
  type Conversation,
  givenUpAfterSeconds,
  type Made,
  type Message,
  type MessageStatus,
  type Spoken,
  type TutorAnswer,
} from './conversation.ts';

/** In progress, but for so long that nobody can be at it any more. */
const givenUp = `status = 'in_progress' and begun_at < clock_timestamp() - interval '${givenUpAfterSeconds} seconds'`;

/** A question as it stands. */
export interface Question {
  readonly conversation_id: string;
  readonly content: string;
  readonly status: MessageStatus;
}

/** The message of this id, whatever it is; an answer has one too. */
export async function findMessage(
  trx: Knex.Transaction,
  blogId: number,
  messageId: string,
): Promise<(Question & { readonly role: Message['role'] }) | null> {
  const row = await trx('ai_messages')
    .where({ blog_id: blogId, message_id: messageId })
    .first<(Question & { role: Message['role'] }) | undefined>(
      'conversation_id',
      'content',
      'role',
      trx.raw(`case when ${givenUp} then 'failed' else status end as status`),
    );
  return row ?? null;
}

/** Questions of the conversation that a lost process left are failed ones from now on. Its row is locked. */
export async function endGivenUp(trx: Knex.Transaction, conversationId: string): Promise<void> {
  await trx('ai_messages')
    .where({ conversation_id: conversationId })
    .whereRaw(givenUp)
    .update({ status: 'failed', error: JSON.stringify(interrupted) });
}

/** Whether a question of the conversation, other than this one, is being answered. Its row is locked. */
export async function isBusy(
  trx: Knex.Transaction,
  conversationId: string,
  but: string | null,
): Promise<boolean> {
  const query = trx('ai_messages').where({ conversation_id: conversationId, status: 'in_progress' });
  if (but !== null) query.whereNot('message_id', but);
  return (await query.first('position')) !== undefined;
}

/** Stores a question as one that is being answered. */
export async function insertQuestion(
  trx: Knex.Transaction,
  { blog_id, conversation_id }: Conversation,
  messageId: string,
  content: string,
): Promise<number> {
  await trx('ai_messages').insert({
    message_id: messageId,
    blog_id,
    conversation_id,
    role: 'user',
    content,
    status: 'in_progress',
  });
  return 1;
}

/** Begins a question again, at the end of its conversation: the number of the attempt. */
export async function beginAgain(trx: Knex.Transaction, blogId: number, messageId: string): Promise<number> {
  const [row] = (await trx('ai_messages')
    .where({ blog_id: blogId, message_id: messageId })
    .update({
      status: 'in_progress',
      error: null,
      attempt: trx.raw('attempt + 1'),
      begun_at: trx.raw('clock_timestamp()'),
      position: trx.raw(`nextval(pg_get_serial_sequence('ai_messages', 'position'))`),
    })
    .returning('attempt')) as { attempt: number }[];
  if (!row) throw new Error('A message that was just found is gone.');
  return row.attempt;
}

const own = ({ conversation, message_id, attempt }: Claim) => ({
  blog_id: conversation.blog_id,
  message_id,
  attempt,
  status: 'in_progress',
});

/** Ends a question that was answered; false when it is no longer the claim's to end. */
export async function endDone(trx: Knex.Transaction, claim: Claim): Promise<boolean> {
  return (await trx('ai_messages').where(own(claim)).update({ status: 'done' })) > 0;
}

/** Ends a question that could not be answered, if it is still the claim's. */
export async function endFailed(sql: Knex, claim: Claim, error: Failure): Promise<void> {
  await sql('ai_messages')
    .where(own(claim))
    .update({ status: 'failed', error: JSON.stringify(error) });
}

/** Stores the answer of a question: when. */
export async function insertAnswer(
  trx: Knex.Transaction,
  { conversation, message_id }: Claim,
  answerId: string,
  made: Made,
): Promise<string> {
  const [row] = (await trx('ai_messages')
    .insert({
      message_id: answerId,
      blog_id: conversation.blog_id,
      conversation_id: conversation.conversation_id,
      role: 'assistant',
      question_id: message_id,
      content: made.answer,
      no_answer: made.no_answer,
      citations: JSON.stringify(made.citations),
      provider: made.provider,
      model: made.model,
      usage: made.usage && JSON.stringify(made.usage),
      status: 'done',
    })
    .returning('created_at')) as { created_at: string }[];
  if (!row) throw new Error('The insertion of an answer returned no row.');
  return row.created_at;
}

/** The stored answer of a question. */
export async function findAnswer(
  trx: Knex.Transaction,
  blogId: number,
  messageId: string,
): Promise<TutorAnswer | null> {
  const row = await trx('ai_messages')
    .where({ blog_id: blogId, question_id: messageId })
    .first<TutorAnswer | undefined>(
      'conversation_id',
      'question_id as message_id',
      'content as answer',
      'no_answer',
      'citations',
      'provider',
      'model',
      'usage',
      'created_at',
    );
  return row ?? null;
}

const lastDone = {
  name: 'ai-last-messages',
  text: `select role, content from ai_messages where conversation_id = $1 and status = 'done'
    order by position desc limit $2`,
};

const lastQuestion = {
  name: 'ai-last-question',
  text: `select content from ai_messages where conversation_id = $1 and status = 'done' and role = 'user'
    order by position desc limit 1`,
};

/** The last messages that were done, oldest first. */
export async function lastMessages(db: Database, conversationId: string, limit: number): Promise<Spoken[]> {
  const rows = await db.named<Spoken>(lastDone, [conversationId, limit]);
  return rows.reverse();
}

/** The last question that was answered. */
export async function previousQuestion(db: Database, conversationId: string): Promise<string | null> {
  const [row] = await db.named<{ content: string }>(lastQuestion, [conversationId]);
  return row?.content ?? null;
}

/** All messages, oldest first, at most so many of the last. */
export async function listMessages(sql: Knex, conversationId: string, limit: number): Promise<Message[]> {
  const rows = await sql('ai_messages')
    .where({ conversation_id: conversationId })
    .orderBy('position', 'desc')
    .limit(limit)
    .select<Message[]>(
      ...['message_id', 'role', 'content', 'citations', 'created_at'],
      sql.raw(`case when ${givenUp} then 'failed' else status end as status`),
      sql.raw(`case when ${givenUp} then ?::jsonb else error end as error`, [JSON.stringify(interrupted)]),
    );
  return rows.reverse();
}
