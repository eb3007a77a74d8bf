/** Why texts got no vectors. */
export type EmbeddingProblem =
  /** Not reached, late, or not able just now. */
  | 'unreachable'
  /** Asked to wait, more often than we do. */
  | 'busy'
  /** The key, the address or the model is refused: nothing else will go either. */
  | 'rejected'
  /** These texts are refused. */
  | 'refused'
  /** An answer that is none. */
  | 'unusable'
  /** The weights of the built-in model are not installed. */
  | 'model_missing';

/** Thrown by embedders. The message may be shown: it names no key and no address. */
export class EmbeddingError extends Error {
  readonly problem: EmbeddingProblem;
  /** What the provider wants us to wait, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    problem: EmbeddingProblem,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EmbeddingError';
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A vector for each text in its order; null where the answer's numbers are none. All have one length. */
export type Vectors = readonly (readonly number[] | null)[];

/** Turns texts into vectors. */
export interface Embedder {
  /** Texts that go together at most. */
  readonly batch: number;
  /** Milliseconds that a batch may take. */
  readonly patienceMs: number;
  /** @throws EmbeddingError */
  embed(texts: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<Vectors>;
}
