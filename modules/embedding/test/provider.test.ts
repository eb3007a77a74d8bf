import { expect } from 'chai';
import { api, type EmbeddingKit, startEmbeddingKit } from './embedding-kit.ts';
import { FakeProvider, say } from './fake-provider.ts';

describe('embedding: sync with a provider', () => {
  let kit: EmbeddingKit;
  let provider: FakeProvider;
  let page: number;

  before(async () => {
    [kit, provider] = await Promise.all([startEmbeddingKit(), new FakeProvider().start()]);
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await kit.settings({
      ...{ provider: 'openai', provider_url: provider.url, provider_key: 'sk-very-secret', model: 'm-1' },
      ...{ auto_sync: false, chunk_max_tokens: 64, chunk_overlap_tokens: 0 },
    });
    page = await kit.publish('Garden', ['Roses', 'Tulips', 'Lilies'].map(section).join(''));
    await kit.publish('Pond', section('Frogs'), { lang: 'ru' });
  });
  afterEach(() => provider.forget());
  after(async () => {
    await kit.lyceum.stop();
    await provider.stop();
  });

  function section(name: string): string {
    return `<h2>${name}</h2><p>${name} are here, says the sign.</p>`;
  }

  const statuses = async (): Promise<number[]> => (await kit.chunks()).map(({ status }) => status);

  /** Every vector anew, whatever the one before left. */
  const anew = () => kit.sync({ mode: 'full' });

  it('sends texts with their title and headings, in batches, with model and key', async () => {
    const job = await kit.sync();
    expect(job.result).to.deep.include({ posts: 2, chunks_embedded: 4, chunks_failed: 0 });
    expect(provider.requests).to.have.lengthOf(1);
    expect(provider.requests[0]).to.deep.equal({
      model: 'm-1',
      input: [
        ...['Roses', 'Tulips', 'Lilies'].map((name) => `Garden\n${name}\n${name} are here, says the sign.`),
        'Pond\nFrogs\nFrogs are here, says the sign.',
      ],
      encoding_format: 'float',
      authorization: 'Bearer sk-very-secret',
    });
    const chunks = await kit.chunks();
    expect(chunks.map(({ embedder }) => embedder)).to.deep.equal(Array(4).fill('openai:m-1:64'));
    expect(await statuses()).to.deep.equal([1, 1, 1, 1]);
  });

  it('sends only what changed, and keeps the ids of the rest', async () => {
    const before = await kit.chunks(page);
    const content = [section('Roses'), section('Orchids'), section('Lilies')].join('');
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { content }).expect(200);
    const job = await kit.sync();
    expect(provider.texts).to.deep.equal(['Garden\nOrchids\nOrchids are here, says the sign.']);
    expect(job.result).to.deep.include({
      posts_changed: 1,
      chunks_created: 1,
      chunks_deleted: 1,
      chunks_embedded: 1,
    });
    const after = await kit.chunks(page);
    expect(after[0]?.id_chunk).to.equal(before[0]?.id_chunk);
    expect(after[2]?.id_chunk).to.equal(before[2]?.id_chunk);
    provider.forget();
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { title: 'The garden' }).expect(200);
    await kit.sync();
    expect(provider.texts).to.have.lengthOf(3);
    expect((await kit.chunks(page)).map(({ id_chunk }) => id_chunk)).to.deep.equal(
      after.map(({ id_chunk }) => id_chunk),
    );
  });

  it('looks only at the posts that are named, and removes those that have no place', async () => {
    const gone = await kit.publish('Gone', section('Moths'));
    await kit.sync();
    await kit.admin.patch(`svc/host/v1/posts/${gone}`, { status: 'draft' }).expect(200);
    const job = await kit.sync({ post_ids: [gone, 999_999, page, 99_999_999_999, -1, page] });
    expect(job.result).to.deep.include({ posts: 1, posts_skipped: 4, chunks_deleted: 1, chunks_total: 3 });
    expect(await kit.chunks(gone)).to.deep.equal([]);
  });

  it('fails when the provider is down, keeps what it has, and goes on when it is back', async () => {
    provider.behave = (_request, response) =>
      say(response, 500, { error: { message: 'sk-very-secret broke' } });
    const job = await anew();
    expect([job.status, job.error?.code]).to.deep.equal(['failed', 'embedding_provider_unreachable']);
    expect(job.error?.message).to.equal('The provider answered 500: ******** broke');
    expect(await statuses()).to.deep.equal([0, 0, 0, 0]);
    provider.forget();
    expect((await kit.sync()).status).to.equal('completed');
    expect(await statuses()).to.deep.equal([1, 1, 1, 1]);
  });

  it('waits when it is told to, as long as it is told to', async () => {
    const times: number[] = [];
    provider.behave = (_request, response) => {
      times.push(performance.now());
      if (times.length > 2) return false;
      say(response, 429, { error: 'slow down' }, times.length === 1 ? { 'Retry-After': '2' } : {});
      return true;
    };
    expect((await anew()).status).to.equal('completed');
    expect(times).to.have.lengthOf(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).to.be.within(1_990, 4_000);
    expect((times[2] ?? 0) - (times[1] ?? 0)).to.be.within(1_990, 4_000);
  });

  it('lets one text that is refused fail alone, and tries it again with the next sync', async () => {
    provider.behave = ({ input }, response) => {
      if (!input.some((text) => text.includes('Frogs'))) return false;
      say(response, 400, { error: { message: 'No frogs.' } });
      return true;
    };
    const job = await anew();
    expect(job.status).to.equal('completed');
    expect(job.result).to.deep.include({ chunks_embedded: 3, chunks_failed: 1 });
    const broken = (await kit.chunks()).filter(({ status }) => status === -1);
    expect(broken.map(({ error }) => error)).to.deep.equal(['The provider answered 400: No frogs.']);
    provider.forget();
    await kit.sync();
    expect(provider.texts).to.have.lengthOf(1);
    expect(await statuses()).to.deep.equal([1, 1, 1, 1]);
  });

  it('takes no answer that is none', async () => {
    const answers: readonly [string, unknown][] = [
      ['no JSON', '<html>'],
      ['no list', { data: {} }],
      ['too few', { data: [{ index: 0, embedding: [1, 2] }] }],
      [
        'of different lengths',
        { data: [[1], [1, 2], [1], [1]].map((embedding, index) => ({ index, embedding })) },
      ],
      ['wrong places', { data: [9, 8, 7, 6].map((index) => ({ index, embedding: [1] })) }],
      [
        'no numbers',
        `{"data":[${[0, 1, 2, 3].map((index) => `{"index":${index},"embedding":[1e999,"x"]}`).join(',')}]}`,
      ],
      ['zero', { data: [0, 1, 2, 3].map((index) => ({ index, embedding: [0, 0] })) }],
    ];
    for (const [name, answer] of answers) {
      provider.behave = (_request, response) => say(response, 200, answer);
      const job = await anew();
      expect(job.result, name).to.deep.include({ chunks_embedded: 0, chunks_failed: 4 });
      expect(await statuses(), name).to.deep.equal([-1, -1, -1, -1]);
    }
  });

  it('takes no answer of more than 16 MiB, and no vectors of another length than it has', async () => {
    provider.behave = (_request, response) =>
      say(response, 200, `{"data":"${'x'.repeat(17 * 1024 * 1024)}"}`);
    expect((await anew()).result).to.deep.include({ chunks_failed: 4 });
    provider.forget();
    expect((await kit.sync()).result).to.deep.include({ chunks_embedded: 4 });
    provider.dimensions = 32;
    await kit.admin.patch(`svc/host/v1/posts/${page}`, { content: section('Daisies') }).expect(200);
    const job = await kit.sync();
    expect([job.status, job.error?.code]).to.deep.equal(['failed', 'embedding_dimension_mismatch']);
    expect((await anew()).status).to.equal('completed');
    expect([...new Set((await kit.chunks()).map(({ embedder }) => embedder))]).to.deep.equal([
      'openai:m-1:32',
    ]);
    provider.dimensions = 64;
    await kit.settings({ dimensions: 128 });
    const asked = await kit.sync();
    expect(asked.error?.code).to.equal('embedding_dimension_mismatch');
    expect(provider.requests.at(-1)?.dimensions).to.equal(128);
    await kit.settings({ dimensions: null });
  });

  it('is refused with its key, follows no redirect, and goes to no address inside', async () => {
    for (const status of [401, 403, 404, 302]) {
      provider.behave = (_request, response) => say(response, status, {}, { Location: provider.url });
      const job = await anew();
      expect([job.status, job.error?.code], String(status)).to.deep.equal([
        'failed',
        'embedding_provider_rejected',
      ]);
      expect(provider.requests).to.have.lengthOf(1);
      provider.forget();
    }
    await kit.lyceum.make.settings('host', { outbound_allow: [] });
    const job = await anew();
    expect(job.error?.code).to.equal('embedding_provider_unreachable');
    expect(provider.requests).to.deep.equal([]);
    await kit.settings({ provider_url: 'http://127.0.0.1:9/v1' }, 400);
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
  });

  it('ends within seconds of a cancel, however slow the provider is, and holds nothing', async () => {
    const asked = Promise.withResolvers<void>();
    provider.behave = () => {
      asked.resolve();
      return true;
    };
    const { body } = await kit.admin.post(`${api}/sync`, { mode: 'full' }).expect(202);
    await asked.promise;
    expect(await statuses()).to.include(2);
    await kit.admin.post(`${api}/jobs/${body.job_id}/cancel`).expect(200);
    expect((await kit.ended(body.job_id)).status).to.equal('cancelled');
    expect(await statuses()).to.not.include(2);
    provider.forget();
    expect((await kit.sync()).status).to.equal('completed');
  });

  it('lets no key out', async () => {
    const { rows } = await kit.lyceum.host.db.knex.raw(
      `select 1 from jobs where to_jsonb(jobs)::text like '%very-secret%' union all
       select 1 from job_events e where to_jsonb(e)::text like '%very-secret%' union all
       select 1 from rag_chunks c where c.error like '%very-secret%' union all
       select 1 from site_options o where o.value::text like '%very-secret%'`,
    );
    expect(rows).to.deep.equal([]);
  });
});
