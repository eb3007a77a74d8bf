import type { Readable } from 'node:stream';
import { Answer, type AnswerOptions, Page, StreamAnswer } from '../api/answers.ts';
import type { PageAnswer } from '../api/page.ts';
import { type Presenter, UnfitOutput } from '../http/presenter.ts';

/** What a handler returned, in data. */
export type Returned =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'page'; readonly body: unknown; readonly total: number }
  | {
      readonly kind: 'stream';
      readonly source: Readable;
      readonly contentType: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'answer';
      readonly status: number | null;
      readonly data: Returned;
      readonly options: AnswerOptions;
    };

/** The answer of a page, in data. */
export interface PageWords extends Omit<PageAnswer, 'html'> {
  readonly html: string | null;
}

export const writePage = ({ status, html, headers, cookies }: PageAnswer): PageWords => ({
  status,
  html: html ? html.text : null,
  headers,
  cookies,
});

/** Free JSON in an answer may hold what only JSON.stringify knows how to write. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Shows what the operation's output lists, here where the value is; throws `UnfitOutput`. */
export function writeReturned(returned: unknown, present: Presenter | null): Returned {
  if (returned instanceof StreamAnswer) {
    const { source, contentType, headers } = returned;
    return { kind: 'stream', source, contentType, headers };
  }
  if (returned instanceof Answer) {
    const { status, data, options } = returned;
    return { kind: 'answer', status, options, data: writeReturned(data, present) };
  }
  if (!present) return { kind: 'data', data: undefined };
  if (returned instanceof Page) {
    return { kind: 'page', body: asJson(present(returned.body, '')), total: returned.total };
  }
  if (returned === undefined) throw new UnfitOutput('', 'is undefined');
  return { kind: 'data', data: asJson(present(returned, '')) };
}
