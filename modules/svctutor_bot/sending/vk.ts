import { createHash } from 'node:crypto';
import { isPlainObject } from '@lyceum/core';
import type { PlatformAnswer } from './platform-call.ts';
import { SendProblem, statusMayPass } from './send-problem.ts';
import type { Part } from './sender.ts';

/** Unknown, too many a second, too many alike, a fault of the server. */
const passing = [1, 6, 9, 10];

/** The same for the same part, so that VK shows it once: 31 bits, and never 0, which would stand for none. */
export function randomIdOf(uuid: string, part: number): number {
  const bits = createHash('sha256').update(`${uuid} ${part}`).digest().readUInt32BE(0) >>> 1;
  return bits === 0 ? 1 : bits;
}

export interface VkAccount {
  readonly baseUrl: string;
  readonly token: string;
  readonly version: string;
}

export function vkRequest({ baseUrl, token, version }: VkAccount, { message, text, part }: Part) {
  const form = new URLSearchParams({
    access_token: token,
    v: version,
    peer_id: message.chat,
    message: text,
    random_id: String(randomIdOf(message.uuid, part)),
  });
  return {
    url: `${baseUrl}/method/messages.send`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: form.toString(),
  };
}

export function judgeVk({ status, body }: PlatformAnswer): void {
  const { error } = body;
  if (isPlainObject(error)) {
    const told = typeof error.error_msg === 'string' ? error.error_msg : 'The platform refused the message.';
    throw new SendProblem(told, passing.includes(Number(error.error_code)));
  }
  if (status < 200 || status > 299) throw new SendProblem(`The answer was ${status}.`, statusMayPass(status));
}
