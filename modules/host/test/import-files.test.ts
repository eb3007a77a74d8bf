import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, samples, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { mediaRoute, storedKeys, unfinished } from './media-kit.ts';
import { postOf, postsOf, runImport, wxr } from './wxr-kit.ts';

describe('host import: files of attachments', () => {
  let lyceum: TestHost;
  let admin: Client;
  let server: Server;
  let base: string;
  let asked: string[];
  let respond: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [], config: { workers: 'inline' } });
    admin = lyceum.as(await lyceum.make.admin());
    asked = [];
    respond = (_request, response) => void response.end(samples.png);
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      respond(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    expect(await unfinished(lyceum)).to.deep.equal([]);
    await lyceum.stop();
  });

  const media = async () => {
    const { body } = await admin.get(mediaRoute).expect(200);
    return body as Record<string, unknown>[];
  };

  it('stay where they are: a record with their address', async () => {
    const file = wxr({
      base,
      items: [
        {
          id: 1,
          type: 'attachment',
          status: 'inherit',
          title: 'Plan',
          attachmentUrl: `${base}/uploads/%D0%9F%D0%BB%D0%B0%D0%BD.PNG`,
          meta: [
            ['_wp_attachment_image_alt', 'A plan'],
            ['_wp_attached_file', 'x.png'],
          ],
        },
        { id: 2, type: 'attachment', attachmentUrl: 'javascript:alert(1)' },
      ],
    });
    const { result } = await runImport(admin, file);
    expect(result.created.attachment).to.equal(2);
    expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.deep.equal([
      'attachment_url attachment:2',
    ]);
    const url = `${base}/uploads/%D0%9F%D0%BB%D0%B0%D0%BD.PNG`;
    const found = (await media()).find(({ title }) => title === 'Plan');
    expect(found).to.deep.include({
      status: 'publish',
      alt: 'A plan',
      mime_type: 'image/png',
      filename: 'План.PNG',
      bytes: null,
      width: null,
      url,
      source_url: url,
    });
    expect((await media()).find(({ title }) => title !== 'Plan')).to.include({ url: '', source_url: '' });
    expect((await admin.get(`${mediaRoute}?search=план`).expect(200)).body).to.have.length(1);
    expect(asked).to.deep.equal([]);
  });

  it('are not fetched from an address that is not allowed: one warning, no connection', async () => {
    const items = [{ id: 1, type: 'attachment', attachmentUrl: `${base}/x.png` }];
    const { result } = await runImport(admin, wxr({ items }), { fetch_attachments: 'true' });
    expect(result.created.attachment).to.equal(1);
    expect(result.warnings).to.have.length(1);
    expect(result.warnings[0]).to.include({ code: 'attachment_not_fetched', item: 'attachment:1' });
    const [record] = await media();
    expect(record).to.include({ bytes: null, url: `${base}/x.png` });
    expect(asked).to.deep.equal([]);
  });

  it('are fetched, checked like uploads, and named by texts where they are now', async () => {
    await lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'], max_upload_bytes: 5_000 });
    respond = (request, response) => {
      const { url } = request;
      if (url === '/up/moved.png') response.writeHead(302, { Location: '/up/a.png' }).end();
      else if (url === '/up/gone.png') response.writeHead(404).end('gone');
      else if (url === '/up/empty.png') response.end();
      else if (url === '/up/page.png') response.end('<html><script>alert(1)</script></html>');
      else if (url === '/up/large.png') response.end(Buffer.alloc(6_000));
      else response.end(samples.png);
    };
    const names = ['a', 'moved', 'gone', 'empty', 'page', 'large'];
    const attachments = names.map((name, n) => ({
      id: 10 + n,
      type: 'attachment',
      title: name,
      attachmentUrl: `${base}/up/${name}.png`,
    }));
    const content = [
      `<img src="${base}/up/a.png">`,
      `<img src="${base}/up/a-30x20.png?v=2">`,
      `<img src="${base}/up/gone.png">`,
      `<a href="${base}/page/">x</a>`,
    ].join('\n');
    const post = {
      id: 1,
      slug: 'one',
      content,
      meta: [['_json', `{"u":"${base}/up/a.png"}`]] as [string, string][],
    };
    const file = wxr({ base, items: [post, ...attachments] });
    const { result } = await runImport(admin, file, { fetch_attachments: 'true' });
    expect(result.created).to.include({ post: 1, attachment: 6 });
    expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.deep.equal(
      [11, 12, 13, 14, 15].map((id) => `attachment_not_fetched attachment:${id}`),
    );
    const records = await media();
    const fetched = records.find(({ title }) => title === 'a');
    expect(fetched).to.deep.include({
      bytes: samples.png.length,
      width: 30,
      height: 20,
      mime_type: 'image/png',
      source_url: `${base}/up/a.png`,
    });
    const url = String(fetched?.url);
    expect(url).to.include('/files/media/');
    expect((await fetch(`${lyceum.origin}${new URL(url).pathname}`)).status).to.equal(200);
    expect(await storedKeys(lyceum)).to.have.length(1);
    for (const record of records.filter(({ title }) => title !== 'a')) expect(record.bytes).to.equal(null);
    const site = lyceum.host.addresses.site({ domain: 'localhost', path: '/' });
    const row = await postOf(lyceum, 1, 'one');
    expect(String(row.content).split('\n')).to.deep.equal([
      `<img src="${url}">`,
      `<img src="${url}">`,
      `<img src="${base}/up/gone.png">`,
      `<a href="${site}page/">x</a>`,
    ]);
    expect(row.private_meta).to.deep.equal({ _json: `{"u":"${url}"}` });
    expect(row.modified_at).to.equal('2020-05-06T07:08:09.000Z');
    expect([...asked].sort()).to.deep.equal(names.map((name) => `/up/${name}.png`).sort());

    const before = await postsOf(lyceum, 1);
    const again = await runImport(admin, file, { fetch_attachments: 'true' });
    expect(again.result.warnings).to.deep.equal([]);
    expect(await postsOf(lyceum, 1)).to.deep.equal(before);
    expect(asked).to.have.length(6);
  });
});
