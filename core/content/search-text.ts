import { htmlTokens } from './html-tokens.ts';

/**
 * Characters of a record that are searched. A tsvector holds at most 1 MiB: 200,000 characters of single words
 * stay below 0.9 MiB in every script.
 */
export const longestSearchText = 200_000;

/** Input is read until this many times the limit at most, so that a page of mere markup ends too. */
const reading = 5;

const betweenWords = /[^\p{L}\p{N}\p{M}]+/gu;
const entity = /&(?:[a-z]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/** Longer words are cut, in texts and in questions alike: a lexeme has at most 2 KiB. */
const longestWord = 100;

/** Lower-cased words of a plain text. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(betweenWords)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, longestWord));
}

/** The text of HTML between its tags. */
function withoutMarkup(html: string): string {
  const parts: string[] = [];
  for (const { kind, from, to } of htmlTokens(html)) if (kind === 'text') parts.push(html.slice(from, to));
  return parts.join(' ').replaceAll(entity, ' ');
}

export interface Searchable {
  readonly title: string;
  /** Values of searchable meta. */
  readonly more: readonly string[];
  readonly excerpt: string;
  readonly content: string;
}

/**
 * The words by which a record is found: those of title, searchable meta, excerpt and content, in this order, as
 * one text for `to_tsvector('simple', …)`. Cleaned here and not by PostgreSQL's parser, whose idea of a word
 * (`a-b`, paths, hosts) doubles the vector and needs time that grows with the square of some inputs.
 */
export function searchText({ title, more, excerpt, content }: Searchable): string {
  const most = longestSearchText * reading;
  const sources = [
    title,
    ...more,
    withoutMarkup(excerpt.slice(0, most)),
    withoutMarkup(content.slice(0, most)),
  ];
  const words: string[] = [];
  let length = 0;
  for (const word of sources.flatMap(wordsOf)) {
    length += word.length + 1;
    if (length > longestSearchText) break;
    words.push(word);
  }
  return words.join(' ');
}

/**
 * What to ask of `to_tsquery('simple', …)` so that all words are found, the last one as the beginning of a word.
 * Null when the text has no word: then nothing is found.
 */
export function searchQuestion(text: string): string | null {
  const words = wordsOf(text).map((word) => `'${word}'`);
  return words.length === 0 ? null : `${words.join(' & ')}:*`;
}
