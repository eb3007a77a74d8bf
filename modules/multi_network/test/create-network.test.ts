import { expect } from 'chai';
import { type Installation, networks, startCommitted } from './network-kit.ts';

describe('multi_network: creating networks', () => {
  let installation: Installation;
  before(async () => {
    installation = await startCommitted();
  });
  after(() => installation.lyceum.stop());

  it('creates a network that serves at once', async () => {
    const { lyceum, operator, create } = installation;
    const given = { domain: ' Second.Example ', path: '/', site_name: 'Root', network_name: 'Second' };
    const { body, headers } = await create(given).expect(201);
    const site_url = `http://second.example:${lyceum.host.port}/`;
    expect(body).to.deep.equal({
      network_id: body.network_id,
      domain: 'second.example',
      path: '/',
      site_id: body.site_id,
      site_name: 'Root',
      network_name: 'Second',
      admin_url: `${site_url}console/network/`,
      site_url,
    });
    expect(headers.location).to.equal(
      `http://localhost:${lyceum.host.port}/api/${networks}/${body.network_id}`,
    );
    expect((await operator.get(`${networks}/${body.network_id}`).expect(200)).body).to.deep.equal(body);
    const there = lyceum.as(installation.admin, { domain: 'second.example', path: '/' });
    const index = await there.get('').expect(200);
    expect(index.body).to.deep.include({ network_id: body.network_id, blog_id: body.site_id, name: 'Root' });
    const site = await there.get(`svc/site-manager/v1/sites/${body.site_id}`).expect(200);
    expect(site.body).to.deep.include({
      network_id: body.network_id,
      title: 'Root',
      slug: '',
      public: 1,
      is_main_site: true,
      site_url,
    });
    const categories = await there.get('svc/site-manager/v1/categories').expect(200);
    expect(categories.body.map((term: { slug: string }) => term.slug)).to.deep.equal(['general']);
    const again = await create(given).expect(500);
    expect(again.body).to.deep.include({ code: 'network_exists', data: null });
  });

  it('lets one of ten simultaneous requests have an address, with one root site', async () => {
    const { create, lyceum } = installation;
    const body = { domain: 'race.example', path: '/', site_name: 'Race' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)));
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([201, ...Array(9).fill(500)]);
    for (const { status, body: answer } of answers)
      if (status === 500) expect(answer.code).to.equal('network_exists');
    const sites = await lyceum.host.db.knex('sites').where({ domain: 'race.example' });
    expect(sites).to.have.length(1);
  });

  it('reads domains and paths as people type them', async () => {
    const { create } = installation;
    const spellings = [
      [{ domain: 'EXAMPLE.org ' }, 'example.org', '/'],
      [{ domain: 'exa mple.net' }, 'example.net', '/'],
      [{ domain: 'HTTPS://scheme.example/some/where?x' }, 'scheme.example', '/'],
      [{ domain: 'http://plain.example' }, 'plain.example', '/'],
      [{ domain: 'MÜNCHEN.example' }, 'xn--mnchen-3ya.example', '/'],
      [{ domain: 'paths.example', path: '/Team' }, 'paths.example', '/team/'],
      [{ domain: 'paths.example', path: ' /a/b-1/c/ ' }, 'paths.example', '/a/b-1/c/'],
      [{ domain: `${'a'.repeat(63)}.example` }, `${'a'.repeat(63)}.example`, '/'],
      [{ domain: '203.0.113.7' }, '203.0.113.7', '/'],
    ] as const;
    for (const [given, domain, path] of spellings) {
      const { body } = await create(given).expect(201);
      expect([body.domain, body.path], JSON.stringify(given)).to.deep.equal([domain, path]);
    }
  });

  it('refuses an address that is taken by a network or a site, under its other names too', async () => {
    const { create, operator, lyceum } = installation;
    await operator.post('svc/site-manager/v1/sites', { title: 'Lab', slug: 'lab' }).expect(201);
    const half = {
      network_id: 1,
      domain: 'localhost',
      path: '/half/',
      slug: 'half',
      title: '',
      state: 'creating',
    };
    await lyceum.host.db.knex('sites').insert(half);
    const taken = [
      { domain: 'localhost' },
      { domain: '127.0.0.1' },
      { domain: 'localhost', path: '/lab/' },
      { domain: '127.0.0.1', path: '/Lab' },
      { domain: 'localhost', path: '/half' },
    ];
    for (const given of taken) {
      const { body } = await create(given).expect(500);
      expect(body, JSON.stringify(given)).to.deep.include({ code: 'network_exists', data: null });
    }
    await lyceum.host.db.knex('sites').where({ path: '/half/' }).update({ state: 'removed' });
    await create({ domain: 'localhost', path: '/half' }).expect(201);
    const site = await operator.post('svc/site-manager/v1/sites', { title: 'x', slug: 'half' }).expect(409);
    expect(site.body.code).to.equal('site_exists');
  });

  it('notes the creation in both networks', async () => {
    const { create, operator, lyceum, admin } = installation;
    const ann = await lyceum.make.user();
    const options_to_clone = ['welcome_email'];
    const { body } = await create({ domain: 'noted.example', user_id: ann.id, options_to_clone }).expect(201);
    const there = lyceum.as(ann, { domain: 'noted.example', path: '/' });
    for (const [client, network_id] of [
      [operator, 1],
      [there, body.network_id],
    ] as const) {
      const { body: audited } = await client.get('svc/modules/v1/audit?action=network.create').expect(200);
      expect(audited[0]).to.deep.include({
        network_id,
        user_id: admin.id,
        module: 'multi_network',
        subject: `network:${body.network_id}`,
        to: {
          domain: 'noted.example',
          path: '/',
          user_id: ann.id,
          clone_network_id: 1,
          options: options_to_clone,
        },
      });
    }
  });
});
