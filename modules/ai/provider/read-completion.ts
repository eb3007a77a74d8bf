import { isPlainObject } from '@lyceum/core';
import type { Usage } from '../conversation/conversation.ts';

/** What one JSON object of a provider says: a whole answer, or a piece of one. */
export interface Said {
  readonly text: string;
  /** The provider says that this was all. */
  readonly finished: boolean;
  readonly usage: Usage | null;
}

/**
 * Reads an object of the chat-completions protocol.
 * @param part where the text stands in a choice: `message` of a whole answer, `delta` of a piece
 * @returns null for what is no such object
 */
export function readCompletion(json: string, part: 'message' | 'delta'): Said | null {
  const object = parse(json);
  if (!isPlainObject(object) || isPlainObject(object.error) || !Array.isArray(object.choices)) return null;
  const usage = usageOf(object.usage);
  const choice: unknown = object.choices[0];
  // The last piece of a stream may bring the usage and no choice.
  if (choice === undefined && part === 'delta') return { text: '', finished: false, usage };
  if (!isPlainObject(choice)) return null;
  const said = choice[part];
  const content = isPlainObject(said) ? said.content : undefined;
  return {
    text: typeof content === 'string' ? content : '',
    finished: typeof choice.finish_reason === 'string',
    usage,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function usageOf(usage: unknown): Usage | null {
  if (!isPlainObject(usage)) return null;
  const { prompt_tokens, completion_tokens } = usage;
  return isCount(prompt_tokens) && isCount(completion_tokens) ? { prompt_tokens, completion_tokens } : null;
}
