import { sentencesOf } from './sentences.ts';
import { countTokens } from './tokens.ts';

/** A unit in pieces of at most so many tokens: cut behind sentences, else at spaces, else between characters. */
export function splitUnit(text: string, most: number): string[] {
  if (countTokens(text) <= most) return [text];
  return gather(sentencesOf(text), most, (sentence) =>
    gather(wordsOf(sentence), most, (word) => splitWord(word, most)),
  );
}

/** Fills pieces with parts, as many as fit; a part that is too large alone is cut by `cut`. */
function gather(parts: readonly string[], most: number, cut: (part: string) => string[]): string[] {
  const pieces: string[] = [];
  let open: string[] = [];
  let bytes = 0;
  const close = (): void => {
    const piece = open.join('').trim();
    if (piece !== '') pieces.push(piece);
    open = [];
    bytes = 0;
  };
  for (const part of parts) {
    const size = Buffer.byteLength(part.trimEnd(), 'utf8');
    if (bytes + size > most * 4) close();
    if (size > most * 4) {
      pieces.push(...cut(part));
      continue;
    }
    open.push(part);
    bytes += Buffer.byteLength(part, 'utf8');
  }
  close();
  return pieces;
}

/** Words with the white space behind them. */
const wordsOf = (text: string): string[] => text.match(/\s*\S+\s*/g) ?? [];

function splitWord(word: string, most: number): string[] {
  const pieces: string[] = [];
  let open = '';
  let bytes = 0;
  // By code points: half a character is none.
  for (const character of word.trim()) {
    const size = Buffer.byteLength(character, 'utf8');
    if (bytes + size > most * 4) {
      pieces.push(open);
      open = '';
      bytes = 0;
    }
    open += character;
    bytes += size;
  }
  if (open !== '') pieces.push(open);
  return pieces;
}
