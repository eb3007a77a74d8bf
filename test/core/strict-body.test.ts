import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestHost, type TestHost, testModules } from '../kit/index.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly data?: { readonly params?: unknown } };
}

describe('strictness of JSON bodies', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: ['probe'], folders: [testModules] });
  });
  after(() => lyceum.stop());

  /** Sends bytes as they are; `fetch` makes nothing of them. */
  async function send(
    body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<Answer> {
    const answer = await fetch(`${lyceum.origin}/api/test/probe/v1/echo`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === null ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }
  const refusal = ({ status, body }: Answer): string => `${status} ${body.code}`;
  const chunked = (...chunks: (string | Uint8Array)[]): ReadableStream =>
    ReadableStream.from(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));

  it('are read in every way that they may be sent', async () => {
    const text = JSON.stringify({ text: 'привет', free: { a: [1, null, { b: true }] } });
    const expected = JSON.parse(text);
    for (const answer of [
      await send(text),
      await send(chunked(text.slice(0, 5), text.slice(5))),
      await send(text, { 'Content-Type': 'application/json; charset=utf-8' }),
      await send(text, { 'Content-Type': 'application/vnd.api+json' }),
      await send(gzipSync(text), { 'Content-Encoding': 'gzip' }),
      await send(deflateSync(text), { 'Content-Encoding': 'deflate' }),
      await send(text, { 'Content-Encoding': 'identity' }),
      await send(`\r\n\t ${text}\n`),
    ]) {
      expect(answer).to.deep.equal({ status: 200, body: expected });
    }
  });

  it('may be missing', async () => {
    for (const answer of [await send(null), await send(''), await send(chunked())]) {
      expect(answer).to.deep.equal({ status: 200, body: {} });
    }
  });

  it('keep declared keys alone, and no key of an object that all have', async () => {
    const answer = await send(
      '{"unknown":1,"text":"x","toString":5,"constructor":{"a":1},"nested":{"inner":"i","outer":1}}',
    );
    expect(answer).to.deep.equal({ status: 200, body: { text: 'x', nested: { inner: 'i' } } });
    const free = await send('{"free":{"constructor":1,"toString":{"x":2}}}');
    expect(free).to.deep.equal({ status: 200, body: { free: { constructor: 1, toString: { x: 2 } } } });
    expect(refusal(await send('{"__proto__":{"text":"x"}}'))).to.equal('400 rest_invalid_json');
    const below = await send('{"free":{"a":[{"__proto__":{"polluted":1}}]}}');
    expect(refusal(below)).to.equal('400 rest_invalid_param');
    expect(below.body.data?.params).to.have.property('free');
    expect(await send('{"unknown":{"__proto__":{"polluted":1}}}')).to.deep.equal({ status: 200, body: {} });
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('are refused when they are no JSON object', async () => {
    for (const text of [
      '{',
      '{"a":1,}',
      "{'a':1}",
      'null',
      '5',
      '"x"',
      '[]',
      '[{}]',
      'x',
      '{} {}',
      '{"text":"\u0001"}',
      '﻿﻿{}',
    ]) {
      expect(refusal(await send(text)), text).to.equal('400 rest_invalid_json');
    }
  });

  it('are refused when they are no UTF-8', async () => {
    const broken = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xe9]), Buffer.from('"}')]);
    expect(refusal(await send(broken))).to.equal('400 rest_invalid_json');
    expect(refusal(await send(gzipSync(broken), { 'Content-Encoding': 'gzip' }))).to.equal(
      '400 rest_invalid_json',
    );
  });

  it('are strict: nothing is cast', async () => {
    const cases: [object, string][] = [
      [{ text: 5 }, 'text'],
      [{ text: null }, 'text'],
      [{ text: ['x'] }, 'text'],
      [{ count: '5' }, 'count'],
      [{ count: 1.5 }, 'count'],
      [{ count: 0 }, 'count'],
      [{ count: true }, 'count'],
      [{ flag: 1 }, 'flag'],
      [{ flag: 'true' }, 'flag'],
      [{ list: '1,2' }, 'list'],
      [{ list: [1, '2'] }, 'list[1]'],
      [{ list: [1, 2, 3, 4] }, 'list'],
      [{ list: { 0: 1 } }, 'list'],
      [{ nested: [] }, 'nested'],
      [{ nested: { inner: 5 } }, 'nested.inner'],
      [{ free: [] }, 'free'],
    ];
    for (const [body, name] of cases) {
      const answer = await send(JSON.stringify(body));
      expect(refusal(answer), JSON.stringify(body)).to.equal('400 rest_invalid_param');
      expect(Object.keys(answer.body.data?.params ?? {})).to.deep.equal([name]);
    }
  });

  it('hold no NUL and no half of a character, in any depth', async () => {
    for (const [text, name] of [
      ['{"text":"a\\u0000b"}', 'text'],
      ['{"text":"\\ud800"}', 'text'],
      ['{"nested":{"inner":"\\udc00x"}}', 'nested.inner'],
      ['{"free":{"deep":[{"x":"\\u0000"}]}}', 'free'],
      ['{"free":{"\\ud800":1}}', 'free'],
    ] as const) {
      const answer = await send(text);
      expect(refusal(answer), text).to.equal('400 rest_invalid_param');
      expect(Object.keys(answer.body.data?.params ?? {})).to.deep.equal([name]);
    }
    expect((await send('{"text":"\\ud83d\\ude00"}')).body).to.deep.equal({ text: '😀' });
  });

  it('are nested 64 levels at most', async () => {
    const nested = (levels: number): string =>
      `{"free":${'{"a":'.repeat(levels - 2)}{}${'}'.repeat(levels - 2)}}`;
    expect((await send(nested(64))).status).to.equal(200);
    for (const text of [nested(65), `{"free":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]) {
      expect(refusal(await send(text))).to.equal('400 rest_invalid_json');
    }
  });

  it('have another content type for 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
    ]) {
      expect(refusal(await send('{"text":"x"}', { 'Content-Type': type }))).to.equal(
        '415 rest_unsupported_media_type',
      );
    }
    const untyped = await fetch(`${lyceum.origin}/api/test/probe/v1/echo`, {
      method: 'POST',
      body: Buffer.from('{}'),
    });
    expect(untyped.status).to.equal(415);
    for (const encoding of ['compress', 'nonsense']) {
      expect(refusal(await send('{}', { 'Content-Encoding': encoding }))).to.equal(
        '415 rest_unsupported_media_type',
      );
    }
  });

  it('may weigh 16 MiB, unpacked, and their strings 5 MiB', async () => {
    const mebi = 1024 * 1024;
    const weighing = (bytes: number): string => `{"ignored":"${'x'.repeat(bytes - 14)}"}`;
    expect((await send(weighing(16 * mebi))).status).to.equal(200);
    for (const answer of [
      await send(weighing(16 * mebi + 1)),
      await send(chunked(...Array<string>(17).fill(' '.repeat(mebi)), '{}')),
      await send(gzipSync(weighing(40 * mebi)), { 'Content-Encoding': 'gzip' }),
      await send(JSON.stringify({ text: 'x'.repeat(5 * mebi + 1) })),
      await send(JSON.stringify({ text: 'ж'.repeat(2.5 * mebi + 1) })),
      await send(JSON.stringify({ free: { deep: ['x'.repeat(5 * mebi + 1)] } })),
    ]) {
      expect(refusal(answer)).to.equal('413 rest_body_too_large');
    }
    expect((await send(JSON.stringify({ text: 'x'.repeat(5 * mebi) }))).status).to.equal(200);
  });

  it('are refused when their packing is broken', async () => {
    const packed = gzipSync(JSON.stringify({ text: 'x'.repeat(1000) }));
    for (const bytes of [
      Buffer.from('{}'),
      packed.subarray(0, 20),
      Buffer.concat([packed.subarray(0, 12), Buffer.alloc(30, 7)]),
    ]) {
      expect(refusal(await send(bytes, { 'Content-Encoding': 'gzip' }))).to.equal('400 rest_invalid_json');
    }
  });
});
