import type { Client, TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modulesRoute, startWithPackages } from './lyceum.ts';

describe('modules: list, settings, audit, multi-network', () => {
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startWithPackages();
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const keeper = `${modulesRoute}/test_keeper`;

  it('lists every installed module by id with the reason why it is off', async () => {
    const { body } = await admin.get(modulesRoute).expect(200);
    const ids = (body as { id: string }[]).map((module) => module.id);
    expect(ids).to.deep.equal(['host', 'modules', 'test_child', 'test_keeper', 'test_parent']);
    const child = body.find((module: { id: string }) => module.id === 'test_child');
    expect(child).to.deep.include({
      enabled: false,
      reason: 'disabled',
      requires: ['test_parent'],
      source: 'folder',
      states: { network: false, site: null },
      conditions: [{ id: 'parent_installed', title: 'The parent is installed', met: true }],
      error: null,
    });
    const on = await admin.get(`${modulesRoute}?enabled=true&search=KEEP`).expect(200);
    expect(on.body).to.have.length(1);
  });

  it('shows the list to administrators of a site only', async () => {
    await lyceum.anonymous.get(modulesRoute).expect(401);
    for (const [role, status] of [
      ['editor', 403],
      ['administrator', 200],
    ] as const) {
      await lyceum
        .as(await lyceum.make.user({ role }))
        .get(modulesRoute)
        .expect(status);
    }
    await admin.get(`${modulesRoute}?blog_id=999`).expect(404);
    await admin.get(`${modulesRoute}?blog_id=x`).expect(400);
  });

  it('opens and closes an operation with a setting', async () => {
    await lyceum.anonymous.get('test/keeper/v1/read').expect(404);
    await admin.patch(`${keeper}/settings`, { settings: { open: true } }).expect(200);
    await lyceum.anonymous.get('test/keeper/v1/read').expect(200, { limit: 10, api_key: null });
    await admin.patch(`${keeper}/settings`, { settings: { open: null, limit: 7 } }).expect(200);
    await lyceum.anonymous.get('test/keeper/v1/read').expect(404);
  });

  it('keeps secrets encrypted, shows them masked, and leaves them when the mask is written', async () => {
    const set = await admin
      .patch(`${keeper}/settings`, { settings: { open: true, api_key: 'sk-123' } })
      .expect(200);
    expect(set.body.settings.api_key).to.equal('********');
    await admin.patch(`${keeper}/settings`, { settings: { api_key: '********' } }).expect(200);
    const seen = await lyceum.anonymous.get('test/keeper/v1/read').expect(200);
    expect(seen.body.api_key).to.equal('sk-123');
    const rows = await lyceum.host.db.knex('site_options').whereLike('name', 'module:test_keeper:%');
    expect(JSON.stringify(rows)).not.to.include('sk-123');
    const audit = await admin.get('svc/modules/v1/audit').expect(200);
    expect(JSON.stringify(audit.body)).to.include('********').and.not.include('sk-123');
  });

  it('writes nothing when one value is bad or one right is missing', async () => {
    const bad = await admin.patch(`${keeper}/settings`, { settings: { open: true, limit: 51 } }).expect(400);
    expect(bad.body.data.params).to.have.property('settings.limit');
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await owner.patch(`${keeper}/settings`, { settings: { open: true, limit: 5 } }).expect(403);
    await owner.patch(`${keeper}/settings`, { settings: { limit: 51 } }).expect(403);
    const { body } = await owner.get(`${keeper}/settings`).expect(200);
    expect(body.settings).to.deep.equal({ open: false, limit: 10, api_key: null });
    expect(body.scopes).to.deep.equal({ open: 'site', limit: 'network', api_key: 'site' });
    expect(body.schema.properties.limit).to.include({ type: 'integer', minimum: 1, maximum: 50 });
    await admin.patch(`${keeper}/settings`, {}).expect(400);
    await admin.patch(`${keeper}/settings`, { settings: [] }).expect(400);
    await admin.patch(`${modulesRoute}/nope/settings`, { settings: {} }).expect(404);
  });

  it('keeps settings of one site from another', async () => {
    const two = await lyceum.make.site('two');
    await admin.patch(`${keeper}/settings?blog_id=${two.blog_id}`, { settings: { open: true } }).expect(200);
    await lyceum.as({ headers: {} }, two).get('test/keeper/v1/read').expect(200);
    await lyceum.anonymous.get('test/keeper/v1/read').expect(404);
  });

  it('shows audit rows of the own site to its administrator, filtered and paged', async () => {
    const two = await lyceum.make.site('two');
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator', site: two.blog_id }), two);
    await owner.patch(`${keeper}/settings`, { settings: { open: true } }).expect(200);
    await admin.patch(`${keeper}/settings`, { settings: { limit: 3 } }).expect(200);
    const own = await owner.get('svc/modules/v1/audit').expect(200);
    expect(own.body).to.have.length(1);
    expect(own.body[0]).to.deep.include({ blog_id: two.blog_id, from: { open: false }, to: { open: true } });
    const whole = await admin.get('svc/modules/v1/audit?per_page=1').expect(200);
    expect(whole.headers['x-svc-total']).to.equal('2');
    expect(whole.headers.link).to.include('rel="next"');
    await owner.get('svc/modules/v1/audit?blog_id=1').expect(403);
    await admin.get('svc/modules/v1/audit?after=yesterday').expect(400);
    for (const no of ['0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-01:00']) {
      const refused = await admin.get(`svc/modules/v1/audit?before=${no}`).expect(400);
      expect(refused.body.data.params, no).to.have.all.keys('before');
    }
    const none = await admin.get('svc/modules/v1/audit?after=2100-01-01T00:00:00Z').expect(200);
    expect(none.body).to.deep.equal([]);
  });

  it('commits a multi-network setup and withdraws it while one network exists', async () => {
    const route = 'svc/modules/v1/multi-network';
    expect((await admin.get(route).expect(200)).body).to.deep.equal({
      committed: false,
      committed_at: null,
      committed_by: null,
      networks: 1,
    });
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await owner.put(route, { committed: true }).expect(403);
    await owner.put(route, {}).expect(403);
    await admin.put(route, { committed: 'yes' }).expect(400);
    const on = await admin.put(route, { committed: true }).expect(200);
    expect(on.body).to.include({ committed: true, committed_by: 1 });
    await admin.put(route, { committed: true }).expect(200);
    await lyceum.make.network();
    const kept = await admin.put(route, { committed: false }).expect(409);
    expect(kept.body.code).to.equal('multi_network_in_use');
    expect(kept.body.data.networks).to.equal(2);
    const audit = await admin.get('svc/modules/v1/audit?action=multi_network.commit').expect(200);
    expect(audit.body).to.have.length(1);
  });

  it('has no multi-network setup where there is one site', async () => {
    const single = await startWithPackages({ config: { multisite: 'off' } });
    try {
      const answer = await single
        .as(await single.make.admin())
        .put('svc/modules/v1/multi-network', { committed: true })
        .expect(409);
      expect(answer.body.code).to.equal('multi_network_unsupported');
    } finally {
      await single.stop();
    }
  });
});
