import { StorageFull } from '@lyceum/core';
import { runSchedule, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit, type Job, route } from './copy-kit.ts';
import { StorageHold } from './hold.ts';

describe('site_duplicator: jobs', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  let lab: TestSite;
  let hold: StorageHold;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['site_duplicator'], config: { workers: 'inline' } });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
    lab = await lyceum.make.site('lab');
    await kit.post(lab, { type: 'page', title: 'A', content: 'x' });
    await kit.term(lab, { taxonomy: 'tag', name: 'Red' });
    await kit.media(lab, 'a.png');
    hold = new StorageHold(lyceum);
  });
  afterEach(async () => {
    hold.release();
    await lyceum.stop();
  });

  const cancel = async (job: Job): Promise<Job> =>
    (await kit.client.post(`${route}/jobs/${job.job_id}/cancel`).expect(200)).body as Job;

  const targetOf = (job: Job): number => Number(job.payload.target_blog_id);

  const expectNothingOf = async (job: Job): Promise<void> => {
    expect(await kit.rowsOf(targetOf(job))).to.deep.equal({});
    expect(await kit.filesOf(targetOf(job))).to.deep.equal([]);
    expect(await lyceum.host.db.knex('site_copy_map').where({ job_id: job.job_id })).to.deep.equal([]);
  };

  const running = async (): Promise<number> =>
    Number((await lyceum.host.db.knex('jobs').where({ status: 'running' }).count({ n: '*' }).first())?.n);

  it('that are cancelled leave nothing, and the slug is free', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy', copy_users: true });
    await hold.arrival(1);
    expect(await kit.rowsOf(targetOf(job))).to.include({ posts: 2, terms: 1, sites: 1 });
    expect((await kit.client.get(`${route}/jobs/${job.job_id}`).expect(200)).body.phase).to.equal('files');
    const started = performance.now();
    expect((await cancel(job)).message).to.equal('Cancelling.');
    hold.release();
    expect(await kit.end(job.job_id)).to.deep.include({ status: 'cancelled', result: null, error: null });
    expect(performance.now() - started).to.be.below(10_000);
    await expectNothingOf(job);
    expect(await lyceum.host.db.knex('audit_log').where({ action: 'site.duplicate' })).to.deep.equal([]);
    await kit.copy(lab.blog_id, { slug: 'copy' });
    expect((await cancel(job)).status).to.equal('cancelled');
  });

  it('do not miss what was committed only after they began', async () => {
    const { knex } = lyceum.host.db;
    const [post] = await knex('posts').where({ blog_id: lab.blog_id, title: 'A' }).select('*');
    const [term] = await knex('terms').where({ blog_id: lab.blog_id }).select('*');
    // PostgreSQL makes the editor of what is in the meta.
    const { id: _post, editor: _editor, ...postFields } = post;
    const { id: _term, ...termFields } = term;
    const open = await knex.transaction();
    const json = { meta: '{}', private_meta: '{}' };
    await open('posts').insert({ ...postFields, ...json, slug: 'late', modified_at: '2020-01-01T00:00:00Z' });
    await open('terms').insert({ ...termFields, names: '{}', meta: '{}', slug: 'late', name_key: null });
    await kit.post(lab, { type: 'page', title: 'B', content: 'x' });
    await kit.term(lab, { taxonomy: 'tag', name: 'Blue' });
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    await open.commit();
    hold.release();
    const { status, result } = await kit.end(job.job_id);
    expect(status).to.equal('completed');
    expect(result?.copied).to.include({ posts: 2, terms: 2 });
  });

  it('that are cancelled before they begin end at once, and the slug is free', async () => {
    await lyceum.make.settings('site_duplicator', { max_running: 1 });
    const first = await kit.begin(lab.blog_id, { slug: 'first' });
    await hold.arrival(1);
    const second = await kit.begin(lab.blog_id, { slug: 'second' });
    expect(await cancel(second)).to.deep.include({ status: 'cancelled', message: 'Cancelled.' });
    await expectNothingOf(second);
    const third = await kit.begin(lab.blog_id, { slug: 'second' });
    hold.release();
    for (const job of [first, third]) expect((await kit.end(job.job_id)).status).to.equal('completed');
  });

  it('run as many at once as the network wants, those of one source too; the rest wait', async () => {
    await lyceum.make.settings('site_duplicator', { max_running: 2 });
    const jobs: Job[] = [];
    for (const n of [1, 2, 3, 4, 5]) jobs.push(await kit.begin(lab.blog_id, { slug: `copy${n}` }));
    await hold.arrival(2);
    expect(await running()).to.equal(2);
    const statuses = async (): Promise<string[]> =>
      (await Promise.all(jobs.map(({ job_id }) => kit.client.get(`${route}/jobs/${job_id}`)))).map(
        ({ body }) => body.status,
      );
    expect(await statuses()).to.deep.equal(['running', 'running', 'pending', 'pending', 'pending']);
    let most = 0;
    const watch = async (): Promise<void> => {
      while ((await statuses()).some((status) => status !== 'completed'))
        most = Math.max(most, await running());
    };
    hold.release();
    await watch();
    expect(most).to.equal(2);
    for (const job of jobs) expect((await kit.posts(site(job), 'page'))[0]?.title).to.equal('A');
  });

  const site = (job: Job): TestSite => ({
    blog_id: targetOf(job),
    path: `/${job.payload.slug}/`,
    domain: 'localhost',
  });

  it('are in nobody’s way: another site’s requests and jobs go on', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    await kit.on(lab).post('svc/host/v1/posts', { title: 'Meanwhile', status: 'publish' }).expect(201);
    const [page] = await kit.posts(lab, 'page');
    await kit.on(lab).patch(`svc/host/v1/posts/${page?.id}`, { title: 'Changed' }).expect(200);
    hold.release();
    const { result } = await kit.end(job.job_id);
    expect(result?.copied.posts).to.equal(1);
    expect((await kit.posts(site(job), 'post')).length).to.equal(0);
  });

  it('that find the copy not whole fail, and leave nothing', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    await lyceum.host.db
      .knex('posts')
      .where({ blog_id: targetOf(job), type: 'page' })
      .delete();
    hold.release();
    const ended = await kit.end(job.job_id);
    expect(ended.status).to.equal('failed');
    expect(ended.error?.code).to.equal('copy_incomplete');
    await expectNothingOf(job);
    await kit.copy(lab.blog_id, { slug: 'copy' });
  });

  it('whose source goes fail, and leave nothing', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    await lyceum.host.db.knex('sites').where({ blog_id: lab.blog_id }).update({ state: 'removed' });
    hold.release();
    const ended = await kit.end(job.job_id);
    expect([ended.status, ended.error?.code]).to.deep.equal(['failed', 'source_gone']);
    await expectNothingOf(job);
  });

  it('fail at once where the storage is full, and try again where it stumbled', async () => {
    const full = await kit.begin(lab.blog_id, { slug: 'full' });
    await hold.arrival(1);
    hold.failure = new StorageFull(null);
    hold.release();
    const failed = await kit.end(full.job_id);
    expect([failed.status, failed.error?.code]).to.deep.equal(['failed', 'storage_full']);
    await expectNothingOf(full);
    hold.failure = new Error('The disk is asleep.');
    const again = await kit.begin(lab.blog_id, { slug: 'full' });
    const ended = await kit.end(again.job_id);
    expect([ended.status, ended.result?.copied.files]).to.deep.equal(['completed', 1]);
  });

  it('take nothing that came after their beginning, and miss nothing that went', async () => {
    const gone = await kit.post(lab, { type: 'page', title: 'Going' });
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    await kit.on(lab).delete(`svc/host/v1/posts/${gone.id}?force=true`).expect(200);
    await kit.media(lab, 'later.png');
    hold.release();
    expect((await kit.end(job.job_id)).status).to.equal('completed');
    expect((await kit.attachments(site(job))).length).to.equal(1);
    expect((await kit.posts(site(job), 'page')).map(({ title }) => title)).to.deep.equal(['A', 'Going']);
  });

  it('are handed back when the process stops, and go on where they were', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    const stopped = lyceum.host.stop();
    hold.release();
    await stopped;
    const second = await startTestHost({
      beside: lyceum,
      modules: ['site_duplicator'],
      config: { workers: 'off' },
    });
    const beside = new CopyKit(second, await second.make.admin());
    const { body: pending } = await beside.client.get(`${route}/jobs/${job.job_id}`).expect(200);
    expect(pending).to.deep.include({ status: 'pending', phase: 'files' });
    const third = await startTestHost({
      beside: lyceum,
      modules: ['site_duplicator'],
      config: { workers: 'inline' },
    });
    try {
      expect((await beside.end(job.job_id)).result?.copied).to.deep.include({
        posts: 1,
        files: 1,
        attachments: 1,
      });
      expect(await beside.posts(site(job), 'page')).to.have.length(1);
      expect(await beside.filesOf(targetOf(job))).to.have.length(1);
    } finally {
      await third.stop();
      await second.stop();
    }
  });

  it('that were handed back and are cancelled free the slug; what they made is swept', async () => {
    const job = await kit.begin(lab.blog_id, { slug: 'copy' });
    await hold.arrival(1);
    const stopped = lyceum.host.stop();
    hold.release();
    await stopped;
    const second = await startTestHost({
      beside: lyceum,
      modules: ['site_duplicator'],
      config: { workers: 'off' },
    });
    try {
      const beside = new CopyKit(second, await second.make.admin());
      await beside.client.post(`${route}/jobs/${job.job_id}/cancel`).expect(200);
      const other = await beside.begin(lab.blog_id, { slug: 'copy' });
      expect(await beside.rowsOf(targetOf(job))).to.include({ posts: 2 });
      await runSchedule(second, 'site_duplicator.sweep-abandoned');
      expect(await beside.rowsOf(targetOf(job))).to.deep.equal({});
      expect(await beside.filesOf(targetOf(job))).to.deep.equal([]);
      expect(await second.host.db.knex('site_copy_map')).to.deep.equal([]);
      expect(await beside.rowsOf(targetOf(other))).to.include({ sites: 1 });
    } finally {
      await second.stop();
    }
  });
});
