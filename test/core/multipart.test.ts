import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { RawRequest, startTestHost, type TestHost, type TestUser } from '../kit/index.ts';
import { takeRoute, takerFolder, waitingUploads } from './upload-kit.ts';

describe('uploads', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let folder: string;
  before(async () => {
    folder = await takerFolder();
    lyceum = await startTestHost({ modules: ['taker'], folders: [folder] });
    user = await lyceum.make.user({ role: 'author' });
    await lyceum.make.settings('host', { max_upload_bytes: 1024 * 1024 });
  });
  after(async () => {
    await lyceum.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await waitingUploads(lyceum.dataDir)).to.deep.equal([]);
  });

  const post = () => lyceum.as(user).post(takeRoute);

  /** Headers of a request of this many bytes; without a number, of one in chunks. */
  const headers = (length: number | null): string =>
    [
      `POST /api/${takeRoute} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${user.headers.Authorization}`,
      'Content-Type: multipart/form-data; boundary=B',
      length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n');
  const raw = async (body: string): Promise<{ status: number; body: { code?: string } }> => {
    const request = new RawRequest(lyceum.origin);
    await request.write(headers(Buffer.byteLength(body)) + body);
    return request.answer();
  };
  const fileHead = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const filePart = (content: string): string => `${fileHead}${content}\r\n`;
  const textPart = (name: string, content: string, more = ''): string =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${content}\r\n`;

  it('reach the handler whole, with their text fields cast', async () => {
    const content = Buffer.alloc(700_000, 'abc');
    const answer = await post()
      .field('title', 'Привет')
      .field('count', '7')
      .attach('file', content, 'photo.jpg');
    expect(answer.body).to.deep.equal({
      title: 'Привет',
      count: 7,
      name: 'photo.jpg',
      bytes: 700_000,
      honest: true,
    });
  });

  it('may have a part that says 7bit, and a file without a content type', async () => {
    const body = `${textPart('title', 'hi', 'Content-Transfer-Encoding: 7bit\r\n')}${filePart('xyz')}--B--\r\n`;
    const answer = await raw(body);
    expect([answer.status, answer.body]).to.deep.equal([
      200,
      { title: 'hi', count: null, name: 'a.bin', bytes: 3, honest: true },
    ]);
  });

  it('are gone after a handler that throws', async () => {
    await post().field('title', 'throw').attach('file', Buffer.from('x'), 'a').expect(500);
  });

  it('need a file with something in it', async () => {
    for (const request of [
      post().field('title', 'x'),
      post().field('file', 'only text'),
      post().attach('file', Buffer.alloc(0), 'a.png'),
    ]) {
      const { status, body } = await request;
      expect([status, body.code, body.data.params]).to.deep.equal([
        400,
        'rest_missing_callback_param',
        ['file'],
      ]);
    }
  });

  it('have one file, in its own field, and text in the others', async () => {
    const twice = await post()
      .attach('file', Buffer.from('a'), 'a')
      .attach('file', Buffer.from('b'), 'b')
      .expect(400);
    expect(twice.body.data.params).to.deep.equal({ file: 'must be given once' });
    const elsewhere = await post()
      .attach('title', Buffer.from('a'), 'a')
      .attach('file', Buffer.from('b'), 'b');
    expect(elsewhere.body.data.params).to.deep.equal({ title: 'must be no file' });
    const repeated = await post()
      .field('title', 'a')
      .field('title', 'b')
      .attach('file', Buffer.from('b'), 'b');
    expect(repeated.body.data.params).to.deep.equal({ title: 'must be given once' });
    const notANumber = await post().field('count', '1e3').attach('file', Buffer.from('b'), 'b').expect(400);
    expect(notANumber.body.data.params).to.have.keys('count');
    const proto = await post()
      .field('__proto__', 'x')
      .field('constructor', 'y')
      .attach('file', Buffer.from('b'), 'b');
    expect(proto.status).to.equal(200);
  });

  it('are refused when they are no form', async () => {
    await lyceum.as(user).post(takeRoute, { title: 'x' }).expect(415);
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=', 'x'],
      ['multipart/form-data; boundary=B', 'garbage \0 \r\n\r\n'],
      ['multipart/form-data; boundary=B', ''],
      ['multipart/form-data; boundary=B', '--B\r\n\r\n'],
      ['multipart/form-data; boundary=B', filePart('x')],
      ['multipart/form-data; boundary=B', `${filePart('x')}--B`],
      [
        'multipart/form-data; boundary=B',
        `${textPart('a', 'x', 'Content-Transfer-Encoding: base64\r\n')}--B--`,
      ],
      ['multipart/form-data; boundary=B', `${textPart('a', 'x').repeat(101)}--B--`],
      ['multipart/form-data; boundary=B', `--B\r\nX: ${'y'.repeat(100_000)}\r\n\r\nx\r\n--B--`],
    ] as const) {
      const answer = await post().set('Content-Type', type).send(Buffer.from(body));
      expect([answer.status, answer.body.code], `${type} ${body.slice(0, 30)}`).to.deep.equal([
        400,
        'rest_upload_incomplete',
      ]);
    }
  });

  it('are refused when they are too big, whatever the headers say', async () => {
    const most = 1024 * 1024;
    const fits = await post().attach('file', Buffer.alloc(most), 'a');
    expect(fits.body.bytes).to.equal(most);
    // The last is refused before a byte of it is read, and still reads its answer.
    for (const bytes of [most + 1, 2 * most, 50 * most]) {
      const answer = await post().attach('file', Buffer.alloc(bytes), 'a');
      expect([answer.status, answer.body.code], String(bytes)).to.deep.equal([413, 'rest_body_too_large']);
    }
    const text = await post()
      .field('title', 'x'.repeat(most + 1))
      .attach('file', Buffer.from('b'), 'b');
    expect(text.body.code).to.equal('rest_body_too_large');

    const endless = new RawRequest(lyceum.origin);
    await endless.write(`${headers(null)}${fileHead.length.toString(16)}\r\n${fileHead}\r\n`);
    const chunk = `10000\r\n${'z'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent <= most; sent += 0x10000) await endless.write(chunk);
    expect(await endless.answer()).to.deep.include({ status: 413 });
  });

  it('that break off leave nothing', async () => {
    const request = new RawRequest(lyceum.origin);
    await request.write(headers(1_000_000) + fileHead + 'x'.repeat(500_000));
    const uploads = path.join(lyceum.dataDir, 'uploads');
    await until(async () => (await readdir(uploads)).length === 1);
    request.cut();
    await until(async () => (await readdir(uploads)).length === 0);
  });

  it('that break off before anybody reads them end too', async () => {
    const ended = /^lyceum_requests_total\{module="taker",operation="taker.take",status="400"\} (\d+)/m;
    const count = async (): Promise<number> => {
      const metrics = await fetch(`${lyceum.origin}/metrics`);
      return Number(ended.exec(await metrics.text())?.[1] ?? 0);
    };
    const before = await count();
    const { knex } = lyceum.host.db;
    const request = new RawRequest(lyceum.origin);
    // Nobody's credentials can be looked up while this transaction holds the table.
    await knex.transaction(async (trx) => {
      await trx.raw('lock table application_passwords in access exclusive mode');
      await request.write(headers(1_000_000) + fileHead);
      await until(async () => (await trx('pg_locks').where('granted', false).first('pid')) !== undefined);
      request.cut();
      await until(async () => request.closed);
    });
    await until(async () => (await count()) > before);
  });

  it('have one effect under one Idempotency-Key', async () => {
    const send = (content: string) =>
      post().set('Idempotency-Key', 'once').field('title', 'x').attach('file', Buffer.from(content), 'a.bin');
    const [first, again] = [await send('same'), await send('same')];
    expect([first.status, again.status]).to.deep.equal([200, 200]);
    expect(again.text).to.equal(first.text);
    expect((await send('other')).body.code).to.equal('idempotency_key_reused');
  });

  it('answer 503 when the disk takes nothing', async () => {
    const uploads = path.join(lyceum.dataDir, 'uploads');
    await rm(uploads, { recursive: true, force: true });
    await writeFile(uploads, 'a file in place of the folder');
    const { status, body } = await post().attach('file', Buffer.from('b'), 'b');
    expect([status, body.code]).to.deep.equal([503, 'storage_unavailable']);
    await rm(uploads);
    await post().attach('file', Buffer.from('b'), 'b').expect(200);
  });

  it('of strangers are not read', async () => {
    const answer = await lyceum.anonymous.post(takeRoute).attach('file', Buffer.alloc(20_000_000), 'a');
    expect(answer.status).to.equal(401);
  });
});

/** Looks again at each turn of the event loop; the test's own time limit ends it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}
