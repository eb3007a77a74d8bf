import { setTimeout as wait } from 'node:timers/promises';
import { type Embedder, EmbeddingError, type Vectors } from '../providers/embedder.ts';

/** Pauses before another try, in milliseconds, by what went wrong; no more tries than that. */
const pauses: Readonly<Partial<Record<EmbeddingError['problem'], readonly number[]>>> = {
  // A provider that wants us to wait means it.
  busy: [1_000, 2_000, 4_000, 8_000],
  // One that is down stays so for longer than a job should hold its place.
  unreachable: [1_000],
};

const longestPauseMs = 60_000;

/**
 * Vectors of texts, asked for again where that may help.
 * @param beforeTry called before each: a pause may be as long as a lease
 * @throws EmbeddingError
 */
export async function askProvider(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
  beforeTry: () => Promise<void>,
): Promise<Vectors> {
  for (let tries = 0; ; tries += 1) {
    await beforeTry();
    const began = performance.now();
    try {
      return await embedder.embed(texts, signal, embedder.patienceMs);
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      const pause = pauses[error.problem]?.[tries];
      // Whoever was silent for so long will be again.
      const wasSilent =
        error.problem === 'unreachable' && performance.now() - began >= embedder.patienceMs / 2;
      if (pause === undefined || wasSilent) throw error;
      const wanted = Math.max(pause, error.retryAfterMs ?? 0);
      await wait(Math.min(wanted, longestPauseMs), undefined, { signal });
    }
  }
}
