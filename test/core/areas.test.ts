import { Readable } from 'node:stream';
import { expect } from 'chai';
import { Storage } from '../../core/files/storage.ts';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import { FileClient } from './file-kit.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const modules = 'svc/modules/v1/modules';
const sandbox =
  'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation';

describe('files that a module serves', () => {
  let lyceum: TestHost;
  let admin: Client;
  let files: FileClient;
  before(async () => {
    lyceum = await startTestHost({ modules: ['test_shelf'], folders: [packages] });
    admin = lyceum.as(await lyceum.make.admin());
    await admin.put(`${modules}/test_shelf`, { enabled: true }).expect(200);
    files = new FileClient(lyceum, admin);
    await put('index.html', '<h1>Shelf</h1>');
    await put('deep/index.html', '<h1>Deep</h1>');
    await put('a.css', 'p { color: red }');
    await put('x.zip', 'not shown');
  });
  after(() => lyceum.stop());

  const put = (name: string, text: string) =>
    lyceum.host.services.host(Storage).write(`sites/1/shelf/${name}`, Readable.from([Buffer.from(text)]), {
      limit: 1_000,
      contentType: 'text/plain',
    });
  const code = (bytes: Buffer): string => JSON.parse(bytes.toString()).code;

  it('are given to anybody, under the policy and the headers of the module', async () => {
    const { status, headers, bytes } = await files.ask('/files/shelf/index.html');
    expect([status, bytes.toString()]).to.deep.equal([200, '<h1>Shelf</h1>']);
    expect(Object.fromEntries(headers)).to.deep.include({
      'content-type': 'text/html',
      'content-security-policy': sandbox,
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(headers.get('set-cookie')).to.equal(null);
  });

  it('may stand for a folder, whose address ends with a slash', async () => {
    expect((await files.ask('/files/shelf/')).bytes.toString()).to.equal('<h1>Shelf</h1>');
    expect((await files.ask('/files/shelf/deep/')).bytes.toString()).to.equal('<h1>Deep</h1>');
    expect(await files.status('/files/shelf/deep')).to.equal(404);
    expect(await files.status('/files/shelf')).to.equal(404);
  });

  it('are kept for good, asked for in part, or saved, as they are', async () => {
    const css = await files.ask('/files/shelf/a.css', { Range: 'bytes=0-0' });
    expect([css.status, css.bytes.toString()]).to.deep.equal([206, 'p']);
    expect(css.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    const fresh = await files.ask('/files/shelf/a.css', { 'If-None-Match': css.headers.get('etag') ?? '' });
    expect(fresh.status).to.equal(304);
    const zip = await files.ask('/files/shelf/x.zip', {}, 'HEAD');
    expect([zip.status, zip.headers.get('content-disposition')]).to.deep.equal([200, 'attachment']);
  });

  it('are no service workers, take no other method, and never lie outside', async () => {
    const worker = await files.ask('/files/shelf/index.html', { 'Service-Worker': 'script' });
    expect([worker.status, worker.bytes.length]).to.deep.equal([403, 0]);
    expect(await files.status('/files/shelf/nothing')).to.equal(404);
    for (const path of ['..%2f', '%2e%2e/shelf/', '%00', '/', '%zz']) {
      const answer = await files.raw(`/files/shelf/${path}index.html`);
      expect(answer, path).to.deep.equal({ status: 404, code: 'file_not_found' });
    }
    const posted = await files.ask('/files/shelf/index.html', {}, 'POST');
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('say under the same headers that they are not there', async () => {
    const names = ['referrer-policy', 'access-control-allow-origin', 'x-content-type-options'];
    const shown = await files.ask('/files/shelf/index.html');
    const wanted = names.map((name) => shown.headers.get(name));
    expect(wanted).to.not.include(null);
    for (const path of ['nothing', '%zz']) {
      const none = await files.ask(`/files/shelf/${path}`);
      expect([none.status, ...names.map((name) => none.headers.get(name))]).to.deep.equal([404, ...wanted]);
    }
  });

  it('that are lost are not there', async () => {
    const { status, bytes } = await files.ask('/files/shelf/broken');
    expect([status, code(bytes)]).to.deep.equal([404, 'file_not_found']);
  });

  it('are those of the site, and only while the module is on', async () => {
    const other = await lyceum.make.site('other');
    expect(await files.status(`${other.path}files/shelf/index.html`)).to.equal(404);
    await admin.put(`${modules}/test_shelf`, { enabled: false }).expect(200);
    expect(await files.status('/files/shelf/index.html')).to.equal(404);
    await admin.put(`${modules}/test_shelf`, { enabled: true }).expect(200);
    expect(await files.status('/files/shelf/index.html')).to.equal(200);
  });
});
