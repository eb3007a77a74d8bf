import { Jobs, State } from '@lyceum/core';
import { runSchedule, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { Licenses } from '../api.ts';
import { json, type LicenseRecord, route } from './license-kit.ts';
import { useWorld } from './world.ts';

const key = '0123456789abcdef0123456789abcdef';
const hour = 3_600_000;

describe('license: checks in the background', () => {
  const world = useWorld({ config: { workers: 'inline' } });
  const sites: TestSite[] = [];
  before(async () => {
    for (let count = 0; count < 4; count += 1) sites.push(await world.lyceum.make.site());
  });
  beforeEach(async () => {
    await world.lyceum.host.db.knex('jobs').where('module', 'license').delete();
  });

  const activate = async (license_key: string, product: string, site?: TestSite): Promise<LicenseRecord> => {
    const query = site ? `?blog_id=${site.blog_id}` : '';
    const body = { license_key, scope: site ? 'site' : 'network' };
    return (await world.admin.post(`${route}/${product}/activate${query}`, body).expect(200))
      .body as LicenseRecord;
  };
  const jobs = (): Promise<{ job_id: string; status: string; result: unknown; payload: unknown }[]> =>
    world.lyceum.host.db.knex('jobs').where('type', 'license.check').orderBy('created_at');
  /** A turn of the schedule, and the end of the jobs that it sent. */
  const turn = async (): Promise<number> => {
    await runSchedule(world.lyceum, 'license.plan-checks');
    const service = world.lyceum.host.services.host(Jobs);
    for (;;) {
      const [open] = (await jobs()).filter((job) => !/completed|failed/.test(job.status));
      if (!open) return (await jobs()).length;
      await service.wait(open.job_id, 10, AbortSignal.timeout(15_000));
    }
  };

  it('come when the turn of a license has begun, and once', async () => {
    const sold = world.server.sell(key);
    const made = await activate(key, 'svclms');
    const due = Date.parse(made.next_check_at as string);
    expect(due).to.be.within(world.now.getTime(), world.now.getTime() + 24 * hour);
    expect(await turn()).to.equal(0);
    world.now = new Date(due - 1_000);
    expect(await turn()).to.equal(0);
    sold.status = 'disabled';
    world.now = new Date(due + 1_000);
    expect(await turn()).to.equal(1);
    const after = await world.status();
    expect(after).to.include({ status: 'disabled', valid: false, checked_at: world.now.toISOString() });
    expect(Date.parse(after.next_check_at as string)).to.equal(due + 24 * hour);
    expect(await turn()).to.equal(1);
    const [job] = await jobs();
    expect(job?.status).to.equal('completed');
    expect(job?.result).to.deep.equal({ product_id: 'svclms', status: 'disabled' });
    expect(Object.keys(job?.payload as object)).to.deep.equal(['license_id']);
  });

  it('of a server that is gone begin the grace, and end it', async () => {
    world.server.sell(key);
    await activate(key, 'svclms');
    world.server.respond = (_asked, response) => void response.destroy();
    world.now = new Date(world.now.getTime() + 24 * hour);
    await turn();
    expect(await world.status()).to.include({ status: 'grace', valid: true });
    world.now = new Date(world.now.getTime() + 14 * 24 * hour);
    await turn();
    expect(await world.status()).to.include({ status: 'unreachable', valid: false });
    world.server.respond = null;
    world.now = new Date(world.now.getTime() + 24 * hour);
    await turn();
    expect(await world.status()).to.include({ status: 'valid', valid: true, grace_until: null, error: null });
    const { body: rows } = await world.admin.get('svc/modules/v1/audit?action=license.state').expect(200);
    const steps = (rows as { to: { status: string }; user_id: null }[]).map(({ to, user_id }) => [
      to.status,
      user_id,
    ]);
    expect(steps).to.deep.equal([
      ['valid', null],
      ['unreachable', null],
      ['grace', null],
    ]);
  });

  it('follow the interval that is set, and a clock that is set back', async () => {
    world.server.sell(key);
    await activate(key, 'svclms');
    await world.lyceum.make.settings('license', { check_interval_hours: 1 });
    const due = Date.parse((await world.status()).next_check_at as string);
    expect(due).to.be.within(world.now.getTime(), world.now.getTime() + hour);
    world.now = new Date(due + 1);
    expect(await turn()).to.equal(1);
    world.now = new Date(due - 30 * 24 * hour);
    expect(await turn()).to.equal(2);
    expect(await world.status()).to.include({ checked_at: world.now.toISOString() });
  });

  it('are spread over the interval, and ask a server one at a time', async () => {
    const made: LicenseRecord[] = [];
    world.server.respond = (_asked, response) => json(response, { success: true, license: 'valid' });
    for (const site of sites) {
      for (const product of ['svclms', 'svctutor']) {
        made.push(await activate(`${key}-${site.blog_id}`, product, site));
      }
    }
    const shares = made.map(({ next_check_at }) => Date.parse(next_check_at as string) % (24 * hour));
    expect(new Set(shares).size).to.equal(made.length);
    let open = 0;
    let most = 0;
    world.server.respond = async (_asked, response) => {
      open += 1;
      // Long enough for a worker to begin what it may.
      for (let look = 0; look < 50; look += 1) await jobs();
      most = Math.max(most, open);
      open -= 1;
      json(response, { success: true, license: 'valid' });
    };
    world.now = new Date(world.now.getTime() + 24 * hour);
    expect(await turn()).to.equal(8);
    expect(most).to.equal(1);
    for (const site of sites) {
      const { checked_at } = await world.status(`?scope=site&blog_id=${site.blog_id}`);
      expect(checked_at).to.equal(world.now.toISOString());
    }
  });

  it('of signed keys ask nobody', async () => {
    await activate(world.vendor.key(), 'svclms');
    world.now = new Date(world.now.getTime() + 24 * hour);
    await world.lyceum.make.settings('license', { public_keys: [] });
    await turn();
    expect(await world.status()).to.include({ status: 'invalid', valid: false });
    expect(world.server.asked).to.deep.equal([]);
  });

  it('wait while the module is off on the site', async () => {
    const [site] = sites;
    world.server.sell(key);
    await activate(key, 'svclms', site);
    world.now = new Date(world.now.getTime() + 24 * hour);
    const wish = (enabled: boolean) =>
      world.admin
        .put(`svc/modules/v1/modules/license?blog_id=${site?.blog_id}`, { enabled, scope: 'site' })
        .expect(200);
    await wish(false);
    expect(await turn()).to.equal(0);
    await wish(true);
    expect(await turn()).to.equal(1);
  });

  it('other modules ask how a license stands, and no server is asked for it', async () => {
    const spec = world.lyceum.host.modules.get('license')?.spec;
    if (!spec) throw new Error('The module is not there.');
    const licenses = world.lyceum.host.services.resolve(spec)(Licenses);
    const [site] = sites;
    const at = { blog_id: site?.blog_id ?? 0, network_id: 1 };
    expect(await licenses.state('svclms', at)).to.include({ status: 'inactive', valid: false });
    expect(await licenses.state('nope', at)).to.include({ status: 'inactive', valid: false });
    await activate(world.vendor.key({ seats: 0 }), 'svclms');
    expect(await licenses.state('svclms', at)).to.include({ status: 'valid', effective_scope: 'network' });
    await activate(world.vendor.key({ seats: 0, expires: '2030-01-01T00:00:00Z' }), 'svclms', site);
    expect(await licenses.state('svclms', at)).to.include({
      effective_scope: 'site',
      expires: '2030-01-01T00:00:00.000Z',
    });
    world.now = new Date('2030-06-01T00:00:00Z');
    expect(await licenses.state('svclms', at)).to.include({ valid: true, effective_scope: 'network' });
    world.now = new Date('2031-06-01T00:00:00Z');
    expect(await licenses.state('svclms', at)).to.include({ status: 'expired', effective_scope: null });
    expect(world.server.asked).to.deep.equal([]);
  });

  it('an expired license stops nothing', async () => {
    await activate(world.vendor.key(), 'svclms');
    const [site] = sites;
    if (!site) throw new Error('There is no site.');
    const routes = ['svc/host/v1/posts', 'svc/host/v1/settings', 'svc/modules/v1/modules'];
    const ask = () => Promise.all(routes.map(async (path) => (await world.admin.get(path)).status));
    const before = await ask();
    world.now = new Date('2032-01-01T00:00:00Z');
    expect(await world.status()).to.include({ status: 'expired' });
    expect(await ask())
      .to.deep.equal(before)
      .and.deep.equal([200, 200, 200]);
    const state = await world.lyceum.host.services.host(State).read(site.blog_id);
    expect(state?.isOn('license')).to.equal(true);
  });
});
