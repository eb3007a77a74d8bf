import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RawRequest, startTestHost, type TestHost, type TestUser } from '../kit/index.ts';

const posts = 'svc/host/v1/posts';

describe('a JSON body', () => {
  let lyceum: TestHost;
  let user: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    user = await lyceum.make.user({ role: 'editor' });
  });
  after(() => lyceum.stop());

  const send = async (headers: Readonly<Record<string, string>>, body: Buffer | string) => {
    const answer = await fetch(`${lyceum.origin}/api/${posts}`, {
      method: 'POST',
      headers: { ...user.headers, ...headers },
      body: Uint8Array.from(Buffer.from(body)),
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string; title?: string } };
  };

  it('is read under every name of JSON', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/vnd.acme+json']) {
      const { status, body } = await send({ 'Content-Type': type }, JSON.stringify({ title: type }));
      expect([status, body.title]).to.deep.equal([201, type]);
    }
    for (const type of ['text/plain', 'multipart/form-data; boundary=B', 'application/x-www-form-urlencoded'])
      expect((await send({ 'Content-Type': type }, '{}')).status, type).to.equal(415);
  });

  it('may be zipped, up to 16 MiB unzipped', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await send(headers, gzipSync('{"title":"zipped"}'))).body.title).to.equal('zipped');
    const bomb = await send(headers, gzipSync(JSON.stringify({ title: 'x'.repeat(17 * 1024 * 1024) })));
    expect([bomb.status, bomb.body.code]).to.deep.equal([413, 'rest_body_too_large']);
    const broken = await send(headers, 'not zipped');
    expect([broken.status, broken.body.code]).to.deep.equal([400, 'rest_invalid_json']);
  });

  it('of more than 16 MiB is refused before it is read, and the client reads why', async () => {
    const answer = await send({ 'Content-Type': 'application/json' }, Buffer.alloc(30_000_000, ' '));
    expect([answer.status, answer.body.code]).to.deep.equal([413, 'rest_body_too_large']);
  });

  it('that breaks off ends its request, zipped or not', async () => {
    const ended = /^lyceum_requests_total\{module="host",operation="host.create-post",status="400"\} (\d+)/m;
    const count = async (): Promise<number> => {
      const metrics = await fetch(`${lyceum.origin}/metrics`);
      return Number(ended.exec(await metrics.text())?.[1] ?? 0);
    };
    for (const encoding of ['identity', 'gzip']) {
      const before = await count();
      const request = new RawRequest(lyceum.origin);
      const start = encoding === 'gzip' ? gzipSync('{"title":').subarray(0, 12) : Buffer.from('{"title":');
      await request.write(
        `POST /api/${posts} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.headers.Authorization}\r\n` +
          `Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: 1000\r\n\r\n`,
      );
      await request.write(start);
      request.cut();
      while ((await count()) === before) await nextTurn();
    }
  });
});
