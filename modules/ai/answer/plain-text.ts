/** Control characters that no text needs: all but line break and tab. */
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The text without control characters and halves of characters; what is left is safe to store and to send on. */
export const plainText = (text: string): string => text.replace(control, '').toWellFormed();

const firstHalf = /[\ud800-\udbff]$/;

/** The same for a text that comes in pieces: a character may be cut in two. */
export class PlainPieces {
  #half = '';

  /** What of the text so far can be said. */
  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = firstHalf.exec(text)?.[0] ?? '';
    return plainText(text.slice(0, text.length - this.#half.length));
  }

  /** What is left at the end. */
  end(): string {
    const rest = plainText(this.#half);
    this.#half = '';
    return rest;
  }
}
