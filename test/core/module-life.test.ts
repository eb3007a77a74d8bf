import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { Storage } from '../../core/files/storage.ts';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';

const modules = 'svc/modules/v1/modules';
const life = path.join(import.meta.dirname, 'life-packages');

describe('the life of a module', () => {
  const hosts: TestHost[] = [];
  const folders: string[] = [];
  /** The installation with one version of the package. */
  const boot = async (
    version: 'one' | 'two' | 'default_on',
    ids = ['test_life'],
    workers: 'inline' | 'off' = 'inline',
  ): Promise<TestHost> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lyceum-life-'));
    folders.push(folder);
    await cp(path.join(life, version), path.join(folder, 'life'), { recursive: true });
    const [beside] = hosts;
    const host = await startTestHost({
      modules: ['site_manager', ...ids],
      folders: [folder],
      config: { workers },
      ...(beside ? { beside } : {}),
    });
    hosts.push(host);
    return host;
  };
  afterEach(async () => {
    for (const host of hosts.splice(0).reverse()) await host.stop();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  const adminOf = async (host: TestHost): Promise<Client> => host.as(await host.make.admin());
  const met = async (): Promise<number[]> =>
    (await hosts[0]?.host.db.knex('test_life').orderBy('blog_id').pluck('blog_id')) as number[];
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await soon();
  };

  it('goes on with a later version, and refuses an earlier one after it', async () => {
    const first = await boot('one');
    const state = () => first.host.db.knex('module_state').where('id', 'test_life').first();
    expect(await state()).to.deep.include({ version: '1.0.0', migrated_to: '001-life' });
    const second = await boot('two');
    expect(await state()).to.deep.include({ version: '2.0.0', migrated_to: '002-more' });
    expect((await (await adminOf(second)).get(`${modules}/test_life`).expect(200)).body.error).to.equal(null);
    const third = await boot('one');
    const admin = await adminOf(third);
    const { body } = await admin.get(`${modules}/test_life`).expect(200);
    expect(body.error.code).to.equal('migration_failed');
    expect(body.error.message).to.equal(
      'Migration 002-more: ran already, and this version of the package does not know it. A later one (2.0.0) was installed here: install that one, or one after it.',
    );
    const refused = await admin.put(`${modules}/test_life`, { enabled: true }).expect(403);
    expect(refused.body.data).to.deep.include({ reason: 'condition', condition: 'loaded' });
    expect(await state()).to.deep.include({ version: '2.0.0' });
  });

  it('begins with the sites that are there, once each, whatever is switched', async () => {
    const host = await boot('one');
    const admin = await adminOf(host);
    const sites = await Promise.all(['a', 'b', 'c'].map((slug) => host.make.site(slug)));
    const before = await met();
    await admin.put(`${modules}/test_life`, { enabled: true }).expect(200);
    await until(async () => (await met()).length >= before.length + 1);
    await until(async () => (await met()).length === sites.length + 1);
    await admin.put(`${modules}/test_life`, { enabled: false }).expect(200);
    await admin.post('svc/site-manager/v1/sites', { title: 'While off', slug: 'off' }).expect(201);
    await admin.put(`${modules}/test_life`, { enabled: true }).expect(200);
    await admin.post('svc/site-manager/v1/sites', { title: 'While on', slug: 'on' }).expect(201);
    await until(
      async () =>
        !(await host.host.db.knex('jobs').where('module', 'test_life').whereNull('completed_at').first()),
    );
    // The primary key of the table refuses a second time.
    expect(await met()).to.have.length(sites.length + 3);
    expect(await host.host.db.knex('jobs').where({ module: 'test_life', status: 'failed' })).to.deep.equal(
      [],
    );
  });

  it('begins with one site where it is switched on for one', async () => {
    const host = await boot('one');
    const admin = await adminOf(host);
    await host.host.db.knex('module_sites').delete();
    await host.host.db.knex('test_life').delete();
    const site = await host.make.site('only');
    await host.host.db.knex('module_sites').delete();
    await host.host.db.knex('test_life').delete();
    await admin
      .put(`${modules}/test_life?blog_id=${site.blog_id}`, { enabled: true, scope: 'site' })
      .expect(200);
    await until(async () => (await met()).length > 0);
    expect(await met()).to.deep.equal([site.blog_id]);
  });

  it('begins with all sites where it is on by itself', async () => {
    // Jobs are for processes that have the package.
    const host = await boot('one', ['test_life'], 'off');
    await host.make.site('x');
    await boot('default_on', ['test_life_on']);
    const rows = async (): Promise<number[]> =>
      (await host.host.db.knex('test_life_on').orderBy('blog_id').pluck('blog_id')) as number[];
    await until(async () => (await rows()).length === 2);
  });

  it('does not keep others from having new sites when it crashes, and meets them when it can', async () => {
    const host = await boot('one');
    const { knex } = host.host.db;
    const admin = await adminOf(host);
    await admin.put(`${modules}/test_life`, { enabled: true }).expect(200);
    await until(async () => (await met()).includes(1));
    await knex.raw('alter table test_life rename to test_life_away');
    const made = await admin.post('svc/site-manager/v1/sites', { title: 'New', slug: 'new' }).expect(201);
    await until(async () => (await knex('module_crashes')).length > 0);
    const places = (await knex('module_crashes').pluck('place')) as string[];
    expect(places[0]).to.equal('onSiteCreated');
    await knex.raw('alter table test_life_away rename to test_life');
    await knex('jobs').where({ type: 'test_life.meet-site', status: 'failed' }).delete();
    await knex('module_sites').where('blog_id', made.body.blog_id).delete();
    await admin.put(`${modules}/test_life`, { enabled: false }).expect(200);
    await admin.put(`${modules}/test_life`, { enabled: true }).expect(200);
    await until(async () => (await met()).includes(made.body.blog_id));
  });

  it('ends with the site: its rows and files go, also when its package is gone', async () => {
    const host = await boot('one');
    const site = await host.make.site('gone');
    const { knex } = host.host.db;
    await knex('test_life').insert([{ blog_id: site.blog_id }, { blog_id: 1 }]);
    await knex('module_sites').insert({ module: 'test_life', blog_id: site.blog_id });
    const key = `sites/${site.blog_id}/life/note.txt`;
    const storage = host.host.services.host(Storage);
    await storage.write(key, Readable.from([Buffer.from('x')]), { limit: 9, contentType: 'text/plain' });
    const without = await startTestHost({
      modules: ['site_manager'],
      config: { workers: 'inline' },
      beside: host,
    });
    hosts.push(without);
    const admin = await adminOf(without);
    const { body } = await admin.delete(`svc/site-manager/v1/sites/${site.blog_id}`).expect(200);
    await until(async () => (await knex('jobs').where('job_id', body.job_id).first()).completed_at !== null);
    expect(await met()).to.deep.equal([1]);
    expect(await knex('module_sites').where('blog_id', site.blog_id)).to.deep.equal([]);
    expect(await storage.stat(key)).to.equal(null);
  });
});
