import { startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Installation, networks, startCommitted } from './network-kit.ts';

const sites = 'svc/site-manager/v1/sites';

describe('multi_network: routes of a committed setup', () => {
  it('are there while it is committed, in every process, and nowhere described before', async () => {
    const lyceum = await startTestHost({ modules: ['multi_network'] });
    const second = await startTestHost({ modules: ['multi_network'], beside: lyceum });
    try {
      const operator = lyceum.as(await lyceum.make.admin());
      const described = async (): Promise<boolean[]> => {
        const index = await second.anonymous.get('').expect(200);
        const description = await second.anonymous.get('openapi.json').expect(200);
        return [
          index.body.namespaces.includes('svc/multi-network/v1'),
          `/${networks}` in description.body.paths,
        ];
      };
      for (const client of [operator, second.as(await lyceum.make.admin())]) {
        expect((await client.get(networks).expect(404)).body.code).to.equal('rest_no_route');
        expect((await client.post(networks, {}).expect(404)).body.code).to.equal('rest_no_route');
        expect((await client.get(`${networks}/1`).expect(404)).body.code).to.equal('rest_no_route');
      }
      expect(await described()).to.deep.equal([false, false]);
      await operator.put('svc/modules/v1/multi-network', { committed: true }).expect(200);
      expect(await described()).to.deep.equal([true, true]);
      const listed = await second
        .as(await lyceum.make.admin())
        .get(networks)
        .expect(200);
      expect(listed.body).to.deep.equal([
        {
          network_id: 1,
          domain: 'localhost',
          path: '/',
          site_id: 1,
          site_name: 'Lyceum',
          network_name: 'Lyceum',
          admin_url: `http://localhost:${second.host.port}/console/network/`,
          site_url: `http://localhost:${second.host.port}/`,
        },
      ]);
      await operator.put('svc/modules/v1/multi-network', { committed: false }).expect(200);
      await operator.get(networks).expect(404);
    } finally {
      await second.stop();
      await lyceum.stop();
    }
  });
});

