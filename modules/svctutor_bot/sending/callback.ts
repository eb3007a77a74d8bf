import type { Message, Reply } from '../message.ts';
import { jsonBody, type PlatformAnswer } from './platform-call.ts';
import { SendProblem, statusMayPass } from './send-problem.ts';

/** An answer as a widget takes it. */
export const botMessage = ({ chat, address }: Pick<Message, 'chat' | 'address'>, reply: Reply) => ({
  event: 'BOT_MESSAGE',
  id: reply.uuid,
  client_id: address.client_id ?? '',
  chat_id: chat,
  message: { type: 'TEXT', text: reply.text, timestamp: Math.floor(Date.parse(reply.created_at) / 1000) },
});

export const callbackRequest = (baseUrl: string, token: string, message: Message, reply: Reply) => ({
  url: `${baseUrl}/${encodeURIComponent(token)}`,
  ...jsonBody(botMessage(message, reply)),
});

export function judgeCallback({ status }: PlatformAnswer): void {
  if (status < 200 || status > 299) throw new SendProblem(`The answer was ${status}.`, statusMayPass(status));
}
