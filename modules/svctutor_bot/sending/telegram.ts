import { isPlainObject } from '@lyceum/core';
import { jsonBody, type PlatformAnswer } from './platform-call.ts';
import { SendProblem, statusMayPass } from './send-problem.ts';
import type { Part } from './sender.ts';

/** Longer than this nobody is waited for. */
const longestWait = 3_600;

const method = (baseUrl: string, token: string, name: string): string => `${baseUrl}/bot${token}/${name}`;

/** A part of an answer as Telegram's Bot API takes it; in a group it replies to the question. */
export function telegramRequest(baseUrl: string, token: string, { message, text }: Part) {
  const { reply_to } = message.address;
  return {
    url: method(baseUrl, token, 'sendMessage'),
    ...jsonBody({
      chat_id: Number(message.chat),
      text,
      ...(reply_to === undefined ? {} : { reply_parameters: { message_id: reply_to } }),
    }),
  };
}

/** Tells Telegram where to bring what is said to the bot. */
export const webhookRequest = (baseUrl: string, token: string, url: string, secretToken: string) => ({
  url: method(baseUrl, token, 'setWebhook'),
  ...jsonBody({ url, secret_token: secretToken, allowed_updates: ['message'], max_connections: 40 }),
});

export const isOk = ({ status, body }: PlatformAnswer): boolean =>
  status >= 200 && status < 300 && body.ok !== false;

/** What Telegram says of it, in its own words. */
export const descriptionOf = ({ status, body }: PlatformAnswer): string =>
  typeof body.description === 'string' ? body.description : `The answer was ${status}.`;

export function judgeTelegram(answer: PlatformAnswer): void {
  if (isOk(answer)) return;
  const { status, body } = answer;
  // Some proxies answer 200 to everything.
  const code = status < 300 && typeof body.error_code === 'number' ? body.error_code : status;
  throw new SendProblem(descriptionOf(answer), statusMayPass(code), code === 429 ? waitOf(body) : null);
}

function waitOf({ parameters }: PlatformAnswer['body']): number | null {
  const seconds = isPlainObject(parameters) ? parameters.retry_after : undefined;
  return typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds), longestWait) : null;
}
