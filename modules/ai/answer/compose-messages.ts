import type { Spoken } from '../conversation/conversation.ts';
import { placeOf, type Source } from './source.ts';

/** Bytes of a token, on average over what models and languages there are. */
const bytesPerToken = 4;

/** A source of which less would be left than this is left out. */
const leastBytes = 80;

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What the model is given, and how many of the sources are in it: markers of others lead nowhere. */
export interface Composed {
  readonly messages: readonly ModelMessage[];
  readonly sources: number;
}

export interface Asked {
  readonly prompt: string;
  readonly sources: readonly Source[];
  readonly contextTokens: number;
  readonly history: readonly Spoken[];
  readonly question: string;
}

export function composeMessages({ prompt, sources, contextTokens, history, question }: Asked): Composed {
  const shown = fitting(sources, contextTokens * bytesPerToken);
  const system = [prompt, ...shown].join('\n\n');
  return {
    messages: [
      { role: 'system', content: system },
      ...history.map(({ role, content }) => ({ role, content })),
      { role: 'user', content: question },
    ],
    sources: shown.length,
  };
}

/** Numbered sources as far as the room goes; the last of them may be cut. */
function fitting(sources: readonly Source[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const [at, source] of sources.entries()) {
    const text = `[${at + 1}] ${placeOf(source)}\n${source.content}`;
    const bytes = Buffer.from(text);
    if (bytes.length > left && left < leastBytes && at > 0) break;
    shown.push(bytes.length <= left ? text : cut(bytes, left));
    left -= bytes.length;
    if (left <= 0) break;
  }
  return shown;
}

/** The beginning of a text, ending with a whole character. */
const cut = (bytes: Buffer, most: number): string =>
  new TextDecoder().decode(bytes.subarray(0, most)).replace(/\ufffd$/, '');
