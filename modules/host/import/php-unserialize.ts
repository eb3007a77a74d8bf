/** Deeper values are no data that anybody wrote; the API takes no deeper JSON either. */
const deepest = 60;

/** What is no serialized value, or one that has no form in JSON. */
class NoValue extends Error {}

const serializedForm = /^(?:N;|[bidsaOCE]:)/;
const integerForm = /^-?\d{1,20}$/;
const floatForm = /^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i;

/**
 * The JSON value of a text that PHP's `serialize` made; undefined for any other text. An object of a class stays the
 * text that it is, wherever it stands. Lengths in the text are of bytes and are believed only as far as they fit, so
 * time and memory grow with the text and with nothing that it claims.
 */
export function unserialize(text: string): unknown {
  const trimmed = text.trim();
  if (!serializedForm.test(trimmed) || !/[;}]$/.test(trimmed)) return undefined;
  // An object as a whole: what is asked for is its text.
  if (/^[OCE]:/.test(trimmed)) return undefined;
  const reader = new PhpReader(Buffer.from(trimmed, 'utf8'));
  try {
    return reader.whole();
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}

class PhpReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  whole(): unknown {
    const value = this.#value(0);
    if (this.#at !== this.#bytes.length) throw new NoValue();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > deepest) throw new NoValue();
    const start = this.#at;
    const kind = String.fromCharCode(this.#bytes[this.#at] ?? 0);
    this.#at += 1;
    if (kind === 'N') {
      this.#expect(';');
      return null;
    }
    this.#expect(':');
    switch (kind) {
      case 'b':
        return this.#boolean();
      case 'i':
        return this.#integer();
      case 'd':
        return this.#float();
      case 's': {
        const text = this.#string();
        this.#expect(';');
        return text;
      }
      case 'a':
        return this.#array(depth);
      case 'O':
      case 'C':
      case 'E':
        return this.#object(kind, depth, start);
      default:
        // References ("r", "R") name other places of the text: nothing of JSON does.
        throw new NoValue();
    }
  }

  #expect(character: string): void {
    if (this.#bytes[this.#at] !== character.charCodeAt(0)) throw new NoValue();
    this.#at += 1;
  }

  /** The text up to a delimiter, which must come soon. */
  #until(delimiter: string): string {
    const end = this.#bytes.indexOf(delimiter, this.#at, 'latin1');
    if (end < 0 || end - this.#at > 40) throw new NoValue();
    const text = this.#bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #count(): number {
    const text = this.#until(':');
    const count = Number(text);
    if (!/^\d{1,10}$/.test(text) || count > this.#bytes.length) throw new NoValue();
    return count;
  }

  #boolean(): boolean {
    const text = this.#until(';');
    if (text !== '0' && text !== '1') throw new NoValue();
    return text === '1';
  }

  /** Beyond what JSON's numbers hold exactly it stays the digits that it is. */
  #integer(): number | string {
    const text = this.#until(';');
    if (!integerForm.test(text)) throw new NoValue();
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : text;
  }

  #float(): number {
    const text = this.#until(';');
    const value = Number(text);
    if (!floatForm.test(text) || !Number.isFinite(value)) throw new NoValue();
    return value;
  }

  #string(): string {
    const length = this.#count();
    this.#expect('"');
    const end = this.#at + length;
    if (this.#bytes[end] !== 0x22) throw new NoValue();
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end + 1;
    const text = bytes.toString('utf8');
    // A length that cuts a character in two was not made by PHP for this text.
    if (text.length > 0 && text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes))
      throw new NoValue();
    return text;
  }

  #array(depth: number): unknown {
    const entries = this.#entries(depth);
    this.#expect('}');
    const isList = entries.every(([key], index) => key === index);
    if (isList) return entries.map(([, value]) => value);
    const made: Record<string, unknown> = {};
    for (const [key, value] of entries) {
      // It would become something else as soon as somebody copies the object.
      if (key === '__proto__') throw new NoValue();
      made[String(key)] = value;
    }
    return made;
  }

  #entries(depth: number): (readonly [string | number, unknown])[] {
    const count = this.#count();
    this.#expect('{');
    const entries: (readonly [string | number, unknown])[] = [];
    for (let index = 0; index < count; index += 1) {
      const key = this.#value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw new NoValue();
      entries.push([key, this.#value(depth + 1)]);
    }
    return entries;
  }

  /** Passes over an object and gives the text that it is made of. */
  #object(kind: string, depth: number, start: number): string {
    this.#string();
    if (kind === 'E') this.#expect(';');
    else {
      this.#expect(':');
      if (kind === 'O') this.#entries(depth);
      else this.#custom();
      this.#expect('}');
    }
    return this.#bytes.toString('utf8', start, this.#at);
  }

  #custom(): void {
    const length = this.#count();
    this.#expect('{');
    this.#at += length;
  }
}
