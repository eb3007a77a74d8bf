import { Readable } from 'node:stream';
import {
  callerOf,
  created,
  defineOperation,
  fail,
  idText,
  json,
  page,
  pageQuery,
  record,
  reply,
  stream,
  yup,
} from '@lyceum/core';
import { counts, gate } from './state.ts';

const anybody = { public: 'a probe for tests' };
const text = yup.object({ said: yup.string().required() });

export const open = defineOperation({
  id: 'probe.open',
  method: 'GET',
  path: 'test/probe/v1/open',
  access: anybody,
  output: yup.object({ user: yup.number().nullable().defined() }),
  handle: (_input, call) => ({ user: call.user?.id ?? null }),
});

export const me = defineOperation({
  id: 'probe.me',
  method: 'GET',
  path: 'test/probe/v1/me',
  access: { signedIn: true },
  output: yup.object({ user: yup.number().required(), by: yup.string().required() }),
  handle: (_input, call) => ({ user: callerOf(call).id, by: call.credential.kind }),
});

export const write = defineOperation({
  id: 'probe.write',
  method: 'POST',
  path: 'test/probe/v1/write',
  access: { can: 'edit_posts' },
  site: 'selectable',
  output: yup.object({ blog_id: yup.number().required() }),
  handle: (_input, call) => ({ blog_id: call.site.blog_id }),
});

export const own = defineOperation({
  id: 'probe.own',
  method: 'GET',
  path: 'test/probe/v1/own',
  access: { can: 'use_probe' },
  output: text,
  handle: () => ({ said: 'yours' }),
});

const bodyOfEcho = {
  body: yup.object({
    text: yup.string(),
    count: yup.number().integer().min(1).max(9),
    flag: yup.boolean(),
    list: yup.array().of(yup.number().required()).max(3),
    nested: yup.object({ inner: yup.string() }).optional().default(undefined),
    free: record(),
  }),
};

export const echo = defineOperation({
  id: 'probe.echo',
  method: 'POST',
  path: 'test/probe/v1/echo',
  access: anybody,
  input: bodyOfEcho,
  output: record(),
  handle: ({ body }) => body,
});

export const erase = defineOperation({
  id: 'probe.erase',
  method: 'DELETE',
  path: 'test/probe/v1/echo',
  access: anybody,
  input: { body: yup.object({ text: yup.string().required() }) },
  output: record(),
  handle: ({ body }) => ({ erased: body.text }),
});

export const ask = defineOperation({
  id: 'probe.ask',
  method: 'GET',
  path: 'test/probe/v1/ask',
  access: anybody,
  input: {
    query: yup.object({
      text: yup.string(),
      count: yup.number().integer(),
      flag: yup.boolean(),
      list: yup.array().of(yup.number().required()),
    }),
  },
  output: record(),
  handle: ({ query }) => query,
});

export const change = defineOperation({
  id: 'probe.change',
  method: 'PATCH',
  path: 'test/probe/v1/items/{id}',
  access: { signedIn: true },
  input: { params: yup.object({ id: idText() }), body: yup.object({ text: yup.string() }) },
  output: record(),
  handle: ({ params, body }) => ({ changed: params.id, ...body }),
});

export const list = defineOperation({
  id: 'probe.list',
  method: 'GET',
  path: 'test/probe/v1/items',
  access: anybody,
  input: { query: yup.object(pageQuery()) },
  output: yup
    .array()
    .of(yup.object({ id: yup.number().required(), name: yup.string().required(), data: json() }))
    .required(),
  paged: true,
  handle: ({ query }) => {
    const first = (query.page - 1) * query.per_page + 1;
    const ids = Array.from({ length: query.per_page }, (_, index) => first + index).filter((id) => id <= 45);
    return page(
      ids.map((id) => ({ id, name: `item ${id}`, data: { id }, secret: 'never listed' })),
      45,
    );
  },
});

export const make = defineOperation({
  id: 'probe.make',
  method: 'POST',
  path: 'test/probe/v1/items',
  access: { signedIn: true },
  input: { body: yup.object({ text: yup.string().required(), wait: yup.boolean(), how: yup.string() }) },
  success: 201,
  output: record(),
  errors: ['probe_refused', 'rest_too_many_requests'],
  handle: async ({ body }, call) => {
    counts.acted += 1;
    const made = { text: body.text, number: counts.acted };
    if (body.wait) await gate.pass();
    if (body.how === 'refuse') fail('probe_refused', { data: { number: counts.acted } });
    if (body.how === 'later') fail('rest_too_many_requests', { headers: { 'Retry-After': '7' } });
    if (body.how === 'crash') throw new Error('the probe breaks');
    if (body.how === 'stream') return stream(Readable.from([JSON.stringify(made)]), 'application/json');
    if (body.how === 'cookie') return reply(made, { cookies: [{ name: 'probe', value: 'x', maxAge: 5 }] });
    return created(made, `${call.site.url}items/${made.number}`);
  },
});

/** Operations that go wrong, each in its own way. */
const wrongs: Readonly<Record<string, (call: { signal: AbortSignal }) => unknown>> = {
  null: () => {
    throw null;
  },
  rejection: () => Promise.reject(undefined),
  text: () => {
    throw 'a text';
  },
  nothing: () => undefined,
  unfit: () => ({ said: 5 }),
  function: () => ({ said: () => 'x' }),
};

export const wrong = Object.entries(wrongs).map(([name, handle]) =>
  defineOperation({
    id: `probe.wrong-${name}`,
    method: 'GET',
    path: `test/probe/v1/wrong/${name}`,
    access: anybody,
    output: text,
    handle: (_input, call) => handle(call),
  }),
);

export const cyclic = defineOperation({
  id: 'probe.wrong-cyclic',
  method: 'GET',
  path: 'test/probe/v1/wrong/cyclic',
  access: anybody,
  output: json(),
  handle: () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    return circle;
  },
});

export const never = defineOperation({
  id: 'probe.never',
  method: 'POST',
  path: 'test/probe/v1/never',
  access: anybody,
  timeoutMs: 60,
  output: text,
  handle: (_input, call) => {
    call.signal.addEventListener('abort', () => {
      counts.aborted += 1;
    });
    return new Promise(() => undefined);
  },
});

export const silent = defineOperation({
  id: 'probe.silent',
  method: 'POST',
  path: 'test/probe/v1/silent',
  access: anybody,
  handle: () => ({ said: 'not shown' }),
});
