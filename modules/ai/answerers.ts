import { type Database, fail, type SiteState, Turns } from '@lyceum/core';
import { composeMessages } from './answer/compose-messages.ts';
import { type Source as Chunk, cited } from './answer/source.ts';
import { SpokenAnswer } from './answer/spoken-answer.ts';
import { quoteSources } from './builtin/quote-sources.ts';
import { readingLanguage } from './builtin/reading-language.ts';
import type { Claim, Made } from './conversation/conversation.ts';
import { lastMessages, previousQuestion } from './conversation/message-store.ts';
import type { ChatProvider } from './provider/chat-provider.ts';
import { providerFailed } from './provider/provider-problem.ts';
import type { NarrowQuestion } from './question.ts';
import type { SiteSettings } from './site-settings.ts';
import type { Sources } from './sources.ts';
import { wordsFor } from './words.ts';

/** Requests to the provider of one site that one process has under way, and how long others wait for one of them. */
const callsAtOnce = 4;
const patienceMs = 10_000;

/** Fewer words than this seldom say what they are about. */
const wordsOfItsOwn = 4;

/** A question with all that decides how it is answered. */
export interface Task {
  readonly site: SiteState;
  readonly settings: SiteSettings;
  readonly question: NarrowQuestion & { readonly lang: string };
  readonly claim: Claim;
}

/** An answer that can be made now. */
export interface Prepared {
  make(say: (text: string) => void, signal: AbortSignal): Promise<Made>;
  /** Gives back what was held for it; always to be called. */
  leave(): void;
}

export interface AnswerersParts {
  readonly db: Database;
  readonly sources: Sources;
  readonly provider: ChatProvider;
}

/** Makes answers: from what was retrieved, by quoting it or by a language model. */
export class Answerers {
  readonly #parts: AnswerersParts;
  readonly #calls = new Turns(callsAtOnce);

  constructor(parts: AnswerersParts) {
    this.#parts = parts;
  }

  /** Finds the sources of a question, and a place at the provider if it is to be asked. @throws `ai_busy` */
  async prepare(task: Task, signal: AbortSignal): Promise<Prepared> {
    const { site, settings, question } = task;
    const query = await this.#query(task);
    const sources = await this.#parts.sources.find(site, {
      query,
      most: question.most ?? settings.top_k,
      postIds: question.postIds,
      lang: question.lang,
    });
    signal.throwIfAborted();
    const asksModel = settings.provider === 'openai';
    if (sources.length === 0 && !(asksModel && settings.answer_without_sources)) {
      return { make: async (say) => this.#nothing(task, say), leave: () => undefined };
    }
    if (!asksModel) {
      return { make: (say) => this.#quoted(task, sources, say), leave: () => undefined };
    }
    const leave = await this.#calls.enter(String(site.blogId), { ms: patienceMs, signal });
    if (signal.aborted) leave?.();
    signal.throwIfAborted();
    if (!leave) return fail('ai_busy', { headers: { 'Retry-After': '5' } });
    return { make: (say, until) => this.#written(task, sources, say, until), leave };
  }

  /** What is searched for: a short question leans on the one before. */
  async #query({ question, claim }: Task): Promise<string> {
    const { message } = question;
    const words = message.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    if (words >= wordsOfItsOwn) return message;
    const before = await previousQuestion(this.#parts.db, claim.conversation.conversation_id);
    return before === null ? message : `${before}\n${message}`;
  }

  #nothing({ settings, question }: Task, say: (text: string) => void): Made {
    const { no_answer_text } = wordsFor(question.lang, settings.lang, settings);
    say(no_answer_text);
    return {
      answer: no_answer_text,
      no_answer: true,
      citations: [],
      provider: settings.provider,
      model: null,
      usage: null,
    };
  }

  /** The words of the question itself have to be answered: those of the one before only led to the sources. */
  async #quoted(task: Task, sources: readonly Chunk[], say: (text: string) => void): Promise<Made> {
    const { question } = task;
    const language = readingLanguage(question.lang, question.message);
    const configuration = await this.#parts.sources.configuration(language);
    const quoted = await quoteSources(this.#parts.db, configuration, question.message, sources);
    if (!quoted) return this.#nothing(task, say);
    say(quoted.answer);
    return { ...quoted, no_answer: false, provider: 'builtin', model: null, usage: null };
  }

  async #written(
    task: Task,
    sources: readonly Chunk[],
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Made> {
    const { site, settings, question, claim } = task;
    const { model, provider_key: key } = settings;
    const composed = composeMessages({
      prompt: promptFor(task, sources.length > 0),
      sources,
      contextTokens: settings.context_tokens,
      history: await this.#history(settings.history_messages, claim),
      question: question.message,
    });
    const spoken = new SpokenAnswer(composed.sources, say);
    const asked = {
      ...{ url: settings.provider_url, key, model, messages: composed.messages, stream: question.stream },
      ...{ temperature: settings.temperature, maxTokens: settings.max_tokens },
    };
    const usage = await this.#parts.provider.complete(site, asked, (text) => spoken.push(text), signal);
    const answer = spoken.end();
    if (answer === '') throw providerFailed(200, new Error('The answer has no text.'));
    const citations = cited(answer, sources);
    return { answer, no_answer: false, citations, provider: 'openai', model, usage };
  }

  #history(most: number, { conversation }: Claim) {
    return most === 0 ? [] : lastMessages(this.#parts.db, conversation.conversation_id, most);
  }
}

/** What the model is told of its task; where nothing was found, that it has to do without. */
function promptFor({ settings, question }: Task, found: boolean): string {
  const words = wordsFor(question.lang, settings.lang, settings);
  return found ? words.system_prompt : `${words.system_prompt}\n\n${words.without_sources}`;
}
