import { type Call, Database, fail, RecordWatch } from '@lyceum/core';
import type { Bot } from '../bot.ts';
import { type Message, type Reply, topicOf } from '../message.ts';
import { findMessage, findReply } from '../reply-store.ts';
import { wordsOf } from '../words.ts';
import { siteLangOf } from './present.ts';

interface Awaited {
  readonly message: Message;
  /** Null: it is not ready. */
  readonly reply: Reply | null;
}

/** The answer to a message, waited for as long as the site wants it; no connection is held meanwhile. */
export async function awaitReply(call: Call, bot: Bot, messageId: number): Promise<Awaited> {
  const watching = call.get(RecordWatch).watch(topicOf(messageId));
  const until = performance.now() + call.setting<number>('reply_timeout') * 1000;
  try {
    for (;;) {
      const now = await look(call, bot, messageId);
      const left = until - performance.now();
      if (now.reply || left <= 0 || !(await watching.next(left, call.signal))) return now;
    }
  } finally {
    watching.close();
  }
}

async function look(call: Call, bot: Bot, messageId: number): Promise<Awaited> {
  const { knex } = call.get(Database);
  // Deleted meanwhile, with its bot.
  const message = (await findMessage(knex, messageId)) ?? fail('svctutor_bot_not_found');
  if (message.state !== 'sent' && message.state !== 'failed') return { message, reply: null };
  const reply = await findReply(knex, messageId);
  const text = wordsOf(bot, siteLangOf(call)).fallback_text;
  return { message, reply: reply ?? { uuid: message.uuid, text, created_at: message.updated_at } };
}
