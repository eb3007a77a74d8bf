const tag = /<[^<>]*>/g;
const word = /[\p{L}\p{N}]+/gu;

/** Runs of letters or digits in a text whose tags do not count. */
export function countWords(content: string): number {
  let words = 0;
  for (const _found of content.replaceAll(tag, ' ').matchAll(word)) words += 1;
  return words;
}
