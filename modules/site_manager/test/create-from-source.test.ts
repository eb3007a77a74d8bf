import { type Client, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';
const jobs = 'svc/site-manager/v1/jobs';
const posts = 'svc/host/v1/posts';

describe('site_manager: a site from another one', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let admin: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'], config: { workers: 'off' } });
    user = await lyceum.make.admin();
    admin = lyceum.as(user);
  });
  after(() => lyceum.stop());

  it('is reserved at once, keeps its source from removal, and is there when the job has ended', async () => {
    const source = await lyceum.make.site('origin');
    const there = lyceum.as(user, source);
    for (const title of ['One', 'Two', 'Three']) {
      await there.post(posts, { title, status: 'publish' }).expect(201);
    }
    await admin.patch(`${sites}/${source.blog_id}`, { description: 'Of sound', public: 0 }).expect(200);
    const body = { title: 'Copy', slug: 'copy', source_blog_id: source.blog_id };
    const started = await admin.post(sites, body).expect(202);
    const { job_id, payload } = started.body;
    expect(started.body).to.deep.include({ type: 'site_manager.create_from_source', status: 'pending' });
    expect(started.body).not.to.have.any.keys('run_token', 'blog_id', 'gate');
    expect(new URL(started.headers.location as string).pathname).to.equal(`/api/${jobs}/${job_id}`);
    const target = payload.target_blog_id as number;
    expect(payload).to.deep.equal({
      source_blog_id: source.blog_id,
      target_blog_id: target,
      title: 'Copy',
      slug: 'copy',
    });
    expect((await admin.get(`${sites}/${target}`).expect(404)).body.code).to.equal('site_not_found');
    expect((await admin.post(sites, { title: 'x', slug: 'copy' }).expect(409)).body.code).to.equal(
      'site_exists',
    );
    const busy = await admin.delete(`${sites}/${source.blog_id}`).expect(409);
    expect(busy.body.code).to.equal('site_busy');
    expect(busy.body.data.job_id).to.equal(job_id);
    expect((await admin.delete(`${sites}/${target}`).expect(404)).body.code).to.equal('site_not_found');

    const working = await startTestHost({
      beside: lyceum,
      modules: ['site_manager'],
      config: { workers: 'inline' },
    });
    const job = await endOfJob(admin, job_id);
    await working.stop();
    expect(job).to.deep.include({ status: 'completed', error: null });
    expect(job.result).to.deep.include({ blog_id: target });
    const { body: made } = await admin.get(`${sites}/${target}`).expect(200);
    expect(made).to.deep.include({ title: 'Copy', path: '/copy/', description: 'Of sound', public: 0 });
    const copied = await lyceum.as(user, made).get(posts).expect(200);
    expect(copied.body).to.have.length(3);
    expect(Number(copied.headers['x-svc-total'])).to.equal(3);
    const audited = await admin.get(`svc/modules/v1/audit?blog_id=${target}&action=site.create`).expect(200);
    expect(audited.body).to.have.length(1);
    await admin.delete(`${sites}/${source.blog_id}`).expect(200);
  });

  it('frees its slug when the pending job is cancelled', async () => {
    const source = await lyceum.make.site();
    const body = { title: 'Never', slug: 'never', source_blog_id: source.blog_id };
    const { job_id } = (await admin.post(sites, body).expect(202)).body;
    const other = await lyceum.make.user({ role: 'administrator' });
    await lyceum.as(other).post(`${jobs}/${job_id}/cancel`).expect(403);
    expect((await admin.post(`${jobs}/${job_id}/cancel`).expect(200)).body.status).to.equal('cancelled');
    await admin.post(sites, { title: 'Now', slug: 'never' }).expect(201);
    await admin.delete(`${sites}/${source.blog_id}`).expect(200);
  });

  it('needs a source of the network, and flags that are booleans', async () => {
    const network = await lyceum.make.network();
    const source = await lyceum.make.site();
    const body = { title: 'x', slug: 'wrong' };
    for (const [source_blog_id, code] of [
      [99_999, 'site_not_found'],
      [network.blog_id, 'site_not_in_network'],
    ] as const) {
      const answer = await admin.post(sites, { ...body, source_blog_id }).expect(404);
      expect(answer.body.code).to.equal(code);
    }
    const from = { ...body, source_blog_id: source.blog_id };
    await admin.post(sites, { ...from, copy_users: 'yes' }).expect(400);
    await admin.post(sites, { ...from, copy_posts: false, copy_modules: true }).expect(400);
    await admin.post(sites, { ...from, source_blog_id: 0 }).expect(400);
    await admin.post(sites, { ...from, category_ids: [4711] }).expect(404);
    const own = await lyceum.make.user({ role: 'administrator', site: source.blog_id });
    await lyceum.as(own, source).post(sites, from).expect(403);
    await lyceum.anonymous.post(sites, from).expect(401);
    await admin.post(sites, body).expect(201);
  });
});