describe('multi_network: who sees which network', () => {
  let installation: Installation;
  before(async () => {
    installation = await startCommitted();
  });
  after(() => installation.lyceum.stop());

  /** A network with a super admin of its own, and his client there. */
  async function owned(domain: string) {
    const { create, lyceum } = installation;
    const user = await lyceum.make.user();
    const { body } = await create({ domain, user_id: user.id, options_to_clone: [] }).expect(201);
    return { user, network: body, client: lyceum.as(user, { domain, path: '/' }) };
  }
  const idsOf = (body: { network_id: number }[]): number[] => body.map((network) => network.network_id);

  it('lists all to super admins of the first network, paged and searched', async () => {
    const { operator, create } = installation;
    for (const name of ['Apple 100%', 'Pear', 'Plum']) {
      await create({
        domain: `${name.split(' ')[0]?.toLowerCase()}.fruit.example`,
        network_name: name,
      }).expect(201);
    }
    const all = await operator.get(`${networks}?per_page=100`).expect(200);
    expect(idsOf(all.body))
      .to.deep.equal([...idsOf(all.body)].sort((a, b) => a - b))
      .and.include(1);
    expect(all.headers['x-svc-total']).to.equal(String(all.body.length));
    const page = await operator.get(`${networks}?search=FRUIT.&per_page=2&page=2`).expect(200);
    expect(page.headers).to.deep.include({ 'x-svc-total': '3', 'x-svc-totalpages': '2' });
    expect(page.body.map((network: { network_name: string }) => network.network_name)).to.deep.equal([
      'Plum',
    ]);
    const named = await operator.get(`${networks}?search=0%25`).expect(200);
    expect(named.body.map((network: { domain: string }) => network.domain)).to.deep.equal([
      'apple.fruit.example',
    ]);
    await operator.get(`${networks}?page=0`).expect(400);
  });

  it('shows others those whose super admins they are, and tells nothing of the rest', async () => {
    const [a, b] = [await owned('a.seen.example'), await owned('b.seen.example')];
    expect(idsOf((await a.client.get(networks).expect(200)).body)).to.deep.equal([a.network.network_id]);
    expect((await a.client.get(`${networks}?search=b.seen`).expect(200)).body).to.deep.equal([]);
    await a.client.get(`${networks}/${a.network.network_id}`).expect(200);
    for (const id of [1, b.network.network_id, 99_999, 0, -1, 'x', '1.0', 99_999_999_999]) {
      const { body } = await a.client.get(`${networks}/${id}`).expect(404);
      const data = { status: 404 };
      expect(body, String(id)).to.deep.equal({
        code: 'network_not_found',
        message: 'Network not found.',
        data,
      });
    }
    for (const clone_network_id of [1, b.network.network_id, 99_999, 0, -5, 99_999_999_999]) {
      const body = { domain: 'cloned.example', path: '/', site_name: 'x', clone_network_id };
      expect((await a.client.post(networks, body).expect(404)).body.code).to.equal('network_not_found');
    }
  });

  it('lets a super admin of any network create, by the settings of the first', async () => {
    const { operator } = installation;
    const { client, user, network } = await owned('creator.example');
    const settings = 'svc/modules/v1/modules/multi_network/settings';
    await client.patch(settings, { settings: { creation_enabled: false, max_networks: 1 } }).expect(200);
    const { body } = await client
      .post(networks, { domain: 'child.example', path: '/', site_name: 'Child' })
      .expect(201);
    const seen = await client.get(networks).expect(200);
    expect(idsOf(seen.body)).to.deep.equal([network.network_id, body.network_id]);
    const admins = await installation.lyceum.host.db
      .knex('super_admins')
      .where({ network_id: body.network_id });
    expect(admins.map((row) => row.user_id)).to.deep.equal([user.id]);
    await operator.patch(settings, { settings: { creation_enabled: false } }).expect(200);
    const refused = await client
      .post(networks, { domain: 'late.example', path: '/', site_name: 'x' })
      .expect(503);
    expect(refused.body.code).to.equal('multi_network_not_ready');
    await operator.patch(settings, { settings: { creation_enabled: null } }).expect(200);
  });

  it('gives a super admin of one network nothing on another', async () => {
    const { lyceum, admin } = installation;
    const { client, user } = await owned('apart.example');
    expect((await client.get(`${sites}/1`).expect(404)).body.code).to.equal('site_not_in_network');
    for (const route of ['posts', 'users', 'settings', 'media', 'terms?taxonomy=tag']) {
      const query = route.includes('?') ? '&' : '?';
      const { body } = await client.get(`svc/host/v1/${route}${query}blog_id=1`).expect(404);
      expect(body.code, route).to.equal('unknown_blog');
    }
    const people = await client.get('svc/host/v1/users?network=true&per_page=100').expect(200);
    expect(JSON.stringify(people.body)).not.to.include(admin.email);
    const there = lyceum.as(user);
    for (const route of [networks, `${networks}/1`, sites]) await there.get(route).expect(403);
    expect((await there.get('svc/host/v1/users/me').expect(200)).body).to.deep.include({
      role: null,
      super_admin: false,
    });
    const [one, two] = await Promise.all([
      client.post(sites, { title: 'Lab', slug: 'lab' }),
      installation.operator.post(sites, { title: 'Lab', slug: 'lab' }),
    ]);
    expect([one.status, two.status]).to.deep.equal([201, 201]);
  });

  it('gives a network to nobody whom the caller does not know', async () => {
    const { admin, operator } = installation;
    const { client, user } = await owned('strangers.example');
    const body = { domain: 'gift.example', path: '/', site_name: 'Gift' };
    const refused = await client.post(networks, { ...body, user_id: admin.id }).expect(403);
    expect(refused.body.code).to.equal('network_user');
    await operator.post(networks, { ...body, user_id: user.id }).expect(201);
  });

  it('is for nobody else', async () => {
    const { lyceum, create } = installation;
    const own = await lyceum.make.user({ role: 'administrator' });
    for (const client of [lyceum.as(own)]) {
      for (const route of [networks, `${networks}/1`]) {
        expect((await client.get(route).expect(403)).body.code).to.equal('rest_forbidden');
      }
    }
    expect((await create({}, own).expect(403)).body.code).to.equal('rest_forbidden');
    for (const route of [networks, `${networks}/1`]) await lyceum.anonymous.get(route).expect(401);
    await create({}, { headers: {} }).expect(401);
    const { cookie } = await lyceum.make.session(1);
    await create({}, cookie).expect(403);
  });

  it('answers 404 to a Host of no network', async () => {
    const { lyceum, admin } = installation;
    const nowhere = lyceum.as(admin, { domain: 'nowhere.example', path: '/' });
    expect((await nowhere.get(networks).expect(404)).body.code).to.equal('site_not_found');
  });
});

describe('multi_network: other kinds of installation', () => {
  it('puts the sites of a network below its domain and path where sites are sub-domains', async () => {
    const baseUrl = new URL('https://school.example/');
    const { create, lyceum, admin } = await startCommitted({
      database: 'empty',
      config: { multisite: 'subdomain', baseUrl },
    });
    try {
      const { body } = await create({ domain: 'second.example', path: '/team' }).expect(201);
      expect(body.site_url).to.equal('https://second.example/team/');
      const there = lyceum.as(admin, { domain: 'second.example', path: '/team/' });
      const site = await there.post(sites, { title: 'Lab', slug: 'lab' }).expect(201);
      expect(site.body).to.deep.include({
        domain: 'lab.second.example',
        path: '/team/',
        site_url: 'https://lab.second.example/team/',
      });
      const index = await lyceum
        .as(admin, { domain: 'lab.second.example', path: '/team/' })
        .get('')
        .expect(200);
      expect(index.body).to.deep.include({ blog_id: site.body.blog_id, network_id: body.network_id });
      await lyceum.as(admin, { domain: 'lab.second.example', path: '/' }).get('').expect(404);
      const taken = await create({ domain: 'lab.second.example', path: '/team/' }).expect(500);
      expect(taken.body.code).to.equal('network_exists');
    } finally {
      await lyceum.stop();
    }
  });

  it('is absent where there is one site only', async () => {
    const lyceum = await startTestHost({ modules: ['multi_network'], config: { multisite: 'off' } });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      await admin.put('svc/modules/v1/multi-network', { committed: true }).expect(409);
      expect((await admin.get(networks).expect(404)).body.code).to.equal('rest_no_route');
    } finally {
      await lyceum.stop();
    }
  });
});
