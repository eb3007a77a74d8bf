import { Readable } from 'node:stream';
import { Storage } from '@lyceum/core';
import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modulesRoute } from './lyceum.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const data = (id: string, confirm = id): string => `${modulesRoute}/${id}/data?confirm=${confirm}`;

describe('modules: removing the data of a module', () => {
  let lyceum: TestHost;
  let admin: Client;
  const boot = (modules: readonly string[], beside?: TestHost): Promise<TestHost> =>
    startTestHost({
      modules: [...modules, 'site_manager', 'lms'],
      folders: [packages],
      config: { workers: 'inline' },
      ...(beside ? { beside } : {}),
    });

  beforeEach(async () => {
    lyceum = await boot(['test_shed', 'test_parent']);
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const enable = (enabled: boolean) => admin.put(`${modulesRoute}/test_shed`, { enabled }).expect(200);
  const names = async (blogId: number): Promise<string[]> =>
    (await lyceum.host.db.knex('shed_tools').where('blog_id', blogId).pluck('name')) as string[];
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is nothing that could be asked of the host itself', async () => {
    const steps = async (): Promise<number> =>
      (await lyceum.host.db.knex('migrations').where('module', 'core')).length;
    const before = await steps();
    expect(before).to.be.greaterThan(0);
    expect((await admin.delete(data('core')).expect(404)).body.code).to.equal('module_not_found');
    expect(await steps()).to.equal(before);
  });

  it('takes tables, steps, settings, records, meta, jobs and files, and nothing of others', async () => {
    const { knex } = lyceum.host.db;
    const storage = lyceum.host.services.host(Storage);
    await enable(true);
    await until(async () => (await names(1)).length === 1);
    await admin
      .patch(`${modulesRoute}/test_shed/settings`, { settings: { size: 3, place: 'yard' } })
      .expect(200);
    await admin
      .patch(`${modulesRoute}/modules/settings`, { settings: { no_override: ['nothing'] } })
      .expect(200);
    const tool = await admin.post('svc/host/v1/posts', { type: 'tool', title: 'Saw' }).expect(201);
    const post = await admin
      .post('svc/host/v1/posts', { type: 'post', title: 'Note', meta: { shed_mark: 'x' } })
      .expect(201);
    expect(post.body.meta.shed_mark).to.equal('x');
    const term = await admin.post('svc/host/v1/terms', { taxonomy: 'tool_kind', name: 'Sharp' }).expect(201);
    const write = async (key: string): Promise<void> => {
      await storage.write(key, Readable.from([Buffer.from('x')]), { limit: 9, contentType: 'text/plain' });
    };
    const [row] = await knex('shed_tools')
      .insert({ blog_id: 1, name: 'axe', file_key: 'sites/1/media/axe.txt' })
      .returning('id');
    const files = ['sites/1/media/axe.txt', `sites/1/shed/${row.id}/a`, `sites/1/shed/${row.id}/b/c`];
    await Promise.all([...files, 'sites/1/media/other.txt'].map(write));
    const { body: job } = await admin.post('test/shed/v1/jobs').expect(200);
    await until(async () => (await knex('jobs').where('job_id', job.job_id).first()).status === 'running');

    const on = await admin.delete(data('test_shed')).expect(409);
    expect(on.body).to.deep.include({ code: 'module_data_in_use' });
    expect(on.body.data).to.deep.equal({ status: 409, reason: 'enabled', networks: [1], sites: 0 });
    await enable(false);
    const busy = await admin.delete(data('test_shed')).expect(409);
    expect(busy.body.data).to.deep.equal({ status: 409, reason: 'jobs', jobs: 1 });
    await admin.post(`svc/host/v1/jobs/${job.job_id}/cancel`).expect(200);
    await until(async () => (await knex('jobs').where('job_id', job.job_id).first()).completed_at !== null);

    const { body } = await admin.delete(data('test_shed')).expect(200);
    expect(body).to.deep.include({
      id: 'test_shed',
      tables: ['shed_names', 'shed_tools'],
      migrations: 2,
      settings: 2,
      posts: 1,
      terms: 1,
      meta: 1,
      files: 3,
    });
    expect(body.jobs).to.be.at.least(3);
    expect(await knex('shed_tools')).to.deep.equal([]);
    expect(await knex('posts').where('id', tool.body.id)).to.deep.equal([]);
    expect(await knex('terms').where('id', term.body.id)).to.deep.equal([]);
    expect((await admin.get(`svc/host/v1/posts/${post.body.id}`).expect(200)).body.meta).not.to.have.property(
      'shed_mark',
    );
    expect(await knex('jobs').where('module', 'test_shed')).to.deep.equal([]);
    expect(await knex('module_sites').where('module', 'test_shed')).to.deep.equal([]);
    const { body: settings } = await admin.get(`${modulesRoute}/test_shed/settings`).expect(200);
    expect(settings.settings).to.deep.equal({ size: 1, place: '' });
    const others = await admin.get(`${modulesRoute}/modules/settings`).expect(200);
    expect(others.body.settings.no_override).to.deep.equal(['nothing']);
    const there = async (key: string): Promise<boolean> => (await storage.stat(key)) !== null;
    await until(async () => !(await Promise.all(files.map(there))).includes(true));
    expect(await there('sites/1/media/other.txt')).to.equal(true);

    const { body: rows } = await admin.get('svc/modules/v1/audit?action=module.data').expect(200);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      subject: 'module:test_shed',
      user_login: 'admin',
      to: null,
      from: body,
    });

    // It is as on its first day.
    expect((await admin.get(`${modulesRoute}/test_shed`).expect(200)).body).to.deep.include({
      enabled: false,
      error: null,
    });
    await enable(true);
    await until(async () => (await names(1)).length === 1);
    await enable(false);
    const again = await admin.delete(data('test_shed')).expect(200);
    expect(again.body).to.deep.include({ tables: ['shed_names', 'shed_tools'], migrations: 2, posts: 0 });
  });

  it('takes those of a package that is gone, as far as they are known', async () => {
    await enable(true);
    await until(async () => (await names(1)).length === 1);
    await admin.patch(`${modulesRoute}/test_shed/settings`, { settings: { size: 3 } }).expect(200);
    const without = await boot(['test_parent'], lyceum);
    try {
      const client = without.as(await lyceum.make.admin());
      await client.get(`${modulesRoute}/test_shed`).expect(404);
      const { body } = await client.delete(data('test_shed')).expect(200);
      expect(body).to.deep.include({ tables: ['shed_names', 'shed_tools'], migrations: 2, settings: 1 });
      const { rows } = await without.host.db.knex.raw(`select to_regclass('shed_tools') as found`);
      expect(rows[0].found).to.equal(null);
      await client.delete(data('test_shed')).expect(404);
    } finally {
      await without.stop();
    }
  });

  it('takes nothing to which others refer', async () => {
    const { knex } = lyceum.host.db;
    await knex.raw('create table shed_guest (tool_id integer references shed_tools)');
    const answer = await admin.delete(data('test_shed')).expect(409);
    expect(answer.body.data).to.deep.equal({ status: 409, reason: 'referred_to' });
    expect(await knex('migrations').where('module', 'test_shed')).to.have.length(2);
  });

  it('is never mixed with a toggle, whatever races', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [removed, switched] = await Promise.all([
        admin.delete(data('test_shed')),
        admin.put(`${modulesRoute}/test_shed`, { enabled: true }),
      ]);
      expect(removed.status).to.be.oneOf([200, 409]);
      expect(switched.status).to.equal(200);
      await until(async () => (await names(1)).length === 1);
      await enable(false);
    }
  });

  it('is for super admins of the first network, and wants the id twice', async () => {
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await lyceum.anonymous.delete(data('test_shed')).expect(401);
    await owner.delete(data('test_shed')).expect(403);
    const missing = await admin.delete(`${modulesRoute}/test_shed/data`).expect(400);
    expect(missing.body).to.deep.include({ code: 'rest_missing_callback_param' });
    const wrong = await admin.delete(data('test_shed', 'shed')).expect(400);
    expect(wrong.body.data.params).to.have.all.keys('confirm');
    for (const id of ['nothing', 'Test_shed', '__proto__']) {
      expect((await admin.delete(data(id)).expect(404)).body.code).to.equal('module_not_found');
    }
    const locked = await admin.delete(data('host')).expect(403);
    expect(locked.body.data).to.deep.equal({ status: 403, reason: 'locked' });
  });
});
