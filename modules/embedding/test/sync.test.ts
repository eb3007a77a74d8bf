import { expect } from 'chai';
import { api, type EmbeddingKit, startEmbeddingKit } from './embedding-kit.ts';

describe('embedding: sync with the built-in model', () => {
  let kit: EmbeddingKit;

  before(async () => {
    kit = await startEmbeddingKit();
    await kit.settings({ auto_sync: false });
  });
  after(() => kit.lyceum.stop());

  it('gives every chunk of published posts a vector, and does nothing again', async () => {
    await kit.publish(
      'Library',
      '<h1>Hours</h1><p>The library opens at nine.</p><h2>Cards</h2><p>Bring one.</p>',
    );
    await kit.publish('Pool', '<p>Swimming is fun. <script>token()</script></p>');
    await kit.publish('Dog', '<p>Dogs must stay outside.</p>');
    await kit.publish('Draft', '<p>Nobody sees this.</p>', { status: 'draft' });
    await kit.publish('Excluded', '<p>Nor this.</p>', { meta: { rag_exclude: true } });
    const first = await kit.sync();
    expect(first.error).to.equal(null);
    expect(first.status).to.equal('completed');
    expect(first.result).to.deep.equal({
      ...{ posts: 3, posts_changed: 3, posts_skipped: 0 },
      ...{ chunks_total: 4, chunks_created: 4, chunks_deleted: 0, chunks_embedded: 4, chunks_failed: 0 },
      tokens: first.result.tokens,
    });
    const before = await kit.chunks();
    expect(before.map(({ status, embedder }) => [status, embedder])).to.deep.equal(
      Array(4).fill([1, 'all-minilm-l6-v2']),
    );
    expect(before[1]?.metadata.heading_path).to.deep.equal(['Hours', 'Cards']);
    const second = await kit.sync();
    expect(second.result).to.deep.include({
      posts: 3,
      posts_changed: 0,
      chunks_embedded: 0,
      chunks_total: 4,
    });
    expect(await kit.chunks()).to.deep.equal(before);
  });

  it('finds by meaning what no word of the question is in', async () => {
    const { services, modules } = kit.lyceum.host;
    const { Retrieval } = await import('@lyceum/module/rag');
    const spec = modules.get('rag')?.spec;
    const found = await services
      .resolve(spec as never)(Retrieval)
      .retrieve(1, 'May I take my puppy along?', 3);
    expect(found[0]?.title).to.equal('Dog');
    expect(api).to.equal('svctutor/embedding/v1');
  });
});
