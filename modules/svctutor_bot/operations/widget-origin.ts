import { type Call, isForeignOrigin } from '@lyceum/core';
import type { Bot } from '../bot.ts';
import { botInPath } from './called-bot.ts';

/** Whether pages of this origin may use the chat: the site's own, and those that its owner named. */
export const mayUse = (bot: Bot, origin: string, call: Call): boolean =>
  !isForeignOrigin(call) || (bot.configuration.allowed_origins ?? []).includes(origin);

/** The same for a chat that nobody looked for yet. */
export async function mayUseChat(
  origin: string,
  call: Call,
  path: Readonly<Record<string, string>>,
): Promise<boolean> {
  const bot = await botInPath(call, 'chat_widget', path.channel_id);
  return bot !== null && mayUse(bot, origin, call);
}
