import path from 'node:path';
import { expect } from 'chai';
import { type Client, startTestHost, type TestHost, type TestHostOptions } from '../kit/index.ts';

const boot = (options: TestHostOptions = {}): Promise<TestHost> =>
  startTestHost({
    modules: ['test_worker'],
    folders: [path.join(import.meta.dirname, 'packages')],
    ...options,
    config: { workers: 'inline', ...options.config },
  });

const route = 'test/worker/v1';
const ended = /^(completed|failed|cancelled)$/;

describe('jobs', () => {
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await boot();
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const enqueue = async (body: object, client = admin): Promise<string> => {
    const wanted = { type: 'test_worker.count', steps: 3, pauseMs: 0, key: 'k', ...body };
    const { body: job } = await client.post(`${route}/start`, wanted).expect(202);
    return job.job_id as string;
  };

  const end = async (jobId: string, client = admin) => {
    for (;;) {
      const { body } = await client.get(`${route}/jobs/${jobId}?wait=10`).expect(200);
      if (ended.test(body.status)) return body;
    }
  };

  const effects = async (): Promise<string[]> =>
    (await lyceum.host.db.knex('test_effects').orderBy('id')).map((row: { key: string }) => row.key);

  it('runs a job, wakes who waits for it, and keeps what happened', async () => {
    const jobId = await enqueue({ steps: 3 });
    const job = await end(jobId);
    expect(job).to.deep.include({
      type: 'test_worker.count',
      status: 'completed',
      phase: 'count',
      progress: { percent: 100, current: 3, total: 3 },
      result: { done: 3 },
      error: null,
    });
    expect(job.completed_at).to.be.a('string');
    expect(await effects()).to.deep.equal(['k-1', 'k-2', 'k-3']);
    const { body: events } = await admin.get(`${route}/jobs/${jobId}/events`).expect(200);
    expect(events[0].message).to.equal('Enqueued.');
    expect(events.at(-1).message).to.equal('Completed.');
    const later = await admin.get(`${route}/jobs/${jobId}/events?after=${events[0].id}`).expect(200);
    expect(later.body).to.have.length(events.length - 1);
  });

  it('streams events until the job ends', async () => {
    const jobId = await enqueue({ steps: 3, pauseMs: 20 });
    const { text, headers } = await admin
      .get(`${route}/jobs/${jobId}/events`)
      .set('Accept', 'text/event-stream')
      .expect(200);
    expect(headers['content-type']).to.include('text/event-stream');
    expect(text).to.include('"message":"Completed."');
  });

  it('fails with the code of the error, tries again what may pass', async () => {
    const failed = await end(await enqueue({ failAt: 1 }));
    expect(failed).to.deep.include({ status: 'failed', result: null });
    expect(failed.error.code).to.equal('test_worker_failed');
    for (const stumble of ['told', 'deadlock']) {
      const stumbled = await end(await enqueue({ stumble, key: stumble }));
      expect(stumbled.status, stumble).to.equal('completed');
    }
  });

  it('cancels a running job, and a pending one at once', async () => {
    const running = await enqueue({ steps: 1000, pauseMs: 10, key: 'r' });
    await admin.get(`${route}/jobs/${running}?wait=5`).expect(200);
    const asked = await admin.post(`${route}/jobs/${running}/cancel`).expect(200);
    expect(asked.body.message).to.be.oneOf(['Cancelling.', 'Cancelled.']);
    const job = await end(running);
    expect(job).to.deep.include({ status: 'cancelled', result: null, error: null });
    await admin.post(`${route}/jobs/${running}/cancel`).expect(200);

    const done = await enqueue({ steps: 1 });
    await end(done);
    const late = await admin.post(`${route}/jobs/${done}/cancel`).expect(409);
    expect(late.body.code).to.equal('job_not_cancellable');
  });

  it('leaves one terminal state when cancel and finish race', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) => enqueue({ type: 'test_worker.quick', steps: 1, key: `race${n}` })),
    );
    await Promise.all(ids.map((jobId) => admin.post(`${route}/jobs/${jobId}/cancel`)));
    for (const jobId of ids) {
      const job = await end(jobId);
      expect(job.completed_at).to.be.a('string');
      expect(job.result !== null).to.equal(job.status === 'completed');
    }
  });

  it('keeps jobs of a module that is off, and goes on when it is on', async () => {
    const put = (enabled: boolean) =>
      admin.put('svc/modules/v1/modules/test_worker', { enabled }).expect(200);
    const { db } = lyceum.host;
    const ids = await Promise.all([1, 2, 3].map((n) => enqueue({ steps: 100, pauseMs: 5, key: `off${n}` })));
    await put(false);
    await admin.get(`${route}/jobs/${ids[0]}`).expect(404);
    // One may run to its end; the others come to the queue's front and are put aside.
    const waiting = db.knex('jobs').where({ status: 'pending', parked: false });
    while (await waiting.clone().first('job_id')) await new Promise((resolve) => setImmediate(resolve));
    const parked = await db.knex('jobs').where('parked', true).pluck('message');
    expect(new Set(parked)).to.deep.equal(new Set(['Module test_worker is disabled.']));
    await put(true);
    for (const jobId of ids) expect((await end(jobId)).status).to.equal('completed');
    expect(await effects()).to.have.length(300);
  });

  it('lets sites take turns', async () => {
    const two = await lyceum.make.site('two');
    const other = lyceum.as(await lyceum.make.admin(), two);
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => enqueue({ steps: 1, pauseMs: 20, key: `one${n}` })),
    );
    const mine = await enqueue({ steps: 1, pauseMs: 0, key: 'two' }, other);
    await end(mine, other);
    expect((await effects()).length).to.be.below(20);
  });

  it('hands a running job back when its process stops, and another goes on', async () => {
    const jobId = await enqueue({ steps: 40, pauseMs: 10, key: 'h' });
    await admin.get(`${route}/jobs/${jobId}?wait=5`).expect(200);
    const second = await boot({ beside: lyceum, config: { workers: 'off' } });
    const beside = second.as(await second.make.admin());
    await lyceum.host.stop();
    const third = await boot({ beside: lyceum });
    try {
      expect((await end(jobId, beside)).status).to.equal('completed');
      const keys = await second.host.db.knex('test_effects').pluck('key');
      expect(keys).to.have.length(40);
      expect(new Set(keys)).to.have.length(40);
    } finally {
      await third.stop();
      await second.stop();
    }
  });

  it('shows jobs to their owner, to the network, and to nobody else', async () => {
    const owner = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    const other = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    const jobId = await enqueue({ steps: 1 }, owner);
    await end(jobId, owner);
    expect((await other.get(`${route}/jobs/${jobId}`).expect(403)).body.code).to.equal('forbidden');
    await admin.get(`${route}/jobs/${jobId}`).expect(200);
    await lyceum.anonymous.get(`${route}/jobs/${jobId}`).expect(401);
    expect((await owner.get(`${route}/jobs`).expect(200)).body).to.have.length(1);
    expect((await admin.get(`${route}/jobs`).expect(200)).body).to.have.length(0);
    expect((await admin.get(`${route}/jobs?all=true`).expect(200)).body).to.have.length(1);
    await owner.get(`${route}/jobs?all=true`).expect(403);
    await owner.get(`${route}/jobs/${jobId}?wait=31`).expect(400);
    for (const id of ['nope', '00000000-0000-4000-8000-000000000000']) {
      const missing = await owner.get(`${route}/jobs/${id}`).expect(404);
      expect(missing.body).to.deep.include({ code: 'job_not_found', message: 'Job not found.' });
    }
    const network = await lyceum.make.network();
    const foreign = await lyceum.make.user({ superAdminOf: network.network_id });
    const far = await lyceum.as(foreign, network).get(`${route}/jobs/${jobId}`).expect(404);
    expect(far.body.code).to.equal('job_not_in_network');
  });
});
