import type { Context } from 'koa';
import { Answer, type AnswerCookie, Page, StreamAnswer } from '../api/answers.ts';
import { isPlainObject, type PageQuery } from '../api/schema.ts';
import { etagOf, matchesEtag } from './etag.ts';
import { UnfitOutput } from './presenter.ts';
import { putJson } from './ready-body.ts';
import type { CompiledOperation } from './route-table.ts';

/** A finished answer: what is sent, and what an idempotent repetition gets again. */
export interface Finished {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly AnswerCookie[];
  readonly body: string | null;
}

export interface Shape {
  /** Top-level keys to keep; null keeps all. */
  readonly fields: ReadonlySet<string> | null;
  /** URL of the list without `page`, for `Link`. */
  readonly listUrl: () => URL;
}

/** Presents what a handler returned; throws `UnfitOutput` for what its schema does not allow. */
export function finish(
  compiled: CompiledOperation,
  returned: unknown,
  query: unknown,
  shape: Shape,
): Finished {
  const answer = returned instanceof Answer ? returned : null;
  const data = answer ? answer.data : returned;
  const headers: Record<string, string> = { ...answer?.options.headers };
  const cookies = answer?.options.cookies ?? [];
  const { present } = compiled;
  if (!present) return { status: answer?.status ?? compiled.status, headers, cookies, body: null };
  let shown: unknown;
  if (data instanceof Page) {
    Object.assign(headers, pagingHeaders(data, query as PageQuery, shape));
    shown = present(data.body, '');
  } else {
    if (data === undefined) throw new UnfitOutput('', 'is undefined');
    shown = present(data, '');
  }
  const kept = shape.fields ? keepFields(shown, shape.fields) : shown;
  return { status: answer?.status ?? compiled.status, headers, cookies, body: JSON.stringify(kept) };
}

function pagingHeaders(list: Page, query: PageQuery, shape: Shape): Record<string, string> {
  const pages = Math.ceil(list.total / query.per_page);
  const link = (page: number, rel: string): string => {
    const url = shape.listUrl();
    url.searchParams.set('page', String(page));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [
    ...(query.page > 1 ? [link(Math.min(query.page - 1, Math.max(pages, 1)), 'prev')] : []),
    ...(query.page < pages ? [link(query.page + 1, 'next')] : []),
  ];
  return {
    'X-Svc-Total': String(list.total),
    'X-Svc-TotalPages': String(pages),
    // Under these names clients of WordPress hosts page.
    'X-WP-Total': String(list.total),
    'X-WP-TotalPages': String(pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  };
}

/** The names in `_fields`, also repeated or as `_fields[]`; null when it does not ask for fewer. */
export function fieldsAsked(
  query: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlySet<string> | null {
  if (query._fields === undefined && query['_fields[]'] === undefined) return null;
  const asked = [query._fields, query['_fields[]']]
    .flat()
    .filter((text) => text !== undefined && text !== '');
  if (asked.length === 0) return null;
  return new Set(
    asked
      .join(',')
      .split(',')
      .map((name) => name.trim()),
  );
}

/** Only these top-level keys of an object, or of each member of an array. */
export function keepFields(shown: unknown, fields: ReadonlySet<string>): unknown {
  if (Array.isArray(shown)) return shown.map((member: unknown) => keepOf(member, fields));
  return keepOf(shown, fields);
}

const keepOf = (value: unknown, fields: ReadonlySet<string>): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => fields.has(key))) : value;

/** Sends a finished answer; GET and HEAD carry an ETag and may become 304. */
export function send(ctx: Context, finished: Finished): void {
  const { req, res } = ctx;
  const { status, headers, body } = finished;
  for (const name in headers) {
    // The host has said of its own what the answer depends on.
    if (name === 'Vary') ctx.vary(headers[name] as string);
    else res.setHeader(name, headers[name] as string);
  }
  if (body === null) {
    ctx.status = status;
    ctx.body = null;
    ctx.status = status;
    return;
  }
  if (status === 200 && (req.method === 'GET' || req.method === 'HEAD')) {
    const etag = headers.ETag ?? etagOf(body);
    res.setHeader('ETag', etag);
    if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'private, no-cache');
    if (matchesEtag(req.headers['if-none-match'] ?? '', etag)) {
      ctx.status = 304;
      ctx.body = null;
      return;
    }
  }
  putJson(ctx, status, body);
}

export function sendStream(ctx: Context, answer: StreamAnswer): void {
  for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, value);
  ctx.set('Content-Type', answer.contentType);
  ctx.body = answer.source;
}

export { StreamAnswer };
