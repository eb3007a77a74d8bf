import type { Database } from '@lyceum/core';
import { cite, type Source } from '../answer/source.ts';
import type { Citation } from '../conversation/conversation.ts';
import { chooseSentences } from './choose-sentences.ts';
import { lexemesOf } from './lexeme-store.ts';
import { sentencesOf } from './sentences.ts';

/** Sentences of the sources, word for word, each with its marker. */
export interface Quotation {
  readonly answer: string;
  readonly citations: readonly Citation[];
}

/**
 * Answers a question by what its sources say, and with nothing else; null where they say nothing of it. The same
 * sources and the same question give the same answer.
 * @param configuration of PostgreSQL's text search
 */
export async function quoteSources(
  db: Database,
  configuration: string,
  question: string,
  sources: readonly Source[],
): Promise<Quotation | null> {
  const sentences = sources.flatMap(({ content }, chunk) =>
    sentencesOf(content).map((text) => ({ chunk, text })),
  );
  const titles = sources.map(({ title, heading_path }) => [title, ...heading_path].join('\n'));
  const texts = [question, ...titles, ...sentences.map(({ text }) => text)];
  const [words = new Set<string>(), ...read] = await lexemesOf(db, configuration, texts);
  const shared = read.map((lexemes) => new Set([...lexemes].filter((word) => words.has(word))));
  const candidates = sentences.map((sentence, at) => ({
    ...sentence,
    words: shared[sources.length + at] ?? new Set<string>(),
  }));
  const chunks = sources.map((_source, chunk) => ({
    titles: shared[chunk] ?? new Set<string>(),
    content: new Set(candidates.flatMap((one) => (one.chunk === chunk ? [...one.words] : []))),
  }));
  const chosen = chooseSentences(words, chunks, candidates);
  if (chosen.length === 0) return null;
  return {
    answer: chosen.map(({ text }, at) => `${text} [${at + 1}]`).join(' '),
    citations: chosen.flatMap(({ chunk, text }, at) => {
      const source = sources[chunk];
      return source ? [cite(source, at + 1, text)] : [];
    }),
  };
}
