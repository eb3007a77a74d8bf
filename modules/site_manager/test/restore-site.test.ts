import { Storage } from '@lyceum/core';
import { type Client, runSchedule, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';
const day = 24 * 60 * 60 * 1000;

describe('site_manager: sites that come back', () => {
  let lyceum: TestHost;
  let admin: Client;
  let now = Date.now();
  before(async () => {
    lyceum = await startTestHost({
      modules: ['site_manager'],
      config: { workers: 'inline' },
      now: () => new Date(now),
    });
    admin = lyceum.as(await lyceum.make.admin());
  });
  beforeEach(() => {
    now = Date.now();
  });
  after(() => lyceum.stop());

  const remove = (blogId: number) => admin.delete(`${sites}/${blogId}?drop_tables=false`).expect(200);
  const restore = (blogId: number | string, body?: object) => admin.post(`${sites}/${blogId}/restore`, body);
  const removed = async (): Promise<{ blog_id: number; removed_at: string; purge_at: string }[]> =>
    (await admin.get(`${sites}/removed?per_page=100`).expect(200)).body;

  it('has its id, flags, members, posts and files again', async () => {
    const site = await lyceum.make.site();
    const author = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const here = lyceum.as(author, site);
    for (const title of ['One', 'Two']) await here.post('svc/host/v1/posts', { title }).expect(201);
    await here
      .post('svc/host/v1/media')
      .attach('file', Buffer.from('a text'), { filename: 'a.txt', contentType: 'text/plain' })
      .expect(201);
    await admin.patch(`${sites}/${site.blog_id}`, { mature: 1, public: 0 }).expect(200);
    const { body: before } = await admin.get(`${sites}/${site.blog_id}?include=stats`).expect(200);
    const posts = await here.get('svc/host/v1/posts').expect(200);
    const media = await here.get('svc/host/v1/media').expect(200);

    await remove(site.blog_id);
    await here.get('svc/host/v1/settings').expect(404);
    const [listed] = (await removed()).filter(({ blog_id }) => blog_id === site.blog_id);
    const { user_count, ...shown } = before;
    expect(user_count).to.equal(1);
    expect(listed).to.deep.include(shown);
    expect(Date.parse(listed?.purge_at ?? '') - Date.parse(listed?.removed_at ?? '')).to.equal(30 * day);

    const file = new URL(media.body[0].url as string);
    expect((await fetch(`${lyceum.origin}${file.pathname}`)).status).to.equal(404);
    const { body: after } = await restore(site.blog_id).expect(200);
    expect(after).to.deep.equal(shown);
    expect((await admin.get(`${sites}/${site.blog_id}?include=stats`).expect(200)).body).to.deep.equal(
      before,
    );
    expect((await here.get('svc/host/v1/posts').expect(200)).body).to.deep.equal(posts.body);
    expect((await here.get('svc/host/v1/media').expect(200)).body).to.deep.equal(media.body);
    const served = await fetch(`${lyceum.origin}${file.pathname}`);
    expect(await served.text()).to.equal('a text');
    expect((await removed()).map(({ blog_id }) => blog_id)).not.to.include(site.blog_id);
    const audited = await admin.get(`svc/modules/v1/audit?blog_id=${site.blog_id}`).expect(200);
    const actions = audited.body.map((row: { action: string }) => row.action);
    expect(actions.slice(0, 2)).to.deep.equal(['site.restore', 'site.delete']);
  });

  it('takes another slug where its own was taken meanwhile', async () => {
    const site = await lyceum.make.site('first');
    await remove(site.blog_id);
    await admin.post(sites, { title: 'Other', slug: 'first' }).expect(201);
    expect((await restore(site.blog_id).expect(409)).body.code).to.equal('site_exists');
    expect((await restore(site.blog_id, { slug: 'first' }).expect(409)).body.code).to.equal('site_exists');
    const reserved = await restore(site.blog_id, { slug: 'api' }).expect(400);
    expect(reserved.body).to.deep.include({ code: 'site_slug_invalid' });
    expect(reserved.body.data.reason).to.equal('reserved');
    for (const slug of [5, null, ['x']]) await restore(site.blog_id, { slug }).expect(400);
    const { body } = await restore(site.blog_id, { slug: 'First Again' }).expect(200);
    expect(body).to.deep.include({ blog_id: site.blog_id, slug: 'first-again', path: '/first-again/' });
    await lyceum
      .as(await lyceum.make.admin(), { domain: 'localhost', path: '/first-again/' })
      .get('svc/host/v1/settings')
      .expect(200);
  });

  it('has one winner of a return and a new site with its slug, and of two returns', async () => {
    for (let round = 0; round < 5; round += 1) {
      const site = await lyceum.make.site(`race-${round}`);
      await remove(site.blog_id);
      const [back, created] = await Promise.all([
        restore(site.blog_id),
        admin.post(sites, { title: 'x', slug: `race-${round}` }),
      ]);
      expect([back.status, created.status].sort(), `round ${round}`).to.be.deep.oneOf([
        [200, 409],
        [201, 409],
      ]);
    }
    const site = await lyceum.make.site();
    await remove(site.blog_id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(site.blog_id)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404]);
  });

  it('stays away when it was purged, is of another network, or was never removed', async () => {
    const site = await lyceum.make.site();
    expect((await restore(site.blog_id).expect(404)).body.code).to.equal('site_not_found');
    const { body } = await admin.delete(`${sites}/${site.blog_id}`).expect(200);
    expect((await restore(site.blog_id).expect(404)).body.code).to.equal('site_not_found');
    expect((await removed()).map(({ blog_id }) => blog_id)).not.to.include(site.blog_id);
    await endOfJob(admin, body.job_id);
    for (const id of [site.blog_id, 1, 99999, '0', 'x']) {
      expect((await restore(id).expect(404)).body.code, String(id)).to.equal('site_not_found');
    }
    const network = await lyceum.make.network();
    const operator = await lyceum.make.user({ superAdminOf: network.network_id });
    const { knex } = lyceum.host.db;
    const address = { domain: network.domain, path: '/there/', slug: 'there', title: 'There' };
    const [there] = (await knex('sites')
      .insert({ network_id: network.network_id, ...address })
      .returning('blog_id')) as { blog_id: number }[];
    const theirs = lyceum.as(operator, network);
    await theirs.delete(`${sites}/${there?.blog_id}`, { drop_tables: false }).expect(200);
    const foreign = await restore(there?.blog_id ?? 0).expect(404);
    expect(foreign.body).to.deep.include({ code: 'site_not_in_network', message: 'Site not found.' });
    expect((await removed()).map(({ blog_id }) => blog_id)).not.to.include(there?.blog_id);
    expect((await theirs.get(`${sites}/removed`).expect(200)).body).to.have.length(1);
    await theirs.post(`${sites}/${there?.blog_id}/restore`).expect(200);
  });

  it('is purged when its time is over, and not before', async () => {
    const [soon, late, back] = [await lyceum.make.site(), await lyceum.make.site(), await lyceum.make.site()];
    const mine = [soon.blog_id, late.blog_id, back.blog_id];
    const { knex } = lyceum.host.db;
    await lyceum.make.user({ role: 'editor', site: soon.blog_id });
    const storage = lyceum.host.services.host(Storage);
    const key = `sites/${soon.blog_id}/a.txt`;
    const limits = { limit: 100, contentType: 'text/plain' };
    await storage.write(
      key,
      (async function* () {
        yield Buffer.from('x');
      })(),
      limits,
    );
    for (const { blog_id } of [soon, late, back]) await remove(blog_id);
    await knex('sites')
      .where({ blog_id: late.blog_id })
      .update({ removed_at: new Date(now + 2 * day) });
    const look = () => runSchedule(lyceum, 'site_manager.retention');
    const purges = async () =>
      (await knex('jobs')
        .where({ type: 'site_manager.purge', user_id: null })
        .whereRaw(`(payload ->> 'blog_id')::int in (?, ?, ?)`, mine)
        .select('job_id', knex.raw(`(payload ->> 'blog_id')::int as blog_id`))) as {
        job_id: string;
        blog_id: number;
      }[];
    now += 29 * day;
    await look();
    expect(await purges()).to.deep.equal([]);
    now += 1 * day + 60_000;
    await restore(back.blog_id).expect(200);
    await look();
    const [purge, ...others] = await purges();
    expect(others).to.deep.equal([]);
    expect(purge?.blog_id).to.equal(soon.blog_id);
    expect((await restore(soon.blog_id).expect(404)).body.code).to.equal('site_not_found');
    expect((await endOfJob(admin, purge?.job_id ?? '')).status).to.equal('completed');
    expect(await knex('memberships').where({ blog_id: soon.blog_id }).first()).to.equal(undefined);
    expect(await storage.stat(key)).to.equal(null);
    await lyceum.make.settings('site_manager', { removed_site_retention_days: 1 });
    const [listed] = (await removed()).filter(({ blog_id }) => blog_id === late.blog_id);
    expect(Date.parse(listed?.purge_at ?? '') - Date.parse(listed?.removed_at ?? '')).to.equal(day);
    await look();
    expect((await purges()).map(({ blog_id }) => blog_id)).to.include(late.blog_id);
  });

  it('is purged anew when the purge failed, and not twice', async () => {
    const site = await lyceum.make.site();
    await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const { knex } = lyceum.host.db;
    await knex('sites')
      .where({ blog_id: site.blog_id })
      .update({ state: 'removed', removed_at: new Date(), remains: 'purging' });
    const look = () => runSchedule(lyceum, 'site_manager.retention');
    const mine = knex('jobs').whereRaw(`payload ->> 'blog_id' = ?`, [String(site.blog_id)]);
    await look();
    const [first, ...others] = (await mine.clone().pluck('job_id')) as string[];
    expect(others).to.deep.equal([]);
    expect((await endOfJob(admin, first ?? '')).status).to.equal('completed');
    expect(await knex('memberships').where({ blog_id: site.blog_id }).first()).to.equal(undefined);
    await look();
    expect(await mine.clone().pluck('job_id')).to.deep.equal([first]);
  });

  it('asks for manage_network, and pages its list', async () => {
    const [one, two] = [await lyceum.make.site(), await lyceum.make.site()];
    for (const { blog_id } of [one, two]) await remove(blog_id);
    const first = await admin.get(`${sites}/removed?per_page=1`).expect(200);
    expect(first.body).to.have.length(1);
    expect(Number(first.headers['x-svc-total'])).to.be.at.least(2);
    const own = await lyceum.make.user({ role: 'administrator' });
    for (const send of [
      (who: Client) => who.get(`${sites}/removed`),
      (who: Client) => who.post(`${sites}/${one.blog_id}/restore`),
    ]) {
      await send(lyceum.as(own)).expect(403);
      await send(lyceum.anonymous).expect(401);
    }
    await admin.get(`${sites}/removed?per_page=101`).expect(400);
  });
});
