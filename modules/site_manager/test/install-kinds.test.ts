import { startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: sites as sub-domains', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({
      modules: ['site_manager'],
      database: 'empty',
      config: { multisite: 'subdomain', baseUrl: new URL('https://school.example/') },
    });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const at = (domain: string) => lyceum.as(admin, { domain, path: '/' });
  const home = () => at('school.example');

  it('creates a site below the domain of the network, served by its Host', async () => {
    const { body } = await home().post(sites, { title: 'Lab', slug: 'lab' }).expect(201);
    expect(body).to.deep.include({
      slug: 'lab',
      domain: 'lab.school.example',
      path: '/',
      site_url: 'https://lab.school.example/',
      admin_url: 'https://lab.school.example/console/',
    });
    const index = await at('LAB.school.example').get('').expect(200);
    expect(index.body).to.deep.include({ blog_id: body.blog_id, multisite: 'subdomain' });
    expect((await at('lab.school.example').get(`${sites}/1`).expect(200)).body.is_main_site).to.equal(true);
    await at('lab.school.example').get('lab/api/').expect(404);
    const again = await home().post(sites, { title: 'Lab', slug: 'lab' }).expect(409);
    expect(again.body.code).to.equal('site_exists');
  });

  it('answers 404 to a Host that no site has', async () => {
    for (const host of ['other.school.example', 'school.example.evil', 'evil']) {
      expect((await at(host).get('').expect(404)).body.code, host).to.equal('site_not_found');
    }
  });

  it('moves a site to another sub-domain at once', async () => {
    const { body } = await home().post(sites, { title: 'Old', slug: 'old' }).expect(201);
    const moved = await home().patch(`${sites}/${body.blog_id}`, { slug: 'new' }).expect(200);
    expect(moved.body).to.deep.include({ domain: 'new.school.example', path: '/', slug: 'new' });
    expect((await at('new.school.example').get('').expect(200)).body.blog_id).to.equal(body.blog_id);
    await at('old.school.example').get('').expect(404);
  });

  it('says where a slug would lie', async () => {
    const ask = async (slug: string) =>
      (await home().get(`${sites}/slug-availability?slug=${slug}`).expect(200)).body;
    expect(await ask('fresh')).to.deep.include({
      available: true,
      domain: 'fresh.school.example',
      path: '/',
    });
    expect(await ask('lab')).to.deep.include({ reason: 'taken', suggestion: 'lab-2' });
    expect(await ask('www')).to.deep.include({ reason: 'reserved', suggestion: 'www-2' });
  });
});

describe('site_manager: the limit of host names', () => {
  it('refuses a slug that would make a name of more than 253 characters', async () => {
    const domain = `${'a'.repeat(60)}.`.repeat(4).slice(0, 240);
    const lyceum = await startTestHost({
      modules: ['site_manager'],
      database: 'empty',
      config: { multisite: 'subdomain', baseUrl: new URL(`http://${domain}/`) },
    });
    try {
      const home = lyceum.as(await lyceum.make.admin(), { domain, path: '/' });
      await home.post(sites, { title: 'x', slug: 'twelve-signs' }).expect(201);
      const long = await home.post(sites, { title: 'x', slug: 'thirteen-sign' }).expect(400);
      expect(long.body.data.reason).to.equal('too_long');
      const { body } = await home.get(`${sites}/slug-availability?slug=twelve-signs`).expect(200);
      expect(body).to.deep.include({ reason: 'taken', suggestion: 'twelve-sig-2' });
    } finally {
      await lyceum.stop();
    }
  });
});

describe('site_manager: an installation of one site', () => {
  it('is for nobody', async () => {
    const lyceum = await startTestHost({ modules: ['site_manager'], config: { multisite: 'off' } });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      const routes = [
        ['get', sites],
        ['post', sites],
        ['get', `${sites}/slug-availability`],
        ['get', `${sites}/1`],
        ['patch', `${sites}/1`],
        ['delete', `${sites}/1`],
        ['get', `${sites}/removed`],
        ['post', `${sites}/1/restore`],
        ['post', `${sites}/bulk`],
        ['post', `${sites}/1/archive`],
        ['post', `${sites}/1/unarchive`],
        ['post', `${sites}/1/activate`],
        ['get', `${sites}/1/users`],
        ['post', `${sites}/1/users`],
        ['delete', `${sites}/1/users/1`],
        ['get', 'svc/site-manager/v1/categories'],
        ['post', 'svc/site-manager/v1/statuses'],
      ] as const;
      for (const [method, route] of routes) {
        const answer = await admin[method](route).expect(403);
        expect(answer.body.code, `${method} ${route}`).to.equal('rest_forbidden');
      }
      expect((await admin.get('svc/site-manager/v1/jobs').expect(200)).body).to.deep.equal([]);
      const deactivated = await admin.post(`${sites}/1/deactivate`).expect(403);
      expect(deactivated.body.code).to.equal('main_site_forbidden');
    } finally {
      await lyceum.stop();
    }
  });
});
