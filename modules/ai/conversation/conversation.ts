import type { Failure } from '../errors.ts';

/** Who asks: a client of the API, or a bot. */
export type Source = 'rest' | 'bot';

export interface Conversation {
  readonly conversation_id: string;
  readonly blog_id: number;
  readonly lang: string;
  readonly source: Source;
  readonly created_at: string;
}

/** A chunk that an answer names by its marker. */
export interface Citation {
  /** The number in the marker. */
  readonly n: number;
  readonly id_chunk: number;
  readonly id_post: number;
  readonly title: string;
  readonly url: string;
  readonly heading_path: readonly string[];
  readonly quote: string;
  readonly score: number;
}

/** Tokens that the provider counted. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** What was made of a question. */
export interface Made {
  readonly answer: string;
  readonly no_answer: boolean;
  readonly citations: readonly Citation[];
  readonly provider: string;
  readonly model: string | null;
  readonly usage: Usage | null;
}

/** An answer as it is stored and shown; the same whenever it is asked for again. */
export interface TutorAnswer extends Made {
  readonly conversation_id: string;
  /** That of the question. */
  readonly message_id: string;
  readonly created_at: string;
}

export type MessageStatus = 'in_progress' | 'done' | 'failed';

/** A message as the conversation shows it. */
export interface Message {
  readonly message_id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly status: MessageStatus;
  readonly error: Failure | null;
  readonly created_at: string;
}

/** An earlier message, as the provider is told of it. */
export interface Spoken {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The right to end one question, until it has been silent for so long that somebody else takes it. */
export interface Claim {
  readonly conversation: Conversation;
  readonly message_id: string;
  readonly attempt: number;
}

/** Seconds after which a question that is in progress counts as given up: no process works on one for so long. */
export const givenUpAfterSeconds = 150;
