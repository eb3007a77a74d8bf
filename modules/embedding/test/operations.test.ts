import { expect } from 'chai';
import { api, type EmbeddingKit, startEmbeddingKit } from './embedding-kit.ts';
import { FakeProvider } from './fake-provider.ts';

describe('embedding: its routes', () => {
  let kit: EmbeddingKit;
  let provider: FakeProvider;

  before(async () => {
    [kit, provider] = await Promise.all([startEmbeddingKit(), new FakeProvider().start()]);
    await kit.lyceum.make.settings('host', { outbound_allow: ['127.0.0.1'] });
    await kit.settings({ auto_sync: false, provider: 'openai', provider_url: provider.url, model: 'm' });
  });
  afterEach(() => provider.forget());
  after(async () => {
    await kit.lyceum.stop();
    await provider.stop();
  });

  const switchRag = (enabled: boolean) =>
    kit.admin.put('svc/modules/v1/modules/rag', { enabled }).expect(200);

  const diagnose = async (body: object = {}) =>
    (await kit.admin.post(`${api}/diagnostics`, body).expect(200)).body;

  it('know no statuses before there is a store', async () => {
    for (const ids of [[1], [], undefined, 'x', { a: 1 }, null]) {
      const { text } = await kit.admin.post(`${api}/statuses`, { ids }).expect(200);
      expect(text).to.equal('{"statuses":[]}');
    }
  });

  it('diagnose a site that was never synced', async () => {
    const found = await diagnose();
    expect(found).to.deep.include({ available: true, last_sync: null, running: null });
    expect(found.store).to.deep.include({ available: false, embedder: null, dimensions: null, stale: false });
    expect(found.provider).to.deep.include({
      ...{ kind: 'openai', model: 'm', host: new URL(provider.url).host, configured: true },
      ...{ reachable: true, dimensions: 64, error: null },
    });
    expect(found.checks.map(({ id }: { id: string }) => id)).to.deep.equal([
      ...['retrieval_on', 'store_exists', 'pgvector', 'provider_configured', 'provider_reachable'],
      ...['dimensions_match', 'no_error_chunks', 'up_to_date'],
    ]);
    expect(provider.texts).to.have.lengthOf(1);
    const unasked = await diagnose({ probe: false });
    expect(unasked.provider).to.deep.include({ reachable: null, latency_ms: null });
    expect(provider.texts).to.have.lengthOf(1);
  });

  it('start one sync of a site at a time', async () => {
    const held = Promise.withResolvers<void>();
    await kit.publish('One', '<p>One.</p>');
    provider.behave = () => held.promise.then(() => false);
    const answers = await Promise.all(Array.from({ length: 4 }, () => kit.admin.post(`${api}/sync`)));
    const started = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 409);
    expect([started.length, refused.length]).to.deep.equal([1, 3]);
    const id = started[0]?.body.job_id as string;
    for (const { body } of refused) {
      expect([body.code, body.data.job_id]).to.deep.equal(['embedding_busy', id]);
    }
    expect(started[0]?.headers.location).to.match(new RegExp(`/api/${api}/jobs/${id}$`));
    expect((await diagnose({ probe: false })).running).to.equal(id);
    held.resolve();
    const job = await kit.ended(id);
    expect(job.status).to.equal('completed');
    const found = await diagnose({ probe: false });
    expect(found.last_sync.job_id).to.equal(id);
    expect(found.store).to.deep.include({
      available: true,
      backend: 'sql',
      embedder: 'openai:m:64',
      dimensions: 64,
    });
    expect(found.posts).to.deep.equal({ eligible: 1, chunked: 1, changed: 0 });
    expect(found.chunks).to.deep.equal({ total: 1, pending: 0, active: 1, indexing: 0, error: 0 });
    expect(
      found.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ id: check }: { id: string }) => check),
    ).to.deep.equal(['pgvector']);
  });

  it('say where chunks stand, whatever they are asked', async () => {
    const [chunk] = await kit.chunks();
    const id = chunk?.id_chunk ?? 0;
    const site = await kit.lyceum.make.site();
    const { body } = await kit.admin
      .post(`${api}/statuses`, { ids: [id, id, 999_999, -1, 0, 1.5, 'x', null, {}, 2 ** 60, `${id}`] })
      .expect(200);
    expect(body).to.deep.equal({ statuses: { [id]: 1 } });
    const there = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    expect((await there.post(`${api}/statuses`, { ids: [id] }).expect(200)).text).to.equal('{"statuses":[]}');
    await kit.admin.post(`${api}/statuses`, { ids: Array(400_000).fill(1234) }).expect(413);
  });

  it('see a store grow stale and posts change', async () => {
    await kit.settings({ chunk_max_tokens: 100, chunk_overlap_tokens: 25 });
    const found = await diagnose({ probe: false });
    expect(found.store.stale).to.equal(true);
    expect(found.posts).to.deep.equal({ eligible: 1, chunked: 1, changed: 1 });
    await kit.sync();
    expect((await diagnose({ probe: false })).store.stale).to.equal(false);
    expect(provider.texts).to.deep.equal([]);
    await kit.settings({ chunk_overlap_tokens: 26 }, 400);
  });

  it('diagnose a provider that is not there', async () => {
    await kit.settings({ provider_url: 'http://127.0.0.1:9/v1/' });
    const found = await diagnose();
    expect(found.provider).to.deep.include({ reachable: false, host: '127.0.0.1:9' });
    expect(found.provider.error.code).to.equal('unreachable');
    expect(found.checks.find(({ id }: { id: string }) => id === 'provider_reachable').ok).to.equal(false);
    await kit.settings({ provider_url: '' });
    const { body } = await kit.admin.post(`${api}/sync`).expect(400);
    expect(body.code).to.equal('embedding_not_configured');
    await kit.settings({ provider_url: provider.url });
  });

  it('do nothing where retrieval is off', async () => {
    await switchRag(false);
    const { body } = await kit.admin.post(`${api}/sync`).expect(503);
    expect(body.code).to.equal('embedding_store_unavailable');
    const [chunk] = await kit.chunks();
    const answer = await kit.admin.post(`${api}/statuses`, { ids: [chunk?.id_chunk] }).expect(200);
    expect(answer.text).to.equal('{"statuses":[]}');
    const found = await diagnose({ probe: false });
    expect(found.available).to.equal(false);
    expect(found.store).to.deep.include({ available: false, backend: null });
    expect(found.chunks.total).to.equal(0);
    await switchRag(true);
    expect(await kit.chunks()).to.have.lengthOf(1);
  });

  it('show jobs of this site to its administrators, and no others', async () => {
    const job = await kit.sync();
    const { signed } = await kit.lyceum.make.session(
      (await kit.lyceum.make.user({ role: 'administrator' })).id,
    );
    const colleague = kit.lyceum.as(signed);
    expect((await colleague.get(`${api}/jobs/${job.job_id}`).expect(200)).body.status).to.equal('completed');
    expect((await kit.admin.get(`${api}/jobs`).expect(200)).body[0].job_id).to.equal(job.job_id);
    const { body: events } = await colleague.get(`${api}/jobs/${job.job_id}/events`).expect(200);
    expect(events.map(({ phase }: { phase: string }) => phase)).to.include.members([
      'chunk',
      'embed',
      'cleanup',
    ]);
    const site = await kit.lyceum.make.site();
    const there = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    expect((await there.get(`${api}/jobs/${job.job_id}`).expect(404)).body.code).to.equal('job_not_found');
    const { rows } = await kit.lyceum.host.db.knex.raw(
      `select "to" from audit_log where action = 'embedding.sync' order by id desc limit 1`,
    );
    expect(rows[0].to).to.deep.equal({ job_id: job.job_id, mode: 'changed', posts: null });
  });

  it('are for administrators, and take nothing that is wrong', async () => {
    const editor = kit.lyceum.as(await kit.lyceum.make.user({ role: 'editor' }));
    for (const route of ['sync', 'statuses', 'diagnostics']) {
      expect((await editor.post(`${api}/${route}`).expect(403)).body.code).to.equal('rest_forbidden');
      expect((await kit.lyceum.anonymous.post(`${api}/${route}`).expect(401)).body.code).to.equal(
        'rest_forbidden',
      );
    }
    await editor.get(`${api}/jobs`).expect(403);
    for (const body of [
      { post_ids: [] },
      { post_ids: ['1'] },
      { post_ids: Array(1_001).fill(1) },
      { mode: 'all' },
    ]) {
      expect((await kit.admin.post(`${api}/sync`, body).expect(400)).body.code).to.equal(
        'rest_invalid_param',
      );
    }
  });
});
