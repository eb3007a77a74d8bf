import { Readable } from 'node:stream';
import { presentAnswer } from './answer-record.ts';
import type { Failure } from './errors.ts';
import type { Reply } from './tutor.ts';

/** Milliseconds from one comment to the next: proxies keep a connection on which something comes. */
const pulseMs = 15_000;

/**
 * An answer as Server-Sent Events. It is made whether anybody reads or not, so that it comes to an end in any case;
 * whoever goes away ends it by the signal that it was begun with.
 * @param tell what a client is told of an error
 */
export function answerStream(reply: Reply, tell: (error: unknown) => Failure): Readable {
  const out = new Readable({ read: () => undefined });
  const write = (text: string): void => {
    if (!out.destroyed) out.push(text);
  };
  const send = (event: string, data: object): void =>
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const pulse = setInterval(() => write(': still here\n\n'), pulseMs);
  const make = async (): Promise<void> => {
    try {
      const answer = presentAnswer(await reply.complete((text) => send('delta', { text })));
      send('citations', { citations: answer.citations });
      send('done', answer);
    } catch (error) {
      send('error', tell(error));
    } finally {
      clearInterval(pulse);
      if (!out.destroyed) out.push(null);
    }
  };
  send('start', { conversation_id: reply.conversation_id, message_id: reply.message_id });
  void make();
  return out;
}
