const marker = /\[(\d+)\]/g;

/** The marker's number, should it be written as numbers are; 0 is none. */
const numberOf = (digits: string): number => (digits.startsWith('0') ? 0 : Number(digits));

/** Numbers of the markers in a text. */
export const markersIn = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(marker)].map(([, digits = '']) => numberOf(digits)));

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/** Where the digits at the end of a text begin. By hand, as all here: expressions that look back are not linear. */
function digitsFrom(text: string): number {
  let from = text.length;
  while (isDigit(text[from - 1])) from -= 1;
  return from;
}

/** Whether the text ends with what digits and a bracket would make a marker of. */
const endsOpen = (text: string): boolean => text[digitsFrom(text) - 1] === '[';

/** Where the white space and the open bracket at the end of a text begin: what may still be a marker. */
function unfinishedFrom(text: string): number {
  let from = endsOpen(text) ? digitsFrom(text) - 1 : text.length;
  while (isSpace(text[from - 1])) from -= 1;
  return from;
}

/** The text without the white space at its end, line breaks excepted. */
function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] !== '\n' && isSpace(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/**
 * Takes markers without a source out of a text that comes in pieces, together with the white space before them. Held
 * back is only what may become a marker, so the pieces that are said make up the whole text.
 */
export class MarkerPieces {
  readonly #sources: number;
  #held = '';
  #begun = false;
  /** What was said last may become a marker by what follows. */
  #open = false;

  /** @param sources markers from 1 to this number stay */
  constructor(sources: number) {
    this.#sources = sources;
  }

  /** What of the text so far can be said. */
  push(piece: string): string {
    const text = this.#withoutForeign(this.#held + piece);
    const from = unfinishedFrom(text);
    this.#held = text.slice(from);
    return this.#say(text.slice(0, from));
  }

  /** What is left at the end; no answer ends with white space. */
  end(): string {
    const rest = this.#say(this.#held.trimEnd());
    this.#held = '';
    return rest;
  }

  #withoutForeign(text: string): string {
    let kept = '';
    let at = 0;
    for (const found of text.matchAll(marker)) {
      const number = numberOf(found[1] ?? '');
      if (number >= 1 && number <= this.#sources) continue;
      kept += withoutSpaceAtEnd(text.slice(at, found.index));
      // What stood around it must not become a marker in its turn.
      if (endsOpen(kept) || (this.#open && digitsFrom(kept) === 0)) kept += ' ';
      at = found.index + found[0].length;
    }
    return kept + text.slice(at);
  }

  #say(text: string): string {
    const said = this.#begun ? text : text.trimStart();
    if (said === '') return said;
    this.#begun = true;
    this.#open = endsOpen(said) || (this.#open && digitsFrom(said) === 0);
    return said;
  }
}
