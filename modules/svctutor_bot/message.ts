import type { Failure } from './errors.ts';

export type MessageState = 'received' | 'answering' | 'sending' | 'sent' | 'failed' | 'ignored';

/** What is to be said to somebody: an answer, or words of the bot's own. */
export type Wanted = 'answer' | 'greeting' | 'fallback';

/** What a platform wants to hear again with the answer. */
export interface Address {
  /** Of a message in a group of a messenger, to which the answer replies. */
  readonly reply_to?: number;
  /** Of a widget. */
  readonly event?: string;
  readonly client_id?: string;
}

/** Something that a platform told, as far as it matters. */
export interface Arrival {
  /** The platform's own id: what comes again with it has no effect. */
  readonly externalId: string;
  /** Whose turn it is: empty where no chat is concerned. */
  readonly chat: string;
  /** Trimmed and cut. */
  readonly text: string;
  /** Null: it is kept, and nothing is said. */
  readonly wanted: Wanted | null;
  readonly address: Address;
  /** Ends the conversation of the chat. */
  readonly closes: boolean;
}

/** A message as administrators see it. */
export interface ListedMessage {
  readonly id: number;
  readonly external_id: string | null;
  readonly chat: string;
  readonly direction: 'in' | 'out';
  readonly text: string;
  readonly state: MessageState;
  readonly attempts: number;
  readonly error: Failure | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A message that came in, as it stands. */
export interface Message {
  readonly id: number;
  readonly bot_id: number;
  readonly blog_id: number;
  readonly chat_id: number | null;
  readonly chat: string;
  readonly text: string;
  readonly state: MessageState;
  readonly wanted: Wanted | null;
  readonly address: Address;
  readonly uuid: string;
  readonly parts_sent: number;
  readonly attempts: number;
  readonly failures: number;
  readonly updated_at: string;
}

/** What was made of it. */
export interface Reply {
  /** A uuid, the same whenever it is told. */
  readonly uuid: string;
  readonly text: string;
  readonly created_at: string;
}

/** Told when a message has come to its end. */
export const topicOf = (messageId: number): string => `svctutor_bot.message:${messageId}`;
