import path from 'node:path';
import { Jobs, Storage } from '@lyceum/core';
import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';
const me = 'svc/host/v1/users/me';

/** Tables in which something keeps the id of a site, besides the audit log and the row of the site itself. */
async function tablesWith(lyceum: TestHost, blogId: number): Promise<string[]> {
  const { knex } = lyceum.host.db;
  const { rows } = (await knex.raw(
    `select table_name as name from information_schema.columns
     where column_name = 'blog_id' and table_schema = current_schema()
       and table_name not in ('audit_log', 'sites')`,
  )) as { rows: { name: string }[] };
  const found: string[] = [];
  for (const { name } of rows) {
    if (await knex(name).where('blog_id', String(blogId)).first('blog_id')) found.push(name);
  }
  return found.sort();
}

describe('site_manager: removing sites', () => {
  let lyceum: TestHost;
  let admin: Client;
  before(async () => {
    lyceum = await startTestHost({
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers: 'inline' },
    });
    admin = lyceum.as(await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  const storage = () => lyceum.host.services.host(Storage);
  const filesOf = async (blogId: number): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage().list(`sites/${blogId}`)) keys.push(key);
    return keys;
  };

  /** Rows in every kind of table, and a file. */
  const fill = async (site: TestSite): Promise<void> => {
    const { knex } = lyceum.host.db;
    const here = lyceum.as(await lyceum.make.user({ role: 'administrator', site: site.blog_id }), site);
    const term = await here.post('svc/host/v1/terms', { taxonomy: 'category', name: 'Sound' }).expect(201);
    await here.post('svc/host/v1/posts', { title: 'Tones', terms: { category: [term.body.id] } }).expect(201);
    await here
      .post('svc/host/v1/media')
      .attach('file', Buffer.from('a text'), { filename: 'a.txt', contentType: 'text/plain' })
      .expect(201);
    await here.patch('svc/host/v1/settings', { site: { timezone: 'Europe/Riga' } }).expect(200);
    const category = await lyceum
      .as(await lyceum.make.admin())
      .post('svc/site-manager/v1/categories', { name: `Of ${site.blog_id}` })
      .expect(201);
    await admin.patch(`${sites}/${site.blog_id}`, { category_ids: [category.body.id] }).expect(200);
    const { blog_id } = site;
    const { rows } = (await knex.raw(
      `insert into test_a_folders (blog_id) values (?), (?), (?) returning id`,
      [blog_id, blog_id, blog_id],
    )) as { rows: { id: number }[] };
    const [low, middle, high] = rows.map(({ id }) => id) as [number, number, number];
    await knex('test_a_folders').where({ id: low }).update({ parent: middle });
    await knex('test_a_folders').where({ id: middle }).update({ parent: high });
    await knex('test_b_papers').insert({ blog_id, number: 1, folder: low });
    await knex('test_c_pages').insert({ blog_id: String(blog_id), paper_blog: blog_id, paper: 1 });
    await knex('test D parts').insert([
      { blog_id, n: 1 },
      { blog_id, n: 11 },
    ]);
  };

  it('takes every row and file of every module away, and nothing of other sites', async () => {
    const [site, other] = [await lyceum.make.site(), await lyceum.make.site()];
    await fill(site);
    await fill(other);
    const { knex } = lyceum.host.db;
    await knex.raw(
      `insert into test_a_folders (blog_id, parent)
       select ?, (select max(id) from test_a_folders where blog_id = ?) from generate_series(1, 2500)`,
      [site.blog_id, site.blog_id],
    );
    const kept = await tablesWith(lyceum, other.blog_id);
    expect(kept).to.include.members([
      'attachments',
      'memberships',
      'post_terms',
      'posts',
      'site_options',
      'site_terms',
      'terms',
      'test D high',
      'test D low',
      'test_a_folders',
      'test_b_papers',
      'test_c_pages',
    ]);
    const member = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const { body } = await admin.delete(`${sites}/${site.blog_id}`).expect(200);
    expect(body).to.deep.include({ deleted: true, blog_id: site.blog_id, drop_tables: true });
    for (const route of [`${sites}/${site.blog_id}`, `${sites}/${site.blog_id}/users`]) {
      expect((await admin.get(route).expect(404)).body.code).to.equal('site_not_found');
    }
    await lyceum.as(member, site).get(me).expect(404);
    const job = await endOfJob(admin, body.job_id);
    expect(job).to.deep.include({
      type: 'site_manager.purge',
      status: 'completed',
      payload: { blog_id: site.blog_id },
    });
    expect(job.result?.rows).to.be.at.least(2510);
    expect(job.progress.percent).to.equal(100);
    expect(await tablesWith(lyceum, site.blog_id)).to.deep.equal([]);
    expect(await filesOf(site.blog_id)).to.deep.equal([]);
    expect(await tablesWith(lyceum, other.blog_id)).to.deep.equal(kept);
    expect(await filesOf(other.blog_id)).to.have.length(1);
    const audited = await admin.get('svc/modules/v1/audit?action=site.delete').expect(200);
    expect(audited.body[0]).to.deep.include({ subject: `site:${site.blog_id}`, blog_id: site.blog_id });
    const created = await admin.post(sites, { title: 'Next', slug: site.path.slice(1, -1) }).expect(201);
    expect(created.body.blog_id).to.be.above(other.blog_id);
  });

  it('frees the slug at once, and takes roles away though memberships wait', async () => {
    const site = await lyceum.make.site();
    const member = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const { signed } = await lyceum.make.session(member.id);
    await admin.delete(`${sites}/${site.blog_id}`, { drop_tables: false }).expect(200);
    await admin.post(`${sites}/${site.blog_id}/restore`).expect(200);
    await lyceum.as(signed, site).get(me).expect(200);
    const gone = await admin.delete(`${sites}/${site.blog_id}?drop_tables=false`).expect(200);
    expect(gone.body).to.deep.equal({
      deleted: true,
      blog_id: site.blog_id,
      drop_tables: false,
      job_id: null,
    });
    const again = await admin.post(sites, { title: 'B', slug: site.path.slice(1, -1) }).expect(201);
    await lyceum.as(signed, site).get('svc/host/v1/settings').expect(403);
    expect((await lyceum.as(signed, site).get(me).expect(200)).body.role).to.equal(null);
    const audit = `svc/modules/v1/audit?blog_id=${again.body.blog_id}`;
    await lyceum.as(member).get(audit).expect(403);
    await lyceum.as(signed).get(me).expect(200);
  });

  it('ends the jobs of the site before the purge begins', async () => {
    const site = await lyceum.make.site();
    const ref = { blog_id: site.blog_id, network_id: 1 };
    const hold = { type: 'test_site_data.hold', payload: {}, site: ref, userId: 1, startAfterSeconds: 0 };
    const { db, services } = lyceum.host;
    const jobs = services.host(Jobs);
    const [running, pending] = await db.transaction(async (trx) => [
      await jobs.enqueue(trx, hold),
      await jobs.enqueue(trx, { ...hold, startAfterSeconds: 3600 }),
    ]);
    const never = new AbortController().signal;
    while ((await jobs.find(running?.job_id ?? ''))?.phase !== 'holding') {
      await jobs.wait(running?.job_id ?? '', 5, never);
    }
    const { body } = await admin.delete(`${sites}/${site.blog_id}?drop_tables=false`).expect(200);
    expect(body.job_id).to.equal(null);
    expect((await jobs.find(pending?.job_id ?? ''))?.status).to.equal('cancelled');
    let held = await jobs.find(running?.job_id ?? '');
    while (held?.completed_at === null) held = await jobs.wait(running?.job_id ?? '', 10, never);
    expect(held?.status).to.equal('cancelled');

    const second = await lyceum.make.site();
    const there = { blog_id: second.blog_id, network_id: 1 };
    const last = await db.transaction((trx) => jobs.enqueue(trx, { ...hold, site: there }));
    while ((await jobs.find(last.job_id))?.phase !== 'holding') await jobs.wait(last.job_id, 5, never);
    const removed = await admin.delete(`${sites}/${second.blog_id}`).expect(200);
    expect((await endOfJob(admin, removed.body.job_id)).status).to.equal('completed');
    expect(await tablesWith(lyceum, second.blog_id)).to.deep.equal([]);
    expect(await jobs.find(last.job_id)).to.equal(null);
  });

  it('shows the purge to who caused it, and lets nobody cancel it', async () => {
    const site = await lyceum.make.site();
    const { body } = await admin.delete(`${sites}/${site.blog_id}`).expect(200);
    const route = `svc/site-manager/v1/jobs/${body.job_id}`;
    expect((await admin.post(`${route}/cancel`).expect(409)).body.code).to.equal('job_not_cancellable');
    await endOfJob(admin, body.job_id);
    const listed = await admin.get('svc/site-manager/v1/jobs?type=site_manager.purge').expect(200);
    expect(listed.body.map((job: { job_id: string }) => job.job_id)).to.include(body.job_id);
    const manager = await lyceum.make.user({ role: 'administrator' });
    expect((await lyceum.as(manager).get(route).expect(403)).body.code).to.equal('forbidden');
    expect((await lyceum.as(manager).get('svc/site-manager/v1/jobs').expect(200)).body).to.deep.equal([]);
    const events = await admin.get(`${route}/events`).expect(200);
    expect(events.body.map((event: { phase: string }) => event.phase)).to.include('files');
    expect((await admin.get(`${route}?wait=31`).expect(400)).body.code).to.equal('rest_invalid_param');
    await lyceum
      .as(await lyceum.make.user({ role: 'editor' }))
      .get(route)
      .expect(403);
    await lyceum.anonymous.get(route).expect(401);
    await admin.get('svc/site-manager/v1/jobs/x').expect(404);
  });

  it('has one winner of two removals, and none beside a change', async () => {
    const site = await lyceum.make.site();
    const route = `${sites}/${site.blog_id}`;
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => admin.delete(route)),
      ...Array.from({ length: 6 }, (_none, n) => admin.patch(route, { title: `Title ${n}` })),
      ...Array.from({ length: 3 }, () => admin.post(`${route}/archive`)),
    ]);
    expect(answers.slice(0, 6).filter(({ status }) => status === 200)).to.have.length(1);
    for (const { status } of answers) expect(status).to.be.oneOf([200, 404]);
    await admin.get(route).expect(404);
    const audited = await admin.get(`svc/modules/v1/audit?action=site.delete&per_page=100`).expect(200);
    const mine = audited.body.filter((row: { subject: string }) => row.subject === `site:${site.blog_id}`);
    expect(mine).to.have.length(1);
  });

  it('leaves all as it was when a module refuses', async () => {
    const { body: site } = await admin.post(sites, { title: 'Precious', slug: 'precious' }).expect(201);
    const refused = await admin.delete(`${sites}/${site.blog_id}`).expect(409);
    expect(refused.body.code).to.equal('test_precious');
    expect((await admin.get(`${sites}/${site.blog_id}`).expect(200)).body).to.deep.equal(site);
    const { knex } = lyceum.host.db;
    expect(await knex('test_e_told').where({ site: site.blog_id }).first()).to.equal(undefined);
    expect(
      await knex('jobs')
        .whereRaw(`payload ->> 'blog_id' = ?`, [String(site.blog_id)])
        .first(),
    ).to.equal(undefined);
  });

  it('removes the very site through which it was asked, which bulk jobs survive too', async () => {
    const [site, next] = [await lyceum.make.site(), await lyceum.make.site()];
    const user = await lyceum.make.admin();
    const { body } = await lyceum.as(user, site).delete(`${sites}/${site.blog_id}`).expect(200);
    expect((await endOfJob(admin, body.job_id)).status).to.equal('completed');
    const started = await lyceum
      .as(user, next)
      .post(`${sites}/bulk`, { blog_ids: [next.blog_id], action: 'delete' })
      .expect(202);
    const bulk = await endOfJob(admin, started.body.job_id);
    expect(bulk.result).to.deep.include({ succeeded: [next.blog_id], failed: [] });
    await admin.get(`${sites}/${next.blog_id}`).expect(404);
  });

  it('refuses the main site, and what is no site', async () => {
    const before = await admin.get(`${sites}/1`).expect(200);
    expect((await admin.delete(`${sites}/1`).expect(403)).body.code).to.equal('main_site_forbidden');
    expect((await admin.get(`${sites}/1`).expect(200)).body).to.deep.equal(before.body);
    for (const id of ['99999', '0', 'x', '1.5']) {
      expect((await admin.delete(`${sites}/${id}`).expect(404)).body.code).to.equal('site_not_found');
    }
    const network = await lyceum.make.network();
    const foreign = await admin.delete(`${sites}/${network.blog_id}`).expect(404);
    expect(foreign.body).to.deep.include({ code: 'site_not_in_network', message: 'Site not found.' });
  });

  it('asks for manage_network, and for a boolean', async () => {
    const site = await lyceum.make.site();
    const route = `${sites}/${site.blog_id}`;
    const own = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    await lyceum.as(own, site).delete(route).expect(403);
    await lyceum.as(own).delete(route).expect(403);
    await lyceum.anonymous.delete(route).expect(401);
    for (const [query, body] of [
      ['?drop_tables=maybe', undefined],
      ['', { drop_tables: 'false' }],
      ['?drop_tables=true', { drop_tables: false }],
    ] as const) {
      const { body: answer } = await admin.delete(`${route}${query}`, body).expect(400);
      expect(answer.code).to.equal('rest_invalid_param');
      expect(answer.data.params).to.have.property('drop_tables');
    }
    await admin.get(route).expect(200);
  });
});
