import type { Citation } from '../conversation/conversation.ts';
import { markersIn } from './marker-pieces.ts';

/** A chunk of a text of the site, as it was retrieved for a question. */
export type Source = Omit<Citation, 'n' | 'quote'> & { readonly content: string };

const quoteLength = 300;

/** Where a source stands: its page, and the headings over it. */
export const placeOf = ({ title, heading_path }: Source): string => [title, ...heading_path].join(' › ');

/** The beginning of a chunk, as whoever reads the answer is shown it. */
const beginningOf = ({ content }: Source): string =>
  [...content.slice(0, quoteLength * 2)].slice(0, quoteLength).join('');

/** The citation of a source under a number. */
export function cite(source: Source, n: number, quote: string): Citation {
  const { content, ...rest } = source;
  return { n, ...rest, quote };
}

/** The sources that an answer points to, by their numbers. */
export const cited = (answer: string, sources: readonly Source[]): Citation[] =>
  [...markersIn(answer)]
    .sort((a, b) => a - b)
    .flatMap((n) => {
      const source = sources[n - 1];
      return source ? [cite(source, n, beginningOf(source))] : [];
    });
