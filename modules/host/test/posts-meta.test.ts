import { createHash } from 'node:crypto';
import { Database, Documents, Posts } from '@lyceum/core';
import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('host: meta and documents of posts', () => {
  let lyceum: TestHost;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  });
  after(() => lyceum.stop());

  const make = async (body: object) => (await editor.post(posts, { title: 'x', ...body }).expect(201)).body;
  const patch = async (id: number, body: object) =>
    (await editor.patch(`${posts}/${id}`, body).expect(200)).body;
  /** As text, so that keys reach the host that a JavaScript object would not send. */
  const raw = async (json: string) => {
    const author = await lyceum.make.user({ role: 'editor' });
    return lyceum.as(author).post(posts).set('Content-Type', 'application/json').send(json);
  };

  it('merges, and null removes', async () => {
    const { id } = await make({ meta: { a: 1, 'b:c.d-e_f': { deep: [true, null] }, constructor: 'plain' } });
    const merged = await patch(id, { meta: { a: null, toString: 'text', z: '' } });
    expect(merged.meta).to.deep.equal({
      'b:c.d-e_f': { deep: [true, null] },
      constructor: 'plain',
      toString: 'text',
      z: '',
    });
    expect((await patch(id, { meta: {} })).modified_at).to.equal(merged.modified_at);
  });

  it('refuses private and malformed keys by name', async () => {
    for (const key of ['_private', '_', '_proto', 'with space', 'ключ', 'k'.repeat(101), '']) {
      const answer = await raw(`{"title":"x","meta":{${JSON.stringify(key)}:1}}`);
      expect(answer.status, key).to.equal(400);
      expect(answer.body.code).to.equal('rest_invalid_param');
      expect(answer.body.data.params).to.have.property(`meta.${key.slice(0, 100)}`);
    }
    expect((await raw('{"title":"x","meta":{"__proto__":{"a":1}}}')).status).to.equal(400);
    for (const meta of ['[]', '"x"', '1', 'null', 'true']) {
      expect((await raw(`{"title":"x","meta":${meta}}`)).status, meta).to.equal(400);
    }
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_none, index) => [`k${index}`, index]));
    await editor.post(posts, { title: 'x', meta: many }).expect(400);
  });

  it('never shows what modules keep privately', async () => {
    const { id } = await make({ meta: { shown: 1 } });
    const service = lyceum.host.services.host(Posts);
    const actor = { site: { blog_id: 1, network_id: 1 }, user: null, ip: null, requestId: null };
    await lyceum.host.services.host(Database).transaction(async (trx) => {
      const post = await service.lock(trx, 1, id);
      if (post) await service.update(trx, actor, post, { moduleMeta: { _secret: 'x', kept: 2 } });
    });
    expect((await service.find(1, id))?.private_meta).to.deep.equal({ _secret: 'x' });
    const { body } = await editor.get(`${posts}/${id}`).expect(200);
    expect(body.meta).to.deep.equal({ shown: 1, kept: 2 });
    await patch(id, { meta: { shown: 3 } });
    expect((await service.find(1, id))?.private_meta, 'a client leaves it alone').to.deep.equal({
      _secret: 'x',
    });
  });

  it('hashes the document of the editor that the post has', async () => {
    const { id, hash } = await make({ content: '<p>Hello</p>' });
    expect(hash).to.equal('d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900');
    expect((await patch(id, { meta: { editor: 'pagebuilder' } })).hash, 'empty document').to.equal(
      sha256('[]'),
    );
    const elements = JSON.stringify([
      {
        elType: 'widget',
        widgetType: 'heading',
        settings: { title: 'Привет', header_size: 'h3' },
        elements: [],
      },
    ]);
    const built = await patch(id, { meta: { pagebuilder_data: elements } });
    expect(built.hash).to.equal(sha256(elements));
    expect(built.content).to.equal('<h3>Привет</h3>');
    expect(built.meta.pagebuilder_data).to.equal(elements);
    const turbo = await patch(id, { meta: { editor: 'turbo' } });
    expect(turbo.hash).to.equal(sha256(''));
    expect(turbo.content, 'nothing was written yet').to.equal('<h3>Привет</h3>');
    const html = '<html><head><title>T</title></head><body>\r\n<p>Hi</p><script>x()</script></body></html>';
    const written = await patch(id, { meta: { turbo_html: html }, content: 'ignored' });
    expect(written.hash).to.equal(sha256(html));
    expect(written.content).to.equal('<p>Hi</p>');
    const other = await patch(id, { meta: { editor: 'nonsense' } });
    expect(other.hash).to.equal(sha256(other.content));
    await editor.patch(`${posts}/${id}`, { meta: { turbo_html: 5 } }).expect(400);
  });

  it('guards the document with base_hash, and nothing else', async () => {
    const made = await make({ content: 'a' });
    const renamed = await patch(made.id, { title: 'Other', status: 'pending', meta: { free: 1 } });
    expect(renamed.hash).to.equal(made.hash);
    await patch(made.id, { base_hash: made.hash, content: 'b' });
    const { body } = await editor
      .patch(`${posts}/${made.id}`, { base_hash: made.hash, title: 'Late' })
      .expect(409);
    expect(body.data.hash).to.equal(sha256('b'));
  });

  it('writes documents for modules, under whatever editor', async () => {
    const documents = lyceum.host.services.host(Documents);
    const service = lyceum.host.services.host(Posts);
    const actor = { site: { blog_id: 1, network_id: 1 }, user: null, ip: null, requestId: null };
    for (const editorName of ['block', 'pagebuilder', 'turbo']) {
      const { id } = await make({ meta: { editor: editorName } });
      const text =
        '[{"elType":"widget","widgetType":"html","settings":{"html":"<i>x</i>"},"elements":[]}] \r\n';
      await lyceum.host.services.host(Database).transaction(async (trx) => {
        const post = await service.lock(trx, 1, id);
        if (post) await documents.write(trx, actor, post, text, { title: 'Written' });
      });
      const post = await service.find(1, id);
      expect(post?.title).to.equal('Written');
      expect(post && documents.of(post)).to.deep.equal({
        editor: editorName,
        content: text,
        hash: sha256(text),
      });
    }
  });
});
