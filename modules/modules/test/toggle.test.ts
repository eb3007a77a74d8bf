import type { Client, TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { modulesRoute, startWithPackages } from './lyceum.ts';

const ping = 'test/parent/v1/ping';

describe('modules: switching', () => {
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startWithPackages();
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(() => lyceum.stop());

  const put = (id: string, body: object, client = admin) => client.put(`${modulesRoute}/${id}`, body);

  it('switches for the network, in every process, with the next request', async () => {
    const second = await startWithPackages({ beside: lyceum });
    try {
      await second.anonymous.get(ping).expect(404);
      const on = await put('test_parent', { enabled: true }).expect(200);
      expect(on.body).to.deep.equal({ id: 'test_parent', enabled: true, scope: 'network', locked: false });
      await lyceum.anonymous.get(ping).expect(200, { pong: true });
      await second.anonymous.get(ping).expect(200);
      await admin.patch(`${modulesRoute}/test_parent`, { enabled: false }).expect(200);
      const off = await second.anonymous.get(ping).expect(404);
      expect(off.body.code).to.equal('rest_no_route');
    } finally {
      await second.stop();
    }
  });

  it('takes POST where the contract names PUT and PATCH', async () => {
    await admin.post(`${modulesRoute}/test_parent`, { enabled: true }).expect(200);
    await lyceum.anonymous.get(ping).expect(200);
  });

  it('never switches a locked module', async () => {
    for (const enabled of [true, false]) {
      const answer = await put('host', { enabled }).expect(403);
      expect(answer.body.code).to.equal('module_toggle_refused');
      expect(answer.body.data.reason).to.equal('locked');
    }
  });

  it('refuses a module before what it requires, and what it requires before it', async () => {
    const early = await put('test_child', { enabled: true }).expect(403);
    expect(early.body.data).to.deep.equal({ status: 403, reason: 'requires', modules: ['test_parent'] });
    await put('test_parent', { enabled: true }).expect(200);
    await put('test_child', { enabled: true }).expect(200);
    const late = await put('test_parent', { enabled: false }).expect(403);
    expect(late.body.data).to.deep.equal({ status: 403, reason: 'required_by', modules: ['test_child'] });
  });

  it('never ends with a module on and what it requires off, whatever races', async () => {
    await put('test_parent', { enabled: true }).expect(200);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([put('test_child', { enabled: true }), put('test_parent', { enabled: false })]);
      const { body: list } = await admin.get(modulesRoute).expect(200);
      const states = new Map(
        (list as { id: string; states: { network: boolean } }[]).map((m) => [m.id, m.states]),
      );
      if (states.get('test_child')?.network) expect(states.get('test_parent')?.network).to.equal(true);
      await put('test_child', { enabled: false });
      await put('test_parent', { enabled: true });
    }
  });

  it('lets a site override the network, unless the network forbids it', async () => {
    const [two, three] = [await lyceum.make.site('two'), await lyceum.make.site('three')];
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator', site: two.blog_id }), two);
    await put('test_parent', { enabled: true }).expect(200);
    const off = await put('test_parent', { enabled: false, scope: 'site' }, owner).expect(200);
    expect(off.body).to.deep.equal({ id: 'test_parent', enabled: false, scope: 'site', locked: false });
    await lyceum.as({ headers: {} }, two).get(ping).expect(404);
    await lyceum.as({ headers: {} }, three).get(ping).expect(200);

    await put('test_parent', { enabled: false }, owner).expect(403);
    await admin
      .patch(`${modulesRoute}/modules/settings`, { settings: { no_override: ['test_parent'] } })
      .expect(200);
    await lyceum.as({ headers: {} }, two).get(ping).expect(200);
    const refused = await put('test_parent', { enabled: false, scope: 'site' }, owner).expect(403);
    expect(refused.body.data).to.deep.equal({ status: 403, reason: 'scope', scopes: ['network'] });
  });

  it('removes an override with reset', async () => {
    const two = await lyceum.make.site('two');
    await put('test_parent', { enabled: true }).expect(200);
    await admin
      .put(`${modulesRoute}/test_parent?blog_id=${two.blog_id}`, { enabled: false, scope: 'site' })
      .expect(200);
    await lyceum.as({ headers: {} }, two).get(ping).expect(404);
    await admin
      .put(`${modulesRoute}/test_parent?blog_id=${two.blog_id}`, { reset: true, scope: 'site' })
      .expect(200);
    await lyceum.as({ headers: {} }, two).get(ping).expect(200);
    const { body } = await admin.get(`${modulesRoute}/test_parent?blog_id=${two.blog_id}`).expect(200);
    expect(body.states).to.deep.equal({ network: true, site: null });
    await put('test_parent', { reset: true }).expect(400);
  });

  it('tells what a toggle would touch and writes nothing', async () => {
    await lyceum.make.site('two');
    const answer = await put('test_parent', { enabled: true, dry_run: true }).expect(200);
    expect(answer.body).to.include({ dry_run: true, enabled: true, sites: 2, jobs_pending: 0 });
    expect(answer.body.routes).to.deep.equal(['GET test/parent/v1/ping']);
    await lyceum.anonymous.get(ping).expect(404);
    const audit = await admin.get('svc/modules/v1/audit').expect(200);
    expect(audit.body).to.deep.equal([]);
  });

  it('changes nothing when the module objects', async () => {
    const answer = await put('test_keeper', { enabled: false }).expect(500);
    expect(answer.body.code).to.equal('module_enable_failed');
    const { body } = await admin.get(`${modulesRoute}/test_keeper`).expect(200);
    expect(body.enabled).to.equal(true);
    expect((await admin.get('svc/modules/v1/audit').expect(200)).body).to.deep.equal([]);
  });

  it('writes one audit row for a change and none for a refusal or a repetition', async () => {
    await put('test_parent', { enabled: true }).expect(200);
    await put('test_parent', { enabled: true }).expect(200);
    await put('host', { enabled: false }).expect(403);
    const { body } = await admin.get('svc/modules/v1/audit?action=module.').expect(200);
    expect(body).to.have.length(1);
    expect(body[0]).to.include({
      action: 'module.toggle',
      subject: 'module:test_parent',
      user_login: 'admin',
      from: false,
      to: true,
      blog_id: null,
    });
  });

  it('checks rights, then input, then existence', async () => {
    const subscriber = lyceum.as(await lyceum.make.user({ role: 'subscriber' }));
    const owner = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    await put('nope', { enabled: 'yes' }, lyceum.anonymous).expect(401);
    await put('nope', { enabled: 'yes' }, subscriber).expect(403);
    const missing = await put('nope', {}).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    expect(missing.body.data.params).to.deep.equal(['enabled']);
    for (const body of [
      { enabled: 'yes' },
      { enabled: 1 },
      { enabled: null },
      { enabled: true, scope: 'all' },
      { enabled: true, scope: 'NETWORK' },
    ]) {
      const bad = await put('nope', body).expect(400);
      expect(bad.body.code).to.equal('rest_invalid_param');
    }
    for (const id of ['nope', 'Host', 'x'.repeat(300), '__proto__', 'constructor']) {
      expect((await put(id, { enabled: true }).expect(404)).body.code).to.equal('module_not_found');
    }
    await put('test_parent', { enabled: true }, owner).expect(403);
    expect((await put('test_parent', { enabled: true, scope: 'site' }, owner)).status).to.equal(200);
  });

  it('has one value where there is one site', async () => {
    const single = await startWithPackages({ config: { multisite: 'off' } });
    try {
      const owner = single.as(await single.make.user({ role: 'administrator' }));
      await owner.put(`${modulesRoute}/test_parent`, { enabled: true, scope: 'site' }).expect(200);
      await single.anonymous.get(ping).expect(200);
      const { body } = await owner.get(`${modulesRoute}/test_parent`).expect(200);
      expect(body.states).to.deep.equal({ network: true, site: null });
      await owner.put(`${modulesRoute}/test_parent`, { enabled: false, scope: 'network' }).expect(200);
      await single.anonymous.get(ping).expect(404);
      const reset = () =>
        owner.put(`${modulesRoute}/test_parent`, { reset: true, scope: 'site' }).expect(200);
      await reset();
      await reset();
      const rows = await owner.get('svc/modules/v1/audit?action=module.reset').expect(200);
      expect(rows.body).to.have.length(1);
    } finally {
      await single.stop();
    }
  });
});
