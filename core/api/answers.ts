import type { Readable } from 'node:stream';

/** A cookie to set; `maxAge` in seconds, 0 removes it. Always HttpOnly, SameSite=Lax, and Secure on https. */
export interface AnswerCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAge: number;
}

/** What an answer carries beside its data: header values as they are sent, and cookies. */
export interface AnswerOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly AnswerCookie[];
}

/** What a handler may return instead of plain data. Made by the functions of this file only. */
export class Answer {
  readonly status: number | null;
  readonly data: unknown;
  readonly options: AnswerOptions;

  constructor(status: number | null, data: unknown, options: AnswerOptions) {
    this.status = status;
    this.data = data;
    this.options = options;
  }
}

/** Plain data with headers or cookies; the status is the operation's `success`. */
export const reply = (data: unknown, options: AnswerOptions): Answer => new Answer(null, data, options);

/** 201 with `Location`, an absolute URL. */
export const created = (data: unknown, location: string): Answer =>
  new Answer(201, data, { headers: { Location: location } });

/** 202: the work goes on; `location` is where to ask for it. */
export const accepted = (data: unknown, location?: string): Answer =>
  new Answer(202, data, location === undefined ? {} : { headers: { Location: location } });

/** 200 where the operation's `success` is another status, for "was there already". */
export const existing = (data: unknown, options?: AnswerOptions): Answer =>
  new Answer(200, data, options ?? {});

/** One page of a list: the total goes into the paging headers. */
export class Page {
  readonly body: unknown;
  readonly total: number;

  constructor(body: unknown, total: number) {
    this.body = body;
    this.total = total;
  }
}

/** A page of a paged list; the operation's query must use `pageQuery`. `total` counts all pages. */
export const page = (items: readonly unknown[], total: number): Page => new Page(items, total);

/** The same where the list stands inside of an object. */
export const wrappedPage = (body: object, total: number): Page => new Page(body, total);

/** A body that is written as it is produced; not passed through an output schema. */
export class StreamAnswer {
  readonly source: Readable;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(source: Readable, contentType: string, headers: Readonly<Record<string, string>>) {
    this.source = source;
    this.contentType = contentType;
    this.headers = headers;
  }
}

/** Streams `source` with this content type; the stream is destroyed when the client goes. */
export const stream = (
  source: Readable,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): StreamAnswer => new StreamAnswer(source, contentType, headers);
