import { expect } from 'chai';
import { json, type LicenseRecord, route } from './license-kit.ts';
import { useWorld } from './world.ts';

const key = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';

describe('license: keys of a server', () => {
  const world = useWorld();

  it('lists every product once, without license inactive', async () => {
    const { body } = await world.admin.get(`${route}/products`).expect(200);
    const ids = (body as LicenseRecord[]).map(({ product_id }) => product_id);
    expect(ids).to.deep.equal(['svclms', 'svclms-pro', 'svctutor', 'svctutor-bot', 'svctutor-forms']);
    expect(body[0]).to.deep.equal({
      product_id: 'svclms',
      name: 'LMS',
      modules: [],
      scope: 'network',
      effective_scope: null,
      kind: null,
      license_key: null,
      status: 'inactive',
      valid: false,
      expires: null,
      lifetime: false,
      seats: { limit: 0, used: null, left: null },
      customer_name: null,
      customer_email: null,
      url: world.lyceum.host.addresses.site({ domain: 'localhost', path: '/' }),
      activated_at: null,
      checked_at: null,
      next_check_at: null,
      grace_until: null,
      error: null,
    });
    expect(world.server.asked).to.deep.equal([]);
  });

  it('activates, and reads numbers that come as texts', async () => {
    world.server.respond = (_asked, response) =>
      json(response, {
        success: true,
        license: 'valid',
        expires: '2031-01-01 00:00:00',
        license_limit: '5',
        site_count: 2,
        activations_left: 3,
      });
    const { body } = await world.activate(`  ${key} `).expect(200);
    expect(body).to.include({ status: 'valid', valid: true, kind: 'server', effective_scope: 'network' });
    expect(body).to.include({ license_key: '****cdef', expires: '2031-01-01T00:00:00Z', lifetime: false });
    expect(body.seats).to.deep.equal({ limit: 5, used: 2, left: 3 });
    expect(world.server.asked).to.deep.equal([
      {
        edd_action: 'activate_license',
        item_id: '1001',
        item_name: 'SVC LMS',
        license: key,
        url: world.lyceum.host.addresses.site({ domain: 'localhost', path: '/' }),
        environment: 'production',
      },
    ]);
    expect(await world.status()).to.deep.equal(body);
    expect(world.server.asked).to.have.length(1);
  });

  it('reads a license for life without limit', async () => {
    world.server.sell(key, { limit: 0, expires: 'lifetime' });
    const { body } = await world.activate(key).expect(200);
    expect(body).to.include({ expires: null, lifetime: true, customer_name: 'Ann Doe' });
    expect(body.seats).to.deep.equal({ limit: 0, used: 1, left: null });
  });

  it('passes the reason of a refusal on, in known words only', async () => {
    const words = [
      ['missing', 'missing'],
      ['missing_url', 'missing_url'],
      ['license_not_activable', 'license_not_activable'],
      ['disabled', 'disabled'],
      ['revoked', 'disabled'],
      ['no_activations_left', 'no_activations_left'],
      ['expired', 'expired'],
      ['key_mismatch', 'key_mismatch'],
      ['invalid_item_id', 'invalid_item_id'],
      ['item_name_mismatch', 'item_name_mismatch'],
      ['<script>', 'invalid'],
      [key, 'invalid'],
    ] as const;
    for (const [word, reason] of words) {
      world.server.respond = (_asked, response) =>
        json(response, { success: false, license: 'invalid', error: word });
      expect(await world.reasonOf(key), word).to.equal(reason);
    }
    world.server.respond = (_asked, response) =>
      json(response, { success: false, license: 'item_name_mismatch' });
    expect(await world.reasonOf(key)).to.equal('item_name_mismatch');
    world.server.respond = (_asked, response) => json(response, { success: false, license: 'valid' });
    expect(await world.reasonOf(key)).to.equal('invalid');
    expect(await world.status()).to.include({ status: 'inactive' });
  });

  it('leaves what was there when a key is refused', async () => {
    world.server.sell(key);
    const { body: before } = await world.activate(key).expect(200);
    expect(await world.reasonOf(other)).to.equal('missing');
    expect(await world.status()).to.deep.equal(before);
    expect([...(world.server.sold.get(key)?.sites ?? [])]).to.have.length(1);
  });

  it('takes no second seat for the same key, and gives the seat of another back', async () => {
    world.server.sell(key, { limit: 1 });
    world.server.sell(other, { limit: 1 });
    await world.activate(key).expect(200);
    await world.activate(key).expect(200);
    expect(world.server.actions()).to.deep.equal(['activate_license', 'check_license']);
    const { body } = await world.activate(other).expect(200);
    expect(body.license_key).to.equal('****3210');
    expect(world.server.sold.get(key)?.sites.size).to.equal(0);
    expect(world.server.sold.get(other)?.sites.size).to.equal(1);
  });

  it('takes the seat again that the server had given away', async () => {
    const sold = world.server.sell(key);
    await world.activate(key).expect(200);
    sold.sites.clear();
    expect(await world.status('?refresh=true')).to.include({ status: 'site_inactive', valid: false });
    await world.activate(key).expect(200);
    expect(sold.sites.size).to.equal(1);
  });

  it('finds the seat that an activation took which nobody finished', async () => {
    const url = world.lyceum.host.addresses.site({ domain: 'localhost', path: '/' });
    world.server.sell(key, { limit: 1 }).sites.add(url);
    world.server.respond = (asked, response) => {
      if (asked.edd_action !== 'activate_license') return json(response, { success: true, license: 'valid' });
      json(response, { success: false, license: 'invalid', error: 'no_activations_left' });
    };
    await world.activate(key).expect(200);
    expect(world.server.actions()).to.deep.equal(['activate_license', 'check_license']);
  });

  it('believes no server that grants what has expired, or another product', async () => {
    world.server.respond = (_asked, response) =>
      json(response, { success: true, license: 'valid', expires: '2020-01-01 00:00:00' });
    expect(await world.reasonOf(key)).to.equal('expired');
    expect(world.server.actions()).to.deep.equal(['activate_license', 'deactivate_license']);
    world.server.respond = (_asked, response) =>
      json(response, { success: true, license: 'valid', item_id: '1002' });
    expect(await world.reasonOf(key)).to.equal('key_mismatch');
    world.server.respond = (_asked, response) =>
      json(response, { success: true, license: 'valid', item_id: false, item_name: 'SVC LMS Pro' });
    expect(await world.reasonOf(key)).to.equal('key_mismatch');
  });

  it('validates one product at a time', async () => {
    world.server.sell(key);
    await world.activate(key).expect(200);
    expect(await world.reasonOf(key, 'svclms-pro')).to.equal('invalid_item_id');
    const { body } = await world.admin.get(`${route}/svclms-pro/status`).expect(200);
    expect(body.status).to.equal('inactive');
  });

  it('needs a server for keys of a server', async () => {
    await world.lyceum.make.settings('license', { server_url: '' });
    expect((await world.activate('ABC-123').expect(409)).body.code).to.equal('license_server_not_configured');
  });

  it('goes through grace while the server cannot be reached, and comes back', async () => {
    world.server.sell(key);
    await world.activate(key).expect(200);
    const activated = world.now.getTime();
    await world.server.stop();
    try {
      const grace = await world.status('?refresh=true');
      expect(grace).to.include({ status: 'grace', valid: true, effective_scope: 'network' });
      expect(grace.error).to.include({ code: 'license_server_unreachable' });
      expect(Date.parse(grace.grace_until as string)).to.be.within(activated, activated + 14 * 86_400_000);
      world.now = new Date(activated + 14 * 86_400_000 - 1);
      expect(await world.status()).to.include({ status: 'grace', valid: true });
      world.now = new Date(activated + 14 * 86_400_000);
      expect(await world.status()).to.include({ status: 'unreachable', valid: false, effective_scope: null });
      world.now = new Date(activated);
      await world.lyceum.make.settings('license', { grace_days: 0 });
      expect(await world.status()).to.include({ status: 'unreachable', valid: false });
      await world.lyceum.make.settings('license', { grace_days: 90 });
      expect(await world.status()).to.include({ status: 'grace', valid: true });
    } finally {
      await world.server.start();
    }
    world.now = new Date(activated + 10_000);
    expect(await world.status('?refresh=true')).to.include({ status: 'valid', valid: true, error: null });
  });

  it('asks at most once in 10 s, however many ask', async () => {
    world.server.sell(key);
    await world.activate(key).expect(200);
    world.server.asked.length = 0;
    await Promise.all(Array.from({ length: 10 }, () => world.status('?refresh=true')));
    expect(world.server.actions()).to.deep.equal(['check_license']);
    world.now = new Date(world.now.getTime() + 9_999);
    await world.status('?refresh=true');
    expect(world.server.asked).to.have.length(1);
    world.now = new Date(world.now.getTime() + 1);
    await world.status('?refresh=true');
    expect(world.server.asked).to.have.length(2);
    // The clock was set back: nobody waits for it to come again.
    world.now = new Date(world.now.getTime() - 86_400_000);
    await world.status('?refresh=true');
    expect(world.server.asked).to.have.length(3);
  });

  it('shows what the server says of a license, and when its time is over', async () => {
    const sold = world.server.sell(key);
    await world.activate(key).expect(200);
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      world.now = new Date(world.now.getTime() + 10_000);
      const { status: word, valid } = await world.status('?refresh=true');
      seen.push([word, valid]);
    };
    sold.status = 'disabled';
    await look();
    sold.status = 'active';
    await look();
    sold.expires = '2020-01-01 00:00:00';
    await look();
    sold.expires = '2031-01-01 00:00:00';
    await look();
    world.server.sold.delete(key);
    await look();
    expect(seen).to.deep.equal([
      ['disabled', false],
      ['valid', true],
      ['expired', false],
      ['valid', true],
      ['invalid', false],
    ]);
    world.server.sold.set(key, sold);
    await look();
    world.now = new Date('2031-01-01T00:00:00Z');
    expect(await world.status()).to.include({ status: 'expired', valid: false });
    world.now = new Date('2030-12-31T23:59:59Z');
    expect(await world.status()).to.include({ status: 'valid', valid: true });
    const { body: rows } = await world.admin
      .get('svc/modules/v1/audit?module=license&action=license.state&per_page=100')
      .expect(200);
    const steps = (rows as { from: { status: string }; to: { status: string } }[])
      .map(({ from, to }) => `${from.status}>${to.status}`)
      .reverse();
    expect(steps).to.deep.equal([
      'valid>disabled',
      'disabled>valid',
      'valid>expired',
      'expired>valid',
      'valid>invalid',
      'invalid>valid',
    ]);
  });
});
