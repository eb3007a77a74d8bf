import { killWorker, runSchedule, startTestHost, startWorker, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { api, type EmbeddingKit, kitOf } from './embedding-kit.ts';
import { FakeProvider } from './fake-provider.ts';

const modules = ['rag', 'embedding', 'lms'];

describe('embedding: a worker that is killed', function () {
  this.timeout(120_000);
  let lyceum: TestHost;
  let kit: EmbeddingKit;
  let provider: FakeProvider;

  before(async () => {
    [lyceum, provider] = await Promise.all([startTestHost({ modules }), new FakeProvider().start()]);
    kit = await kitOf(lyceum);
    await lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await kit.settings({ auto_sync: false, provider: 'openai', provider_url: provider.url });
    for (let page = 0; page < 70; page += 1)
      await kit.publish(`Page ${page}`, `<p>Text of page ${page}.</p>`);
  });
  after(async () => {
    await lyceum.stop();
    await provider.stop();
  });

  const count = async (): Promise<Record<number, number>> => {
    const rows = await kit.chunks();
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ status }) => status)].map(([key, all]) => [key, all.length]),
    );
  };

  it('costs nothing: another goes on, embeds nothing twice, and leaves no chunk behind', async () => {
    const asked = Promise.withResolvers<void>();
    // The first batch is answered, in the second the worker dies.
    provider.behave = ({ input }) => {
      if (input.length === 64) return false;
      asked.resolve();
      return true;
    };
    const first = await startWorker(lyceum, modules);
    const { body } = await kit.admin.post(`${api}/sync`).expect(202);
    await asked.promise;
    await killWorker(first);
    expect(await count()).to.deep.equal({ 1: 64, 2: 6 });
    provider.forget();
    const killed = performance.now();
    const second = await startWorker(lyceum, modules);
    const job = await kit.ended(body.job_id);
    expect(performance.now() - killed).to.be.below(60_000);
    expect(job.status).to.equal('completed');
    expect(job.result).to.deep.include({
      posts: 70,
      chunks_embedded: 70,
      chunks_failed: 0,
      chunks_total: 70,
    });
    expect(provider.texts).to.have.lengthOf(6);
    expect(await count()).to.deep.equal({ 1: 70 });
    await killWorker(second);
  });

  it('leaves no chunk in the middle, even where its job is gone', async () => {
    const { knex } = lyceum.host.db;
    await knex('rag_chunks').update({
      status: 2,
      lease_until: new Date(Date.now() + 300_000),
      lease_job: crypto.randomUUID(),
    });
    await runSchedule(lyceum, 'embedding.release-lost');
    expect(await count()).to.deep.equal({ 0: 70 });
  });
});
