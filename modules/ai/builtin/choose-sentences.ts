/** A sentence of a chunk, by the words of the question that are in it. */
export interface Candidate {
  /** Number of its chunk, from 0. */
  readonly chunk: number;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** A chunk, by the words of the question that are in it and in the titles over it. */
export interface ChunkWords {
  readonly content: ReadonlySet<string>;
  readonly titles: ReadonlySet<string>;
}

const mostSentences = 3;

interface Scored extends Candidate {
  readonly score: number;
  /** Words of the question in the sentence, or in the titles over it. */
  readonly covered: number;
}

/** Better first; of equals the one that comes first in the texts. */
const byWorth = (a: Scored, b: Scored): number =>
  b.score - a.score || b.covered - a.covered || a.chunk - b.chunk;

/**
 * The sentences that answer a question, in the order of their chunks; none where even the best has too little to do
 * with it. A word tells the more, the fewer of the chunks have it.
 * @param words of the question, each once
 */
export function chooseSentences(
  words: ReadonlySet<string>,
  chunks: readonly ChunkWords[],
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const weights = new Map([...words].map((word) => [word, weightOf(word, chunks)]));
  const scored = candidates
    .map((candidate): Scored => {
      const titles = chunks[candidate.chunk]?.titles ?? new Set<string>();
      return {
        ...candidate,
        score: [...candidate.words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0),
        covered: new Set([...candidate.words, ...titles]).size,
      };
    })
    .sort(byWorth);
  const [best] = scored;
  if (!best || words.size === 0 || best.covered < Math.ceil(words.size / 3)) return [];
  const chosen: Scored[] = [];
  for (const candidate of scored) {
    if (chosen.length === mostSentences || candidate.score < best.score / 2) break;
    // Where only titles speak for a sentence, nothing speaks for those of other chunks.
    if (best.score === 0 && candidate !== best) break;
    if (!chosen.some(({ chunk }) => chunk === candidate.chunk)) chosen.push(candidate);
  }
  return chosen.sort((a, b) => a.chunk - b.chunk);
}

function weightOf(word: string, chunks: readonly ChunkWords[]): number {
  const having = chunks.filter(({ content }) => content.has(word)).length;
  return having === 0 ? 0 : Math.log(1 + chunks.length / having);
}
