import { readdir, readlink, rm, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { samples, startTestHost, type TestHost } from '../kit/index.ts';
import { FileClient } from './file-kit.ts';

describe('the file server: what it serves', () => {
  let lyceum: TestHost;
  let files: FileClient;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [] });
    files = new FileClient(lyceum, lyceum.as(await lyceum.make.user({ role: 'author' })));
    await lyceum.make.settings('host', { upload_filetypes: ['png', 'txt', 'html', 'svg', 'xml', 'vtt'] });
  });
  afterEach(() => lyceum.stop());

  it('gives a published file to anybody', async () => {
    const { path } = await files.upload(samples.png, 'Red Field.png');
    const { status, headers, bytes } = await files.ask(path);
    expect(status).to.equal(200);
    expect(bytes.equals(samples.png)).to.equal(true);
    expect(Object.fromEntries(headers)).to.deep.include({
      'content-type': 'image/png',
      'content-length': String(samples.png.length),
      'content-disposition': `inline; filename="Red Field.png"; filename*=UTF-8''Red%20Field.png`,
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('etag')).to.match(/^"[0-9a-f]{32}"$/);
    expect(headers.get('set-cookie')).to.equal(null);
    const head = await files.ask(path, {}, 'HEAD');
    expect([head.status, head.bytes.length]).to.deep.equal([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition', 'last-modified'])
      expect(head.headers.get(name), name).to.equal(headers.get(name));
  });

  it('answers ranges and conditions', async () => {
    const text = '0123456789'.repeat(100);
    const { path } = await files.upload(text, 'a.txt');
    const whole = await files.ask(path);
    const etag = whole.headers.get('etag') ?? '';
    const table = [
      ['bytes=0-9', 206, 'bytes 0-9/1000', text.slice(0, 10)],
      ['bytes=995-', 206, 'bytes 995-999/1000', '56789'],
      ['bytes=-3', 206, 'bytes 997-999/1000', '789'],
      ['bytes=990-5000', 206, 'bytes 990-999/1000', text.slice(990)],
      ['bytes=5-1', 200, null, text],
      ['bytes=0-1,5-6', 200, null, text],
    ] as const;
    for (const [range, status, contentRange, content] of table) {
      const answer = await files.ask(path, { Range: range });
      expect(
        [answer.status, answer.headers.get('content-range'), answer.bytes.toString()],
        range,
      ).to.deep.equal([status, contentRange, content]);
      expect(answer.headers.get('content-length')).to.equal(String(content.length));
    }
    const past = await files.ask(path, { Range: 'bytes=1000-' });
    expect([past.status, past.headers.get('content-range')]).to.deep.equal([416, 'bytes */1000']);
    expect(JSON.parse(past.bytes.toString())).to.deep.include({ code: 'rest_range_not_satisfiable' });
    expect(past.headers.get('content-type')).to.equal('application/json; charset=utf-8');

    const fresh = await files.ask(path, { 'If-None-Match': etag });
    expect([fresh.status, fresh.bytes.length, fresh.headers.get('etag')]).to.deep.equal([304, 0, etag]);
    expect((await files.ask(path, { 'If-None-Match': '"other"' })).status).to.equal(200);
    const since = whole.headers.get('last-modified') ?? '';
    expect((await files.ask(path, { 'If-Modified-Since': since })).status).to.equal(304);
    expect((await files.ask(path, { Range: 'bytes=0-1', 'If-Range': etag })).status).to.equal(206);
    expect((await files.ask(path, { Range: 'bytes=0-1', 'If-Range': '"other"' })).status).to.equal(200);
  });

  it('lets nothing of what was uploaded run', async () => {
    const html = await files.upload('<!doctype html><script>alert(1)</script>', 'a.html');
    const svg = await files.upload('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'a.svg');
    const xml = await files.upload('<?xml version="1.0"?><a/>', 'a.xml');
    for (const { path } of [html, svg, xml]) {
      const { headers } = await files.ask(path);
      expect(headers.get('content-disposition')).to.match(/^attachment; /);
      expect(headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
    const captions = await files.upload(
      'WEBVTT\n\n00:00.000 --> 00:01.000\n<script>alert(1)</script>\n',
      'a.vtt',
    );
    const { headers } = await files.ask(captions.path);
    expect(headers.get('content-type')).to.equal('text/vtt; charset=utf-8');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('writes names into headers without letting them out', async () => {
    for (const [name, plain] of [
      ['a"; filename="evil.html.png', 'a_; filename=_evil.html.png'],
      ['<script>alert(1)</script>.png', 'script>.png'],
      ['a\r\nSet-Cookie: x=1.png', null],
      ['Отчёт 100%.png', '_____ 100_.png'],
    ] as const) {
      const { path } = await files.upload(samples.png, name);
      const { headers, status } = await files.ask(path);
      expect(status).to.equal(200);
      expect(headers.get('set-cookie')).to.equal(null);
      const disposition = headers.get('content-disposition') ?? '';
      expect(disposition).to.match(/^inline; filename="[^"\\]*"; filename\*=UTF-8''[A-Za-z0-9%._~-]+$/);
      if (plain !== null) expect(disposition).to.contain(`"${plain}"`);
    }
  });

  it('only reads', async () => {
    const { path } = await files.upload(samples.png, 'a.png');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await files.ask(path, {}, method);
      expect([status, headers.get('allow')], method).to.deep.equal([405, 'GET, HEAD']);
    }
    expect((await files.ask(path, {}, 'OPTIONS')).status).to.equal(204);
    expect(await files.status(path)).to.equal(200);
  });

  it('says 404 where the stored file is lost or cut, and 503 where the storage fails', async () => {
    const { path: address } = await files.upload('0123456789', 'a.txt');
    const sites = path.join(lyceum.dataDir, 'files', 'sites');
    const [key = ''] = (await readdir(sites, { recursive: true })).filter((name) => name.endsWith('.txt'));
    await truncate(path.join(sites, key), 4);
    expect(await files.status(address)).to.equal(404);
    expect((await files.ask(address, { Range: 'bytes=8-9' })).status).to.equal(404);
    expect((await files.ask(address, {}, 'HEAD')).status).to.equal(404);
    await rm(sites, { recursive: true });
    expect(await files.status(address)).to.equal(404);
    await symlink(sites, sites);
    const failed = await files.ask(address);
    expect([failed.status, JSON.parse(failed.bytes.toString()).code]).to.deep.equal([
      503,
      'storage_unavailable',
    ]);
  });

  it('lets go of a file whose reader went away', async () => {
    const { path } = await files.upload('x'.repeat(20_000_000), 'a.txt');
    const opened = async (): Promise<number> => {
      const descriptors = await readdir('/proc/self/fd');
      const targets = await Promise.all(
        descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return targets.filter((target) => target.startsWith(lyceum.dataDir)).length;
    };
    const leaving = new AbortController();
    const answer = await fetch(`${lyceum.origin}${path}`, { signal: leaving.signal });
    await answer.body?.getReader().read();
    expect(await opened()).to.equal(1);
    leaving.abort();
    while ((await opened()) > 0) await nextTurn();
  });
});
