import { isPlainObject } from '@lyceum/core';
import type { Arrival } from '../message.ts';
import { cleanText } from './clean-text.ts';

/** What an event of VK's Callback API asks for; null for one that is only acknowledged. */
export function readEvent(type: string, eventId: unknown, object: unknown): Arrival | null {
  if (type !== 'message_new' || typeof eventId !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(eventId))
    return null;
  const kept = { externalId: eventId, address: {}, closes: false };
  const message = isPlainObject(object) ? object.message : undefined;
  if (!isPlainObject(message)) return { ...kept, chat: '', text: '', wanted: null };
  const { from_id, peer_id, text } = message;
  const said = typeof text === 'string' ? cleanText(text) : '';
  if (!Number.isSafeInteger(peer_id)) return { ...kept, chat: '', text: said, wanted: null };
  // Communities have negative numbers, and so have bots.
  const isMeant =
    Number(from_id) > 0 && from_id === peer_id && (text === undefined || typeof text === 'string');
  const wanted = said === '' ? 'fallback' : 'answer';
  return { ...kept, chat: String(peer_id), text: said, wanted: isMeant ? wanted : null };
}
