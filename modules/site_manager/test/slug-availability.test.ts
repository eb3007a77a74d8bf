import { startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/site-manager/v1/sites/slug-availability';

describe('site_manager: availability of slugs', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const ask = async (query: string) => (await lyceum.as(admin).get(`${route}?${query}`).expect(200)).body;

  it('says whether a slug is free and what would be', async () => {
    expect(await ask('slug=Lab%20One')).to.deep.equal({
      slug: 'lab-one',
      available: true,
      reason: null,
      domain: 'localhost',
      path: '/lab-one/',
      suggestion: null,
    });
    const site = await lyceum.make.site('lab');
    expect(await ask('slug=lab')).to.deep.include({ available: false, reason: 'taken', suggestion: 'lab-2' });
    await lyceum.make.site('lab-2');
    await lyceum.make.site('lab-4');
    expect(await ask('slug=LAB')).to.deep.include({ slug: 'lab', suggestion: 'lab-3' });
    expect(await ask(`slug=lab&blog_id=${site.blog_id}`)).to.deep.include({ available: true, reason: null });
    expect(await ask('slug=lab&blog_id=99999')).to.deep.include({ available: false });
  });

  it('finds the next free number however many are taken', async () => {
    const { knex } = lyceum.host.db;
    await knex.raw(`insert into sites (network_id, domain, path, slug, title)
      select 1, 'localhost', '/' || slug || '/', slug, slug
      from (select 'many' as slug union select 'many-' || n from generate_series(2, 500) n) s`);
    expect(await ask('slug=many')).to.deep.include({ suggestion: 'many-501' });
  });

  it('counts a site in creation, but not a removed one', async () => {
    const { knex } = lyceum.host.db;
    const half = {
      network_id: 1,
      domain: 'localhost',
      path: '/half/',
      slug: 'half',
      title: '',
      state: 'creating',
    };
    await knex('sites').insert(half);
    expect(await ask('slug=half')).to.deep.include({ reason: 'taken' });
    const gone = {
      network_id: 1,
      domain: 'localhost',
      path: '/gone/',
      slug: 'gone',
      title: '',
      state: 'removed',
    };
    await knex('sites').insert(gone);
    expect(await ask('slug=gone')).to.deep.include({ available: true });
  });

  it('always answers 200 with the reason', async () => {
    expect(await ask('slug=')).to.deep.include({
      slug: '',
      available: false,
      reason: 'empty',
      suggestion: null,
    });
    expect(await ask('slug=---')).to.deep.include({ reason: 'empty' });
    expect(await ask('slug=api')).to.deep.include({ reason: 'reserved', suggestion: 'api-2' });
    const long = await ask(`slug=${'a'.repeat(64)}`);
    expect(long).to.deep.include({ reason: 'too_long', available: false, suggestion: null });
    const longest = 'c'.repeat(63);
    await lyceum.make.site(longest);
    expect(await ask(`slug=${longest}`)).to.deep.include({ suggestion: `${'c'.repeat(61)}-2` });
  });

  it('refuses bad queries and strangers', async () => {
    const missing = await lyceum.as(admin).get(route).expect(400);
    expect(missing.body.data.params).to.deep.equal(['slug']);
    await lyceum.as(admin).get(`${route}?slug=a&blog_id=x`).expect(400);
    await lyceum.anonymous.get(`${route}?slug=a`).expect(401);
    await lyceum
      .as(await lyceum.make.user({ role: 'administrator' }))
      .get(`${route}?slug=a`)
      .expect(403);
  });
});
