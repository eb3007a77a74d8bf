import { invalidParams, isPlainObject } from '@lyceum/core';
import { needAll, textIn } from '../body-parts.ts';
import type { Arrival, Wanted } from '../message.ts';
import { cleanText } from './clean-text.ts';

export const widgetEvents = ['CLIENT_MESSAGE', 'CHAT_CLOSED', 'AGENT_JOINED', 'AGENT_UNAVAILABLE'] as const;
export type WidgetEvent = (typeof widgetEvents)[number];

/** Characters of ids. */
const longestId = 100;

type Body = Readonly<Record<string, unknown>>;

/** An event of a chat widget, by the Jivo Bot API. */
export interface WidgetArrival extends Arrival {
  readonly event: WidgetEvent;
}

/** @throws 400 for whatever is missing or wrong */
export function readWidgetEvent(body: Body): WidgetArrival {
  const isMessage = body.event === 'CLIENT_MESSAGE';
  needAll(body, ['event', 'id', 'client_id', 'chat_id', ...(isMessage ? ['message'] : [])]);
  const event = widgetEvents.find((one) => one === body.event);
  if (!event) return invalidParams({ event: `must be one of ${widgetEvents.join(', ')}` });
  const externalId = textIn(body, 'id', longestId);
  const client_id = textIn(body, 'client_id', longestId);
  const chat = textIn(body, 'chat_id', longestId);
  const { text, wanted } = isMessage ? messageIn(body.message) : { text: '', wanted: null };
  const closes = event === 'CHAT_CLOSED';
  return { event, externalId, chat, text, wanted, closes, address: { event, client_id } };
}

function messageIn(message: unknown): { text: string; wanted: Wanted } {
  if (!isPlainObject(message)) return invalidParams({ message: 'must be an object' });
  const { type, text } = message;
  if (type === undefined || type === null) needAll({}, ['message.type']);
  if (typeof type !== 'string') return invalidParams({ 'message.type': 'must be a text' });
  // Pictures and the like may have words beside them; they are no question.
  if (type !== 'TEXT') return { text: typeof text === 'string' ? cleanText(text) : '', wanted: 'fallback' };
  if (text === undefined || text === null) needAll({}, ['message.text']);
  if (typeof text !== 'string') return invalidParams({ 'message.text': 'must be a text' });
  const said = cleanText(text);
  return { text: said, wanted: said === '' ? 'fallback' : 'answer' };
}
