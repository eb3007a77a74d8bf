import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Response, Test } from 'supertest';
import { countRows, type Installation, networks, startCommitted } from './network-kit.ts';

describe('multi_network: networks that are not created', () => {
  let installation: Installation;
  before(async () => {
    installation = await startCommitted();
  });
  after(() => installation.lyceum.stop());

  const rows = () => countRows(installation);

  it('names absent and empty required fields before everything else', async () => {
    const { operator } = installation;
    const all = { domain: 'missing.example', path: '/', site_name: 'Missing' };
    const wrong = [
      [{ path: undefined }, ['path']],
      [{ domain: '  ' }, ['domain']],
      [{ domain: null, site_name: '' }, ['domain', 'site_name']],
      [{ path: ' ', user_id: 'x', options_to_clone: 5 }, ['path']],
    ] as const;
    for (const [change, params] of wrong) {
      const { body } = await operator.post(networks, { ...all, ...change }).expect(400);
      expect(body.code).to.equal('missing_fields');
      expect(body.data).to.deep.equal({ status: 400, params });
    }
    const none = await operator.post(networks).expect(400);
    expect(none.body.data.params).to.deep.equal(['domain', 'path', 'site_name']);
    const { body } = await operator.get('openapi.json').expect(200);
    const { requestBody } = body.paths['/svc/multi-network/v1/networks'].post;
    const { schema } = requestBody.content['application/json'];
    expect(schema.required).to.deep.equal(['domain', 'path', 'site_name']);
    expect(schema.properties.domain.type).to.equal('string');
  });

  it('refuses bad input', async () => {
    const { create, operator } = installation;
    await operator
      .patch('svc/modules/v1/modules/site_manager/settings', { settings: { reserved_slugs: ['kept'] } })
      .expect(200);
    const before = await rows();
    const bad = [
      { domain: { a: 1 } },
      { domain: ['a'] },
      { domain: 5 },
      { domain: true },
      { domain: 'a_b.org' },
      { domain: '-a.org' },
      { domain: 'a..org' },
      { domain: 'a.org.' },
      { domain: 'evil.org:81' },
      { domain: '[::1]' },
      { domain: 'x.org%00' },
      { domain: 'x.org\0' },
      { domain: 'user@x.org' },
      { domain: `${'a'.repeat(64)}.org` },
      { domain: `${'a.'.repeat(127)}org` },
      { domain: 'a'.repeat(10_000) },
      { path: 'team' },
      { path: '//' },
      { path: '/../' },
      { path: '/a//b/' },
      { path: '/a_b/' },
      { path: '/-a/' },
      { path: '/a/b/c/d/' },
      { path: `/${'a'.repeat(64)}/` },
      { path: '/api/' },
      { path: '/kept/' },
      { path: '/console/x/' },
      { path: 7 },
      { site_name: 'x'.repeat(201) },
      { site_name: {} },
      { network_name: 'x'.repeat(201) },
      { network_name: 5 },
      { user_id: '1' },
      { user_id: 1.5 },
      { user_id: null },
      { clone_network_id: '1' },
      { options_to_clone: 'admin_email' },
      { options_to_clone: {} },
      { options_to_clone: [5] },
      { options_to_clone: ['x'.repeat(101)] },
      { options_to_clone: Array(101).fill('x') },
    ];
    for (const change of bad) {
      const { body } = await create(change).expect(400);
      const shown = JSON.stringify(change).slice(0, 60);
      expect(body.code, shown).to.equal('rest_invalid_param');
      expect(Object.keys(body.data.params)[0], shown).to.match(new RegExp(`^${Object.keys(change)[0]}`));
    }
    expect(await rows()).to.deep.equal(before);
  });

  it('answers in the order that is promised', async () => {
    const { create, operator } = installation;
    const settings = (value: boolean | null) =>
      operator
        .patch('svc/modules/v1/modules/multi_network/settings', { settings: { creation_enabled: value } })
        .expect(200);
    const body = { domain: 'https://', user_id: 99_999, clone_network_id: 99_999 };
    await settings(false);
    expect((await create({ ...body, path: 'x' }).expect(400)).body.code).to.equal('rest_invalid_param');
    expect((await create(body).expect(503)).body.code).to.equal('multi_network_not_ready');
    await settings(null);
    expect((await create(body).expect(403)).body.code).to.equal('network_user');
    expect((await create({ ...body, user_id: 1 }).expect(404)).body.code).to.equal('network_not_found');
    const empty = await create({ ...body, user_id: 1, clone_network_id: 1 }).expect(500);
    expect(empty.body).to.deep.include({ code: 'network_empty', data: null });
  });

  it('makes nothing for a user that does not exist', async () => {
    const { create } = installation;
    const before = await rows();
    for (const user_id of [99_999, 0, -1, 9_999_999_999]) {
      expect((await create({ user_id }).expect(403)).body.code, String(user_id)).to.equal('network_user');
    }
    expect(await rows()).to.deep.equal(before);
  });

  /** Ends the change when a statement of the request waits for it. */
  async function whileWaiting(change: Knex.Transaction, request: Test): Promise<Response> {
    const answer = request.then((done) => done);
    const { knex } = installation.lyceum.host.db;
    const waits = () =>
      knex('pg_stat_activity')
        .where({ wait_event_type: 'Lock', datname: knex.raw('current_database()') })
        .first('pid');
    while (!(await waits())) await new Promise(setImmediate);
    await change.commit();
    return answer;
  }

  it('makes nothing for a user who is removed meanwhile', async () => {
    const { create, lyceum } = installation;
    const leaving = await lyceum.make.user();
    const before = await rows();
    const removal = await lyceum.host.db.knex.transaction();
    await removal('users').where({ id: leaving.id }).delete();
    const answer = await whileWaiting(removal, create({ user_id: leaving.id }));
    expect(answer.status).to.equal(403);
    expect(answer.body.code).to.equal('network_super_admin');
    expect(await rows()).to.deep.equal(before);
  });

  it('makes nothing when a site takes the address meanwhile', async () => {
    const { create, lyceum } = installation;
    const before = await rows();
    const other = await lyceum.host.db.knex.transaction();
    const site = { network_id: 1, domain: 'localhost', path: '/late/', slug: 'late', title: 'Late' };
    await other('sites').insert(site);
    const answer = await whileWaiting(other, create({ domain: 'localhost', path: '/late/' }));
    expect(answer.status).to.equal(500);
    expect(answer.body).to.deep.include({ code: 'network_exists', data: null });
    expect(await rows()).to.deep.equal({ ...before, sites: (before.sites ?? 0) + 1 });
  });

  it('makes nothing when the commit is withdrawn meanwhile', async () => {
    const { create, lyceum, operator } = installation;
    const before = await rows();
    const withdrawal = await lyceum.host.db.knex.transaction();
    await withdrawal('installation').update({ multi_network_at: null });
    const answer = await whileWaiting(withdrawal, create());
    expect(answer.status).to.equal(503);
    expect(answer.body.code).to.equal('multi_network_not_ready');
    expect(await rows()).to.deep.equal(before);
    await operator.put('svc/modules/v1/multi-network', { committed: true }).expect(200);
  });

  it('makes no more networks than the installation may have, also at once', async () => {
    const { create, operator, lyceum } = installation;
    const route = 'svc/modules/v1/modules/multi_network/settings';
    const { total } = (await lyceum.host.db.knex('networks').count({ total: '*' }).first()) as {
      total: number;
    };
    await operator.patch(route, { settings: { max_networks: Number(total) + 2 } }).expect(200);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([201, 201, 503, 503, 503, 503]);
    await operator.patch(route, { settings: { max_networks: null } }).expect(200);
    await create().expect(201);
  });
});
