import { type PartHeaders, readPartHeaders } from './part-headers.ts';

/** What a multipart body consists of, in order: a part's headers, then its bytes in any number of pieces. */
export type PartEvent =
  | { readonly kind: 'part'; readonly headers: PartHeaders }
  | { readonly kind: 'data'; readonly bytes: Buffer };

/** The body is no multipart body, or ends before its last boundary. */
export class BrokenMultipart extends Error {}

/** Browsers send some hundred bytes; nothing of a form belongs into more than this. */
const maxHeaderBytes = 16 * 1024;

const RETURN = 0x0d;
const LINE = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** The boundary in a `Content-Type`; null unless it is one that RFC 2046 allows. */
export function boundaryOf(contentType: string): string | null {
  const match = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))[ \t]*(?:;|$)/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  return /^[\w'()+,./:=? -]*[\w'()+,./:=?-]$/.test(boundary) ? boundary : null;
}

/**
 * Reads a multipart body as it comes; memory does not grow with it, and nothing is read ahead of the consumer.
 * Written here because formidable 3.5, the parser of koa-body, never answers a text part marked `7bit`, keeps
 * headers of any size in memory, and counts bytes as written that a full disk refused.
 * Throws `BrokenMultipart`, and what the source throws.
 */
export async function* multipartParts(
  source: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<PartEvent, void, undefined> {
  const splitter = new Splitter(boundary);
  for await (const chunk of source) yield* splitter.take(chunk);
  if (!splitter.ended) throw new BrokenMultipart('it ends before its last boundary');
}

type Place = 'preamble' | 'boundary' | 'headers' | 'data' | 'epilogue';

class Splitter {
  readonly #delimiter: Buffer;
  #place: Place = 'preamble';
  /** Begins with a line break of ours, so that the first boundary looks like the others. */
  #held: Buffer = LINE;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  get ended(): boolean {
    return this.#place === 'epilogue';
  }

  *take(chunk: Buffer): Generator<PartEvent, void, undefined> {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (let before: Place | null = null; before !== this.#place; ) {
      before = this.#place;
      if (before === 'preamble' || before === 'data') yield* this.#untilBoundary(before === 'data');
      else if (before === 'boundary') this.#behindBoundary();
      else if (before === 'headers') yield* this.#headers();
      else this.#held = Buffer.alloc(0);
    }
  }

  *#untilBoundary(wanted: boolean): Generator<PartEvent, void, undefined> {
    const at = this.#held.indexOf(this.#delimiter);
    const end = at >= 0 ? at : this.#firstDoubt();
    const bytes = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(at >= 0 ? at + this.#delimiter.length : end);
    if (at >= 0) this.#place = 'boundary';
    if (wanted && bytes.length > 0) yield { kind: 'data', bytes };
  }

  /**
   * Where the end of what is held could be the beginning of a boundary: mostly nowhere. So little is kept for the next
   * chunk, which then need not be copied behind it.
   */
  #firstDoubt(): number {
    const { length } = this.#held;
    let at = this.#held.indexOf(RETURN, Math.max(0, length - this.#delimiter.length + 1));
    while (at >= 0 && this.#held.compare(this.#delimiter, 0, length - at, at) !== 0) {
      at = this.#held.indexOf(RETURN, at + 1);
    }
    return at < 0 ? length : at;
  }

  /** Two dashes end the body; else padding and a line break, then headers. */
  #behindBoundary(): void {
    if (this.#held.length < 2) return;
    if (this.#held.toString('latin1', 0, 2) === '--') {
      this.#place = 'epilogue';
      return;
    }
    let at = 0;
    while (this.#held[at] === 0x20 || this.#held[at] === 0x09) at += 1;
    if (at > maxHeaderBytes) throw new BrokenMultipart('a boundary is followed by too much padding');
    if (this.#held.length < at + 2) return;
    if (this.#held.toString('latin1', at, at + 2) !== '\r\n')
      throw new BrokenMultipart('a boundary is followed by something else');
    // The line break stays: it may be the first half of the blank line of a part without headers.
    this.#held = this.#held.subarray(at);
    this.#place = 'headers';
  }

  *#headers(): Generator<PartEvent, void, undefined> {
    const at = this.#held.indexOf(BLANK_LINE);
    if (at > maxHeaderBytes || (at < 0 && this.#held.length > maxHeaderBytes))
      throw new BrokenMultipart('the headers of a part are too long');
    if (at < 0) return;
    const headers = readPartHeaders(this.#held.toString('utf8', Math.min(at, 2), at));
    if (headers === null) throw new BrokenMultipart('a part has no valid headers');
    this.#held = this.#held.subarray(at + BLANK_LINE.length);
    this.#place = 'data';
    yield { kind: 'part', headers };
  }
}
