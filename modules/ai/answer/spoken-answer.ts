import { MarkerPieces } from './marker-pieces.ts';
import { PlainPieces } from './plain-text.ts';

/** An answer as it is spoken: what is said on the way, put together, is the answer. */
export class SpokenAnswer {
  readonly #plain = new PlainPieces();
  readonly #markers: MarkerPieces;
  readonly #say: (text: string) => void;
  readonly #said: string[] = [];

  /** @param sources how many there are to point to */
  constructor(sources: number, say: (text: string) => void) {
    this.#markers = new MarkerPieces(sources);
    this.#say = say;
  }

  push(piece: string): void {
    this.#pass(this.#markers.push(this.#plain.push(piece)));
  }

  /** The whole answer. */
  end(): string {
    this.#pass(this.#markers.push(this.#plain.end()));
    this.#pass(this.#markers.end());
    return this.#said.join('');
  }

  #pass(text: string): void {
    if (text === '') return;
    this.#said.push(text);
    this.#say(text);
  }
}
