import { createHash } from 'node:crypto';
import { startServer } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type StoreKit, startStoreKit } from './store-kit.ts';

const table = 'svctutor/rag/v1/datatables';
const chunk = 'svctutor/rag/v1/chunk';

describe('rag: its routes', () => {
  let kit: StoreKit;

  before(async () => {
    kit = await startStoreKit();
  });
  after(() => kit.lyceum.stop());

  const settings = (given: object) =>
    kit.admin.patch('svc/modules/v1/modules/rag/settings', { settings: given }).expect(200);

  const withUrl = (url: string) =>
    kit.lyceum.host.db.knex.raw('metadata || ?::jsonb', [JSON.stringify({ url })]);

  it('are there while the module and its setting are on, from the next request on, in every process', async () => {
    const other = await startServer(kit.lyceum, ['rag', 'lms']);
    const { headers } = await kit.lyceum.make.admin();
    const there = async (): Promise<number> =>
      (await fetch(`${other.origin}/api/${table}`, { headers })).status;
    try {
      const { body } = await kit.admin.get(table).expect(404);
      expect(body.code).to.equal('rest_no_route');
      await kit.admin.get(`${chunk}/1`).expect(404, /rest_no_route/);
      await settings({ rag_export_enabled: true });
      await kit.admin.get(table).expect(200);
      expect(await there()).to.equal(200);
      await kit.admin.put('svc/modules/v1/modules/rag', { enabled: false }).expect(200);
      await kit.admin.get(table).expect(404, /rest_no_route/);
      expect(await there()).to.equal(404);
      await kit.admin.put('svc/modules/v1/modules/rag', { enabled: true }).expect(200);
      await kit.admin.post(table).expect(200);
    } finally {
      other.child.kill('SIGTERM');
    }
  });

  it('show one chunk whole', async () => {
    const content = 'Привет, <b>мир</b> 42!';
    const { id, chunks } = await kit.publish({
      title: '<i>Title</i>',
      texts: [{ heading_path: ['A & B', 'C'], content }],
      lang: 'ru',
    });
    await kit.lyceum.host.db
      .knex('rag_chunks')
      .where('id_chunk', chunks[0])
      .update({
        created_at: '2025-03-05T11:07:00Z',
        metadata: withUrl('https://a.example/?a=1&b=2'),
      });
    const { body } = await kit.admin.get(`${chunk}/${chunks[0]}`).expect(200);
    expect(body).to.deep.equal({
      id_chunk: chunks[0],
      id_post: id,
      status_icon: 'white',
      content,
      content_hash: createHash('md5').update(content).digest('hex'),
      metadata_html:
        '<dl><dt>title</dt><dd>&lt;i&gt;Title&lt;/i&gt;</dd>' +
        '<dt>url</dt><dd><a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a></dd>' +
        '<dt>post_type</dt><dd>page</dd><dt>lang</dt><dd>ru</dd>' +
        '<dt>heading_path</dt><dd>A &amp; B › C</dd><dt>position</dt><dd>0</dd><dt>token_count</dt><dd>8</dd></dl>',
      created_at: '2025-03-05T11:07:00.000Z',
      created_at_human: '05.03.2025 11:07',
      word_count: 3,
    });
    await kit.lyceum.host.db
      .knex('rag_chunks')
      .where('id_chunk', chunks[0])
      .update({ metadata: withUrl('javascript:alert(1)') });
    const again = await kit.admin.get(`${chunk}/${chunks[0]}`).expect(200);
    expect(again.body.metadata_html).to.contain('<dd>javascript:alert(1)</dd>');
  });

  it('know no chunk of another site, and none that is not there, in a body of their own', async () => {
    const site = await kit.lyceum.make.site();
    const there = await kit.publish({ title: 'There', texts: ['There.'], blogId: site.blog_id });
    for (const id of [there.chunks[0], 999_999, 999_999_999_999_999]) {
      const { body, text } = await kit.admin.get(`${chunk}/${id}`).expect(404);
      expect(text).to.equal('{"message":"Not found"}');
      expect(body).to.deep.equal({ message: 'Not found' });
    }
    const { body } = await kit.admin.get(`${table}?blog_id=${site.blog_id}`).expect(200);
    expect((body.data as { post_title: string }[]).map(({ post_title }) => post_title)).to.deep.equal([
      '<i>Title</i>',
    ]);
  });

  it('take nothing else for the id of a chunk', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '1e3', '9'.repeat(30), '%00']) {
      const { body } = await kit.admin.get(`${chunk}/${id}`).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
    }
  });

  it('are for administrators, before anything of the request is looked at', async () => {
    const editor = kit.lyceum.as(await kit.lyceum.make.user({ role: 'editor' }));
    for (const route of [`${table}?length=0`, `${chunk}/0`]) {
      expect((await editor.get(route).expect(403)).body.code).to.equal('rest_forbidden');
      expect((await kit.lyceum.anonymous.get(route).expect(401)).body.code).to.equal('rest_forbidden');
    }
    const { cookie, signed } = await kit.lyceum.make.session(1);
    expect((await kit.lyceum.as(cookie).post(table).expect(403)).body.code).to.equal('rest_forbidden');
    const wrong = { headers: { ...cookie.headers, 'X-Svc-Nonce': 'wrong' } };
    expect((await kit.lyceum.as(wrong).post(table).expect(403)).body.code).to.equal(
      'rest_cookie_invalid_nonce',
    );
    await kit.lyceum.as(signed).post(table).expect(200);
  });
});
