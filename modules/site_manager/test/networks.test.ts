import {
  type Client,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';
const categories = 'svc/site-manager/v1/categories';

describe('site_manager: networks are apart', () => {
  let lyceum: TestHost;
  let first: Client;
  let second: Client;
  let network: TestSite & { readonly network_id: number };
  let own: TestUser;
  let theirs: {
    readonly site: number;
    readonly category: number;
    readonly status: number;
    readonly user: TestUser;
  };
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    network = await lyceum.make.network('second.test');
    own = await lyceum.make.user({ superAdminOf: network.network_id });
    first = lyceum.as(await lyceum.make.admin());
    second = lyceum.as(own, network);
    const { body } = await first.post(sites, { title: 'Theirs', slug: 'theirs' }).expect(201);
    theirs = {
      site: body.blog_id,
      category: (await first.post(categories, { name: 'Their category' }).expect(201)).body.id,
      status: (await first.post('svc/site-manager/v1/statuses', { name: 'Their status' }).expect(201)).body
        .id,
      user: await lyceum.make.user({ role: 'author', site: body.blog_id }),
    };
  });
  after(() => lyceum.stop());

  it('gives both networks a site of the same slug', async () => {
    const [a, b] = await Promise.all([
      first.post(sites, { title: 'Lab', slug: 'lab' }),
      second.post(sites, { title: 'Lab', slug: 'lab' }),
    ]);
    expect([a.status, b.status]).to.deep.equal([201, 201]);
    expect(b.body).to.deep.include({ domain: 'second.test', path: '/lab/', network_id: network.network_id });
    const slug = await second.get(`${sites}/slug-availability?slug=theirs`).expect(200);
    expect(slug.body).to.deep.include({ available: true, domain: 'second.test', path: '/theirs/' });
  });

  it('shows only sites, categories and statuses of the own network', async () => {
    const listed = await second.get(`${sites}?per_page=100`).expect(200);
    for (const site of listed.body) expect(site.network_id).to.equal(network.network_id);
    expect(await second.get(`${sites}?search=Theirs`).then(({ body }) => body)).to.deep.equal([]);
    expect((await second.get(`${sites}?user_id=${theirs.user.id}`).expect(200)).body).to.deep.equal([]);
    expect((await second.get(`${sites}?category_id=${theirs.category}`).expect(200)).body).to.deep.equal([]);
    const names = (await second.get(categories).expect(200)).body.map((term: { name: string }) => term.name);
    expect(names).to.deep.equal(['General']);
    expect((await second.get('svc/site-manager/v1/statuses').expect(200)).body).to.deep.equal([]);
  });

  it('answers every route of a site of another network with one 404 that tells nothing', async () => {
    for (const id of [1, theirs.site]) {
      const at = `${sites}/${id}`;
      const answers = [
        await second.get(at),
        await second.get(`${at}?include=stats`),
        await second.patch(at, { title: 'Mine' }),
        await second.post(`${at}/archive`),
        await second.post(`${at}/unarchive`),
        await second.post(`${at}/activate`),
        await second.post(`${at}/deactivate`),
        await second.get(`${at}/users`),
        await second.post(`${at}/users`, { user_id: own.id }),
        await second.delete(`${at}/users/${theirs.user.id}`),
      ];
      for (const { status, body } of answers) {
        expect(status).to.equal(404);
        const data = { status: 404 };
        expect(body).to.deep.equal({ code: 'site_not_in_network', message: 'Site not found.', data });
      }
    }
    expect((await first.get(`${sites}/${theirs.site}`).expect(200)).body.title).to.equal('Theirs');
    expect((await first.get(`${sites}/${theirs.site}/users`).expect(200)).body).to.have.length(2);
  });

  it('knows no term of another network', async () => {
    const root = `${sites}/${network.blog_id}`;
    for (const change of [{ category_ids: [theirs.category] }, { status_id: theirs.status }]) {
      expect((await second.patch(root, change).expect(404)).body.code).to.equal('term_not_found');
      const body = { title: 'x', slug: 'borrowed', ...change };
      expect((await second.post(sites, body).expect(404)).body.code).to.equal('term_not_found');
    }
    const term = `${categories}/${theirs.category}`;
    expect((await second.patch(term, { name: 'Mine' }).expect(404)).body.code).to.equal('term_not_found');
    expect((await second.delete(term).expect(404)).body.code).to.equal('term_not_found');
    const below = await second.post(categories, { name: 'Below', parent_id: theirs.category }).expect(400);
    expect(below.body.code).to.equal('rest_invalid_param');
    expect((await second.post(categories, { name: 'Their category' }).expect(201)).body.slug).to.equal(
      'their-category',
    );
  });

  it('shows nobody whom only the other network knows, unless his e-mail was known before', async () => {
    const members = `${sites}/${network.blog_id}/users`;
    const { id, login, email } = theirs.user;
    const refused = [
      await second.post(members, { user_id: id }),
      await second.post(members, { login }),
      await second.post(sites, { title: 'x', slug: 'stranger', user_id: id }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.code]).to.deep.equal([404, 'user_not_found']);
    }
    expect((await second.get(members).expect(200)).text).not.to.include(email);
    expect((await second.post(members, { email }).expect(201)).body.id).to.equal(id);
    await second.post(members, { user_id: id, role: 'author' }).expect(200);
    const local = await lyceum.make.user({ superAdminOf: network.network_id });
    await first.post(`${sites}/${theirs.site}/users`, { user_id: local.id }).expect(201);
  });

  it('frees the slug of no site of another network', async () => {
    const nested = await lyceum.make.network('localhost', '/nested/');
    const asked = `${sites}/slug-availability?slug=nested&blog_id=`;
    const answer = await first.get(`${asked}${nested.blog_id}`).expect(200);
    expect(answer.body).to.include({ available: false, reason: 'taken' });
  });

  it('keeps its own settings', async () => {
    const settings = 'svc/modules/v1/modules/site_manager/settings';
    await second.patch(settings, { settings: { reserved_slugs: ['kept'] } }).expect(200);
    await second.post(sites, { title: 'x', slug: 'kept' }).expect(400);
    await first.post(sites, { title: 'x', slug: 'kept' }).expect(201);
  });

  it('gives a super admin nothing on the network of another', async () => {
    const stranger = lyceum.as(own);
    for (const route of [sites, `${sites}/1`, `${sites}/1/users`, categories])
      await stranger.get(route).expect(403);
    await stranger.post(sites, { title: 'x', slug: 'x' }).expect(403);
    await stranger.post(`${sites}/${theirs.site}/deactivate`).expect(403);
    const member = await lyceum.make.user({ role: 'administrator', site: theirs.site });
    expect((await lyceum.as(member, network).post(`${sites}/${theirs.site}/deactivate`)).status).to.equal(
      403,
    );
  });

  it('protects the main site of each network', async () => {
    const archived = await second.post(`${sites}/${network.blog_id}/archive`).expect(403);
    expect(archived.body.code).to.equal('main_site_forbidden');
    const slug = await second.patch(`${sites}/${network.blog_id}`, { slug: 'a' }).expect(403);
    expect(slug.body.code).to.equal('main_site_slug_forbidden');
  });
});
