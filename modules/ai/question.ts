import { plainText } from './answer/plain-text.ts';
import type { Source } from './conversation/conversation.ts';

/** What the tutor is asked. */
export interface TutorQuestion {
  readonly blogId: number;
  /** null: a new conversation, or that of the message should it be known. */
  readonly conversationId: string | null;
  /** A uuid: the same one is answered once, however often it is asked. */
  readonly messageId: string;
  /** 1 to 4,000 characters, without control characters and white space around it. */
  readonly message: string;
  /** null: that of the conversation, else the site's. */
  readonly lang: string | null;
  readonly source: Source;
}

/** The same with what clients may ask besides. */
export interface NarrowQuestion extends TutorQuestion {
  /** Chunks of texts that it is answered from; null: as many as the site has it. */
  readonly most: number | null;
  /** Only texts of these posts; null: of all. */
  readonly postIds: readonly number[] | null;
  /** Whether the answer is wanted piece by piece. */
  readonly stream: boolean;
  /** Whoever asks knows that nobody else answers this message, though it may be in progress. */
  readonly resumes: boolean;
}

/** Characters that a message may have. */
export const messageLimit = 4_000;

/** The question as it is asked and stored: without control characters, and without white space around it. */
export const cleanMessage = (given: string): string => plainText(given).trim();

/** Whether a clean message has as many characters as it may have, as its reader counts them. */
export const isMessage = (text: string): boolean =>
  text !== '' && (text.length <= messageLimit || [...text].length <= messageLimit);
