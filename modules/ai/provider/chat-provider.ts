import { setTimeout as wait } from 'node:timers/promises';
import { type Opened, type Outbound, OutboundError, type SiteState } from '@lyceum/core';
import type { ModelMessage } from '../answer/compose-messages.ts';
import type { Usage } from '../conversation/conversation.ts';
import { cleanErrorText, providerFailed, providerProblem } from './provider-problem.ts';
import { readPieces, readWhole, Unusable } from './read-body.ts';
import { retryAfterMs } from './retry-after.ts';

/** How long a provider may be silent, and how long it may take in all. */
export interface ProviderLimits {
  readonly silenceMs: number;
  readonly wholeMs: number;
}

const longestAnswer = 1024 * 1024;

/** Statuses that pass: the same request is sent once more. */
const passing: ReadonlySet<number> = new Set([429, 503]);

/** What a provider is asked, and where it is. */
export interface Completion {
  /** Up to `/chat/completions`. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly messages: readonly ModelMessage[];
  /** Whether the answer is wanted piece by piece. */
  readonly stream: boolean;
}

/** Language models behind the chat-completions protocol of OpenAI. */
export class ChatProvider {
  readonly #outbound: Outbound;
  readonly #limits: ProviderLimits;

  constructor(outbound: Outbound, limits: ProviderLimits) {
    this.#outbound = outbound;
    this.#limits = limits;
  }

  /**
   * Has an answer written: its text is said as it comes, the usage is returned.
   * @throws `ai_provider_error`, `ai_provider_timeout`, and the reason of the signal when it ended it
   */
  async complete(
    site: SiteState,
    asked: Completion,
    say: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Usage | null> {
    let status: number | null = null;
    try {
      const opened = await this.#opened(site, asked, signal);
      status = opened.status;
      if (status < 200 || status > 299) throw await refusal(opened, asked.key);
      return await read(opened, asked.stream, say);
    } catch (error) {
      if (error instanceof Unusable) throw providerFailed(status, error);
      throw providerProblem(error, signal);
    }
  }

  /** The answer whose body is still to come; of one that may pass the second. */
  async #opened(site: SiteState, asked: Completion, signal: AbortSignal): Promise<Opened> {
    const end = performance.now() + this.#limits.wholeMs;
    const first = await this.#open(site, asked, end, signal);
    if (!passing.has(first.status)) return first;
    await beginning(first);
    await wait(retryAfterMs(first.headers['retry-after']), undefined, { signal }).catch(() => {
      throw signal.reason;
    });
    return this.#open(site, asked, end, signal);
  }

  #open(site: SiteState, asked: Completion, end: number, signal: AbortSignal): Promise<Opened> {
    const { url, key, model, temperature, maxTokens, messages, stream } = asked;
    return this.#outbound.open(site, {
      url: addressOf(url),
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: stream ? 'text/event-stream' : 'application/json',
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, temperature, max_tokens: maxTokens, stream, messages }),
      timeoutMs: Math.max(1, Math.floor(end - performance.now())),
      silenceMs: this.#limits.silenceMs,
      maxBytes: longestAnswer,
      signal,
    });
  }
}

/** The address of the operation; what follows a question mark stays behind it. */
function addressOf(base: string): string {
  const url = URL.parse(base);
  if (url === null) throw new OutboundError('outbound_bad_url', 'The address is no URL.');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`;
  return url.href;
}

/** A provider may answer otherwise than it was asked to, as long as it says so. */
function read(opened: Opened, stream: boolean, say: (text: string) => void): Promise<Usage | null> {
  const type = opened.headers['content-type'] ?? '';
  const inPieces = type.includes('text/event-stream') || (stream && !type.includes('json'));
  return inPieces ? readPieces(opened.body, say) : readWhole(opened.body, say);
}

/** What there is to say of an answer that is an error, or leads elsewhere. */
async function refusal(opened: Opened, key: string | null): Promise<Error> {
  const text = cleanErrorText(await beginning(opened), key);
  return providerFailed(
    opened.status,
    new Error(`The provider answered with status ${opened.status}: ${text}`),
  );
}

const errorBytes = 64 * 1024;

/** The beginning of a body; one that breaks is what came of it. */
async function beginning({ body }: Opened): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= errorBytes) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
