import { createParser } from 'eventsource-parser';
import type { Usage } from '../conversation/conversation.ts';
import { readCompletion, type Said } from './read-completion.ts';

/** The body of an answer as it comes. */
type Body = AsyncIterable<Buffer>;

/** Why a body of the provider cannot be used; for the log. */
export class Unusable extends Error {}

/** A whole answer, its text said at once: the usage. @throws Unusable */
export async function readWhole(body: Body, say: (text: string) => void): Promise<Usage | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const said = readCompletion(new TextDecoder().decode(Buffer.concat(chunks)), 'message');
  if (!said) throw new Unusable('The answer is no chat completion.');
  say(said.text);
  return said.usage;
}

/**
 * An answer as Server-Sent Events, each piece said when it comes: the usage.
 * @throws Unusable when it ends without having said so, as broken connections do
 */
export async function readPieces(body: Body, say: (text: string) => void): Promise<Usage | null> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  let usage: Usage | null = null;
  let finished = false;
  for await (const text of texts(body)) {
    parser.feed(text);
    for (const data of events.splice(0)) {
      if (data.trim() === '[DONE]') return usage;
      const said = pieceOf(data);
      usage = said.usage ?? usage;
      finished ||= said.finished;
      if (said.text !== '') say(said.text);
    }
  }
  if (!finished) throw new Unusable('The answer ended before it was complete.');
  return usage;
}

/** What came as text, and an end of line, which the last event may lack. */
async function* texts(body: Body): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
  yield '\n\n';
}

function pieceOf(data: string): Said {
  const said = readCompletion(data, 'delta');
  if (!said) throw new Unusable('A piece of the answer is no chat completion.');
  return said;
}
