import { isPlainObject } from '@lyceum/core';
import type { Arrival, Wanted } from '../message.ts';
import { cleanText } from './clean-text.ts';

/** What a message without text can be; the others are notes of the service about the chat. */
const contents = (
  'animation audio checklist contact dice document game location paid_media photo poll sticker story venue video ' +
  'video_note voice'
).split(' ');

const start = /^\/start(?:@\w+)?(?:\s|$)/i;
const ask = /^\/ask(?:@\w+)?(?:\s|$)/i;

const nothing = { chat: '', text: '', wanted: null, address: {}, closes: false } as const;

/**
 * What an update of Telegram's Bot API asks for. Whatever is not as it should be asks for nothing.
 * @param botId the number before the colon of the bot's token
 */
export function readUpdate(updateId: number, message: unknown, botId: number): Arrival {
  const externalId = String(updateId);
  if (!isPlainObject(message)) return { externalId, ...nothing };
  const { chat, from, message_id, text, reply_to_message } = message;
  const isWell =
    isPlainObject(chat) &&
    Number.isSafeInteger(chat.id) &&
    Number.isSafeInteger(message_id) &&
    (text === undefined || typeof text === 'string');
  if (!isWell) return { externalId, ...nothing };
  const said = cleanText(text ?? '');
  const kept = { externalId, chat: String(chat.id), text: said, closes: false };
  const isGroup = chat.type === 'group' || chat.type === 'supergroup';
  if (!isPerson(from) || !(isGroup || chat.type === 'private')) return { ...kept, wanted: null, address: {} };
  if (!isGroup) return { ...kept, wanted: wantedOf(message, said), address: {} };
  const isMeant =
    ask.test(said) || mentionsBot(text ?? '', message.entities) || isOf(reply_to_message, botId);
  const address = { reply_to: Number(message_id) };
  return { ...kept, wanted: isMeant ? groupWantedOf(message, said) : null, address };
}

/** Old messages and tests name nobody; a bot is never spoken to. */
const isPerson = (from: unknown): boolean =>
  from === undefined || (isPlainObject(from) && (from.is_bot === undefined || from.is_bot === false));

const hasContent = (message: Record<string, unknown>): boolean =>
  contents.some((name) => message[name] !== undefined);

function wantedOf(message: Record<string, unknown>, said: string): Wanted | null {
  if (start.test(said)) return 'greeting';
  return groupWantedOf(message, said);
}

function groupWantedOf(message: Record<string, unknown>, said: string): Wanted | null {
  if (said !== '') return questionIn(said) === '' ? 'fallback' : 'answer';
  return message.text !== undefined || hasContent(message) ? 'fallback' : null;
}

/**
 * Whether a mention is one of a bot: their names end with these letters, and a bot is not told of messages that
 * mention only others, unless its owner wants to have all.
 */
function mentionsBot(text: string, entities: unknown): boolean {
  if (!Array.isArray(entities)) return false;
  return entities.some((entity: unknown) => {
    if (!isPlainObject(entity) || entity.type !== 'mention') return false;
    const { offset, length } = entity;
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) return false;
    return /^@\w*bot$/i.test(text.slice(Number(offset), Number(offset) + Number(length)));
  });
}

const isOf = (message: unknown, botId: number): boolean =>
  isPlainObject(message) && isPlainObject(message.from) && message.from.id === botId;

/** The question without the words that only call the bot. */
export const questionIn = (said: string): string =>
  said
    .replace(ask, '')
    .replaceAll(/(^|\s)@\w{1,64}bot\b/gi, '$1')
    .trim();
