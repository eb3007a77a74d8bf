import {
  CodedError,
  type ErrorMapper,
  fail,
  invalidParams,
  type SettingsService,
  type SiteState,
  type State,
} from '@lyceum/core';
import type { Answerers, Prepared } from './answerers.ts';
import type { Claim, TutorAnswer } from './conversation/conversation.ts';
import type { Conversations } from './conversation/conversations.ts';
import { clientClosed, type Failure } from './errors.ts';
import {
  cleanMessage,
  isMessage,
  messageLimit,
  type NarrowQuestion,
  type TutorQuestion,
} from './question.ts';
import { isConfigured, settingsOf } from './site-settings.ts';

/** Milliseconds of a question in all; whoever is at it for longer is taken for dead soon after. */
const wholeMs = 140_000;

/** A question that is being answered. */
export interface Reply {
  readonly conversation_id: string;
  readonly message_id: string;
  /** Has the answer made, once: its text is said as it comes. @throws what also stands in the conversation */
  complete(say: (text: string) => void): Promise<TutorAnswer>;
}

export interface TutorParts {
  readonly state: State;
  readonly settings: SettingsService;
  readonly conversations: Conversations;
  readonly answerers: Answerers;
  readonly errors: ErrorMapper;
}

/** Answers questions from the texts of a site, for whoever asks. */
export class Tutor {
  readonly #parts: TutorParts;

  constructor(parts: TutorParts) {
    this.#parts = parts;
  }

  /**
   * The answer to a question of a bot. One that was stored is given again without asking anybody; one that a lost
   * process left is begun again. Only one caller at a time may ask for one message.
   * @throws `ai_conversation_not_found`, `ai_conversation_busy`, `ai_message_conflict`, `ai_not_configured`, `ai_busy`,
   * `ai_provider_error`, `ai_provider_timeout`, `rest_invalid_param` for a bad message; the reason of the signal when that ended it
   */
  async answer(asked: TutorQuestion, signal: AbortSignal): Promise<TutorAnswer> {
    const message = cleanMessage(asked.message);
    if (!isMessage(message)) invalidParams({ message: `must have 1 to ${messageLimit} characters` });
    const wanted = { ...asked, message, most: null, postIds: null, stream: false, resumes: true };
    const { state } = this.#parts;
    const site = (await state.read(asked.blogId)) ?? fail('ai_conversation_not_found');
    const reply = await this.begin(site, wanted, signal);
    return reply.complete(() => undefined);
  }

  /** Takes a question in, up to the point where an answer begins to come. @throws as `answer` does */
  async begin(site: SiteState, asked: NarrowQuestion, signal: AbortSignal): Promise<Reply> {
    const { conversations, answerers, settings: service } = this.#parts;
    const settings = settingsOf(service, site);
    const { lang, source, conversationId, messageId, message, resumes } = asked;
    const found = await conversations.ask({
      ...{ blogId: site.blogId, conversationId, messageId, message, source, resumes },
      lang: lang ?? settings.lang,
      retentionDays: settings.retention_days,
    });
    if ('stored' in found) return repeated(found.stored);
    const { claim } = found;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]);
    const prepared = await this.#orFailed(claim, signal, () => {
      if (!isConfigured(settings)) fail('ai_not_configured');
      const question = { ...asked, lang: lang ?? claim.conversation.lang };
      return answerers.prepare({ site, settings, question, claim }, limited);
    });
    const { conversation_id } = claim.conversation;
    return {
      conversation_id,
      message_id: messageId,
      complete: (say) => this.#orFailed(claim, signal, () => this.#complete(claim, prepared, say, limited)),
    };
  }

  async #complete(
    claim: Claim,
    prepared: Prepared,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<TutorAnswer> {
    try {
      const made = await prepared.make(say, signal);
      signal.throwIfAborted();
      return await this.#parts.conversations.end(claim, made);
    } finally {
      prepared.leave();
    }
  }

  /** Whatever goes wrong is noted in the conversation before anybody is told. */
  async #orFailed<T>(claim: Claim, client: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const told = isTooLate(error) ? new CodedError('ai_provider_timeout', { cause: error }) : error;
      const failure = client.aborted ? clientClosed : (this.#parts.errors.describe(told) ?? internal);
      // Where not even this can be stored the question counts as interrupted after a while.
      await this.#parts.conversations.endFailed(claim, failure).catch(() => undefined);
      throw client.aborted ? client.reason : told;
    }
  }
}

const isTooLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

const internal: Failure = { code: 'internal_error', message: 'Something went wrong.' };

/** An answer that is there already. */
const repeated = (stored: TutorAnswer): Reply => ({
  conversation_id: stored.conversation_id,
  message_id: stored.message_id,
  complete: async (say) => {
    say(stored.answer);
    return stored;
  },
});
