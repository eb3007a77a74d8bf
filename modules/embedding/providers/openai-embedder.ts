import {
  isPlainObject,
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type SiteState,
} from '@lyceum/core';
import { type Embedder, EmbeddingError, type Vectors } from './embedder.ts';
import { normalized } from './normalize.ts';

/** Texts that one request carries. */
const mostTexts = 64;

/** An answer with 64 vectors of 4,096 numbers has about 5 MiB. */
const mostBytes = 16 * 1024 * 1024;

/** Characters of a provider's own words that are kept. */
const mostWords = 300;

export interface OpenaiOptions {
  /** Without `/embeddings` at its end. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly dimensions: number | null;
}

/** Any server that speaks OpenAI's protocol for embeddings. */
export class OpenaiEmbedder implements Embedder {
  readonly batch = mostTexts;
  readonly patienceMs = 30_000;
  readonly #outbound: Outbound;
  readonly #site: SiteState;
  readonly #options: OpenaiOptions;

  constructor(outbound: Outbound, site: SiteState, options: OpenaiOptions) {
    this.#outbound = outbound;
    this.#site = site;
    this.#options = options;
  }

  async embed(texts: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<Vectors> {
    const answer = await this.#ask(texts, signal, timeoutMs);
    if (answer.status === 200) return this.#read(answer, texts.length);
    throw this.#failure(answer);
  }

  async #ask(texts: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<OutboundAnswer> {
    const { url, key, model, dimensions } = this.#options;
    const body = {
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimensions === null ? {} : { dimensions }),
    };
    try {
      return await this.#outbound.request(this.#site, {
        url: `${url.replace(/\/$/, '')}/embeddings`,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
        timeoutMs,
        maxBytes: mostBytes,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      const problem = error.code === 'outbound_too_large' ? 'unusable' : 'unreachable';
      throw new EmbeddingError(problem, error.message, { cause: error });
    }
  }

  #read({ body }: OutboundAnswer, count: number): Vectors {
    const rows = dataOf(body);
    if (rows === null)
      throw new EmbeddingError('unusable', 'The answer of the provider is no list of vectors.');
    const found = new Array<readonly unknown[] | null>(count).fill(null);
    for (const row of rows) {
      if (!isPlainObject(row) || !Array.isArray(row.embedding)) continue;
      const { index } = row;
      if (typeof index === 'number' && index in found) found[index] = row.embedding as unknown[];
    }
    const lengths = new Set(found.map((vector) => vector?.length ?? 0));
    if (rows.length !== count || lengths.size !== 1 || lengths.has(0)) {
      throw new EmbeddingError(
        'unusable',
        'The provider gave another number of vectors, or of different lengths.',
      );
    }
    return found.map((vector) => normalized(vector ?? []));
  }

  #failure({ status, headers, body }: OutboundAnswer): EmbeddingError {
    const said = this.#clear(wordsOf(body));
    const message = `The provider answered ${status}${said === '' ? '.' : `: ${said}`}`;
    if (status === 429) {
      const retryAfterMs = waitOf(headers['retry-after']);
      return new EmbeddingError('busy', message, retryAfterMs === null ? {} : { retryAfterMs });
    }
    if (status >= 500 || status === 408) return new EmbeddingError('unreachable', message);
    // A redirect leads elsewhere than where somebody wanted to go: the address is wrong.
    const isRejected = status < 400 || [401, 403, 404].includes(status);
    return new EmbeddingError(isRejected ? 'rejected' : 'refused', message);
  }

  /** What a provider says of a key may hold the key. */
  #clear(words: string): string {
    const { key } = this.#options;
    const cleared = key ? words.replaceAll(key, '********') : words;
    return cleared.slice(0, mostWords).toWellFormed();
  }
}

function dataOf(body: Buffer): readonly unknown[] | null {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return isPlainObject(read) && Array.isArray(read.data) ? (read.data as unknown[]) : null;
  } catch {
    return null;
  }
}

/** The provider's own words, on one line. */
function wordsOf(body: Buffer): string {
  const text = body.subarray(0, 64 * 1024).toString('utf8');
  let words = text;
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const message = typeof error === 'string' ? error : error?.message;
    if (typeof message === 'string') words = message;
  } catch {
    // Then it is no JSON, and stands for itself.
  }
  return words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** `Retry-After` in seconds or as a date. */
function waitOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
