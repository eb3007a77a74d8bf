import { randomUUID } from 'node:crypto';
import { type Database, fail, lockUntilCommit } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Failure } from '../errors.ts';
import type { Claim, Conversation, Made, Source, TutorAnswer } from './conversation.ts';
import { insertConversation, lockConversation, touchConversation } from './conversation-store.ts';
import {
  beginAgain,
  endDone,
  endFailed,
  endGivenUp,
  findAnswer,
  findMessage,
  insertAnswer,
  insertQuestion,
  isBusy,
} from './message-store.ts';

/** A question as it comes. */
export interface NewQuestion {
  readonly blogId: number;
  /** null begins a conversation, or goes on in that of the message. */
  readonly conversationId: string | null;
  readonly messageId: string;
  readonly message: string;
  /** Of a conversation that begins. */
  readonly lang: string;
  readonly source: Source;
  readonly retentionDays: number;
  /** Whoever asks knows that nobody else answers this message, though it may be in progress. */
  readonly resumes: boolean;
}

/** Answered before, or to be answered now by whoever holds the claim. */
export type Asked = { readonly stored: TutorAnswer } | { readonly claim: Claim };

/** Decides who answers a question, and how it ended: each in one transaction. */
export class Conversations {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws `ai_conversation_not_found`, `ai_message_conflict`, `ai_conversation_busy` */
  ask(asked: NewQuestion): Promise<Asked> {
    const { blogId, messageId } = asked;
    return this.#db.transaction(async (trx) => {
      // Of two that come with one new id the second has to see what the first stored.
      await lockUntilCommit(trx, `ai message ${blogId} ${messageId}`);
      const found = await findMessage(trx, blogId, messageId);
      const conversation = await this.#conversation(trx, asked, found?.conversation_id ?? null);
      // Looked at again under the lock: it may have been answered while that was waited for.
      const known = found && (await findMessage(trx, blogId, messageId));
      if (known) {
        const isSame = known.role === 'user' && known.content === asked.message;
        if (!isSame || known.conversation_id !== conversation.conversation_id) fail('ai_message_conflict');
        const stored = known.status === 'done' ? await findAnswer(trx, blogId, messageId) : null;
        if (stored) return { stored };
      }
      await endGivenUp(trx, conversation.conversation_id);
      const resumed = asked.resumes && known ? messageId : null;
      if (await isBusy(trx, conversation.conversation_id, resumed)) fail('ai_conversation_busy');
      const attempt = known
        ? await beginAgain(trx, blogId, messageId)
        : await insertQuestion(trx, conversation, messageId, asked.message);
      await touchConversation(trx, conversation.conversation_id);
      return { claim: { conversation, message_id: messageId, attempt } };
    });
  }

  /** Stores the answer. @throws `ai_conversation_not_found` when somebody deleted the conversation meanwhile */
  end(claim: Claim, made: Made): Promise<TutorAnswer> {
    const { conversation, message_id } = claim;
    return this.#db.transaction(async (trx) => {
      // In this order, as all do: first the conversation, then its messages.
      await touchConversation(trx, conversation.conversation_id);
      if (!(await endDone(trx, claim))) fail('ai_conversation_not_found');
      const created_at = await insertAnswer(trx, claim, randomUUID(), made);
      return { conversation_id: conversation.conversation_id, message_id, ...made, created_at };
    });
  }

  /** Notes why there is no answer. */
  endFailed(claim: Claim, failure: Failure): Promise<void> {
    return endFailed(this.#db.knex, claim, failure);
  }

  async #conversation(
    trx: Knex.Transaction,
    asked: NewQuestion,
    ofMessage: string | null,
  ): Promise<Conversation> {
    const { blogId, conversationId, lang, source, retentionDays } = asked;
    const wanted = conversationId ?? ofMessage;
    if (wanted !== null) {
      const found = await lockConversation(trx, blogId, wanted, retentionDays);
      return found ?? fail('ai_conversation_not_found');
    }
    const conversation = { conversation_id: randomUUID(), blog_id: blogId, lang, source };
    return insertConversation(trx, conversation);
  }
}
