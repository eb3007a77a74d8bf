import { type Call, Database, fail, id, readId, yup } from '@lyceum/core';
import type { Bot, Kind } from '../bot.ts';
import { findBot } from '../bot-store.ts';
import type { Receiver } from '../inbound/inbox.ts';

/** The bot that a platform calls. @throws `svctutor_bot_not_found`, for one that is off, too */
export async function calledBot(call: Call, kind: Kind, botId: number): Promise<Bot> {
  const bot = await findBot(call.get(Database), call.site.blog_id, kind, botId);
  return bot?.enabled ? bot : fail('svctutor_bot_not_found');
}

/** The same from a path that nobody checked; null where there is none. */
export async function botInPath(call: Call, kind: Kind, text: string | undefined): Promise<Bot | null> {
  const botId = readId(text ?? '');
  if (botId === null) return null;
  const bot = await findBot(call.get(Database), call.site.blog_id, kind, botId);
  return bot?.enabled ? bot : null;
}

/** Bytes that a platform may send. */
export const mostBytes = 256 * 1024;

export const receiverOf = (call: Call, bot: Bot): Receiver => ({
  bot,
  site: call.site,
  perMinute: call.setting<number>('messages_per_minute'),
});

/** The path of an operation that names a bot. */
export const botPath = yup.object({ id: id().required() });
