import path from 'node:path';
import { countStatements, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: what a new site begins with', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['site_manager', 'test_new_sites'],
      folders: [path.join(import.meta.dirname, 'packages')],
    });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const create = async (slug: string, more: object = {}) =>
    (
      await lyceum
        .as(admin)
        .post(sites, { title: `Site ${slug}`, slug, ...more })
        .expect(201)
    ).body;
  const configure = (body: object) => lyceum.as(admin).patch('svc/host/v1/settings', body).expect(200);
  it('has the options of its administrator and of the main site', async () => {
    const ann = await lyceum.make.user();
    const regional = {
      timezone: 'Europe/Riga',
      date_format: 'Y-m-d',
      default_lang: 'lv',
      languages: ['lv', 'en'],
    };
    const allowed_origins = ['https://app.example'];
    await configure({ site: { ...regional, allowed_origins } });
    const site = await create('optioned', { user_id: ann.id, description: 'About' });
    const settings = await lyceum.as(ann, site).get('svc/host/v1/settings').expect(200);
    expect(settings.body.site).to.deep.equal({
      ...regional,
      title: 'Site optioned',
      description: 'About',
      admin_email: ann.email,
      allowed_origins: [],
    });
    await configure({ site: { timezone: null, date_format: null, languages: null, default_lang: null } });
    const plain = await create('plain');
    const defaults = await lyceum.as(admin, plain).get('svc/host/v1/settings').expect(200);
    expect(defaults.body.site).to.deep.include({ timezone: 'UTC', admin_email: 'admin@example.test' });
  });

  it('has the first post that the network wants, and none otherwise', async () => {
    const posts = 'svc/host/v1/posts';
    const before = await create('postless');
    expect((await lyceum.as(admin, before).get(posts).expect(200)).body).to.deep.equal([]);
    const ann = await lyceum.make.user();
    await configure({ network: { first_post: '<p>Welcome, <b>all</b>.</p>' } });
    const site = await create('posted', { user_id: ann.id });
    const { body } = await lyceum.as(ann, site).get(`${posts}?include=content`).expect(200);
    expect(body).to.have.length(1);
    expect(body[0]).to.deep.include({
      blog_id: site.blog_id,
      type: 'post',
      status: 'publish',
      author_id: ann.id,
      content: '<p>Welcome, <b>all</b>.</p>',
      lang: 'en',
    });
    const read = await lyceum.as(admin).get(`${sites}/${site.blog_id}`).expect(200);
    expect(read.body).to.deep.equal(site);
    await configure({ network: { first_post: null } });
  });

  it('is told to every module in its transaction, which a module may undo', async () => {
    const site = await create('told');
    const { knex } = lyceum.host.db;
    const told = await knex('site_options')
      .where({ blog_id: site.blog_id, name: 'test_told' })
      .first('value');
    expect(told.value).to.equal(1);
    const body = { title: 'x', slug: 'refused' };
    expect((await lyceum.as(admin).post(sites, body).expect(409)).body.code).to.equal('test_site_refused');
    expect(await knex('sites').where({ slug: 'refused' }).first()).to.equal(undefined);
    const audited = await lyceum.as(admin).get('svc/modules/v1/audit?action=site.create').expect(200);
    expect(audited.body.map((row: { to: { path: string } }) => row.to.path)).not.to.include('/refused/');
  });

  it('does not take what a module serves', async () => {
    const { body } = await lyceum.as(admin).post(sites, { title: 'x', slug: 'shop' }).expect(400);
    expect(body.data.reason).to.equal('reserved');
  });

  it('costs as many statements among 10,000 sites as among few', async () => {
    const { knex } = lyceum.host.db;
    let next = 0;
    const cost = (): Promise<number> => {
      next += 1;
      return countStatements(() => create(`cost-${next}`));
    };
    await cost();
    const few = await cost();
    await knex.raw(`insert into sites (network_id, domain, path, slug, title)
      select 1, 'localhost', '/many-' || n || '/', 'many-' || n, 'Many' from generate_series(1, 10000) n`);
    expect(await cost()).to.equal(few);
    // Three of them for the one module that meets sites: what it does can be undone alone, and is done once.
    expect(few).to.be.at.most(11);
  });
});
