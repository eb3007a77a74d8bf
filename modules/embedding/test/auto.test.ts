import { Retrieval } from '@lyceum/module/rag';
import { expect } from 'chai';
import { type EmbeddingKit, startEmbeddingKit } from './embedding-kit.ts';
import { FakeProvider } from './fake-provider.ts';

describe('embedding: posts that change', () => {
  let kit: EmbeddingKit;
  let provider: FakeProvider;

  before(async () => {
    [kit, provider] = await Promise.all([startEmbeddingKit(), new FakeProvider().start()]);
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await kit.settings({ provider: 'openai', provider_url: provider.url });
  });
  afterEach(() => provider.forget());
  after(async () => {
    await kit.lyceum.stop();
    await provider.stop();
  });

  const titles = async (query: string): Promise<string[]> => {
    const { services, modules } = kit.lyceum.host;
    const found = await services
      .resolve(modules.get('rag')?.spec as never)(Retrieval)
      .retrieve(1, query, 5);
    return found.map(({ title }) => title);
  };

  it('are synced alone, several changes at once, and go when they are withdrawn', async () => {
    const began = performance.now();
    const id = await kit.publish('Kiln', '<p>Clay is fired.</p>');
    for (const content of ['<p>Clay is baked.</p>', '<p>Clay is burnt.</p>']) {
      await kit.admin.patch(`svc/host/v1/posts/${id}`, { content }).expect(200);
    }
    await kit.quiet();
    expect(performance.now() - began).to.be.below(5_000);
    expect(provider.texts).to.deep.equal(['Kiln\nClay is burnt.']);
    expect((await kit.chunks(id)).map(({ status }) => status)).to.deep.equal([1]);
    expect(await titles('burnt clay')).to.deep.equal(['Kiln']);
    await kit.admin.patch(`svc/host/v1/posts/${id}`, { status: 'draft' }).expect(200);
    expect(await titles('burnt clay')).to.deep.equal([]);
    await kit.quiet();
    expect(await kit.chunks(id)).to.deep.equal([]);
    await kit.admin.patch(`svc/host/v1/posts/${id}`, { status: 'publish' }).expect(200);
    await kit.quiet();
    expect(await kit.chunks(id)).to.have.lengthOf(1);
    await kit.admin.delete(`svc/host/v1/posts/${id}`).expect(200);
    await kit.quiet();
    expect(await kit.chunks(id)).to.deep.equal([]);
  });

  it('are left alone where the site does not want it, and drafts always', async () => {
    await kit.publish('Draft', '<p>Nothing yet.</p>', { status: 'draft' });
    await kit.settings({ auto_sync: false });
    await kit.publish('Late', '<p>Not now.</p>');
    await kit.settings({ auto_sync: true, post_types: ['post'] });
    await kit.publish('Page', '<p>Not this.</p>');
    await kit.quiet();
    expect(provider.texts).to.deep.equal([]);
    expect(await kit.chunks()).to.deep.equal([]);
    await kit.settings({ post_types: null });
  });

  it('are not held up by a sync of their site, nor by each other', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    provider.behave = ({ input }) => {
      asked.resolve();
      return input.length > 1 ? held.promise.then(() => false) : false;
    };
    const started = await kit.admin.post('svctutor/embedding/v1/sync').expect(202);
    await asked.promise;
    const id = await kit.publish('Quick', '<p>Swift words.</p>');
    const { knex } = kit.lyceum.host.db;
    const activeBy = performance.now() + 5_000;
    let status: number | undefined;
    while (status !== 1 && performance.now() < activeBy) {
      status = (await knex('rag_chunks').where('id_post', id).first('status'))?.status as number | undefined;
    }
    expect(status).to.equal(1);
    held.resolve();
    await kit.ended(started.body.job_id);
    await Promise.all(Array.from({ length: 10 }, (_, n) => kit.publish(`Many ${n}`, `<p>Text ${n}.</p>`)));
    await kit.quiet();
    expect(await knex('embedding_changes')).to.deep.equal([]);
    expect([...new Set((await kit.chunks()).map((chunk) => chunk.status))]).to.deep.equal([1]);
    expect(await kit.chunks()).to.have.lengthOf(13);
  });

  it('keep the texts of shortcodes, and neither their marks nor comments of blocks', async () => {
    const id = await kit.publish(
      'Codes',
      '<!-- wp:paragraph --><p>See [1] and [box color="red"]the box[/box] [gallery ids="1,2"].</p><!-- /wp:paragraph -->',
    );
    await kit.quiet();
    expect((await kit.chunks(id)).map(({ content }) => content)).to.deep.equal(['See [1] and the box .']);
  });
});
