import type { TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { readOfflineKey } from '../offline/offline-key.ts';
import { route, Vendor } from './license-kit.ts';
import { useWorld } from './world.ts';

describe('license: signed keys', () => {
  const world = useWorld({ modules: ['license', 'site_manager'] });
  const sites: TestSite[] = [];
  before(async () => {
    for (let count = 0; count < 4; count += 1) sites.push(await world.lyceum.make.site());
  });
  beforeEach(() => world.lyceum.make.settings('license', { server_url: '' }));

  const onSite = (site: number, license_key: string) =>
    world.admin.post(`${route}/svclms/activate?blog_id=${sites[site]?.blog_id}`, {
      license_key,
      scope: 'site',
    });
  const offSite = (site: number) =>
    world.admin.post(`${route}/svclms/deactivate?blog_id=${sites[site]?.blog_id}`, { scope: 'site' });
  const refresh = (site: number) => world.refreshed(`&scope=site&blog_id=${sites[site]?.blog_id}`);

  it('activates without a server', async () => {
    const key = world.vendor.key();
    const { body } = await world.activate(key).expect(200);
    expect(body).to.include({ status: 'valid', kind: 'offline', expires: '2031-01-01T00:00:00Z' });
    expect(body).to.include({ license_key: `****${key.slice(-4)}`, customer_name: 'Bea Roe' });
    expect(body.seats).to.deep.equal({ limit: 2, used: 1, left: 1 });
    const { body: again } = await world.activate(key).expect(200);
    expect(again.seats).to.deep.equal({ limit: 2, used: 1, left: 1 });
    const { body: data } = await world.admin.get(`${route}/svclms/data`).expect(200);
    expect(data).to.include({ server: null, version: null });
    expect(data.claims).to.include({ id: 'lic-1', seats: 2 });
  });

  it('takes public keys raw and as SPKI, and none that is another kind', async () => {
    await world.lyceum.make.settings('license', {
      public_keys: [new Vendor().publicKeyDer, world.vendor.publicKeyDer],
    });
    await world.activate(world.vendor.key()).expect(200);
    const x25519 = `MCowBQYDK2VuAyEA${'A'.repeat(43)}=`;
    for (const bad of [
      '',
      'abc',
      'g'.repeat(64),
      world.vendor.publicKey.slice(1),
      x25519,
      world.vendor.publicKeyDer.slice(4),
    ]) {
      const settings = { public_keys: [bad] };
      await world.admin.patch('svc/modules/v1/modules/license/settings', { settings }).expect(400);
    }
  });

  it('holds for life or to its day', async () => {
    const { body } = await world.activate(world.vendor.key({ expires: null, seats: 0 })).expect(200);
    expect(body).to.include({ expires: null, lifetime: true });
    expect(body.seats).to.deep.equal({ limit: 0, used: 1, left: null });
    await world.activate(world.vendor.key({ expires: '2027-01-01T02:00:00.5+02:00' })).expect(200);
    world.now = new Date('2027-01-01T00:00:00.500Z');
    expect((await world.admin.get(`${route}/svclms/status`).expect(200)).body).to.include({
      status: 'expired',
      valid: false,
      effective_scope: null,
    });
  });

  it('refuses what is not signed so', async () => {
    const key = world.vendor.key();
    const [signed = '', signature = ''] = key.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const flipped = (at: number): string => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return `${signed}.${copy.toString('base64url')}`;
    };
    const forged = [
      flipped(0),
      flipped(63),
      `${signed.slice(0, -1)}${signed.endsWith('A') ? 'B' : 'A'}.${signature}`,
      `${signed}.${Buffer.alloc(64).toString('base64url')}`,
      `${signed}.${Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')}`,
      `${signed}.${bytes.subarray(1).toString('base64url')}`,
      `${signed}.`,
      `${signed}.${signature}.${signature}`,
      `${signed}=.${signature}`,
      signed,
      'key/',
      'key/.',
      'key/@@@.@@@',
      new Vendor().key(),
    ];
    for (const text of forged) expect(await world.reasonOf(text), text).to.equal('missing');
  });

  it('refuses payloads that are none, though they are signed', async () => {
    const payload = { v: 1, id: 'x', product: 'svclms', seats: 1, expires: null };
    const deep = `{"v":1,"id":"x","product":"svclms","seats":1,"name":${'['.repeat(500)}${']'.repeat(500)}}`;
    const bad = [
      'null',
      '[]',
      '"text"',
      '{',
      '',
      Buffer.from([0xff, 0xfe]),
      deep,
      '{"v":1,"id":"x","product":"svclms","seats":1,"__proto__":{"v":1}}',
      '{"v":1,"id":"x","product":"svclms","seats":1,"name":"\\u0000"}',
      JSON.stringify({ ...payload, v: 2 }),
      JSON.stringify({ ...payload, v: '1' }),
      JSON.stringify({ ...payload, seats: -1 }),
      JSON.stringify({ ...payload, seats: 1.5 }),
      JSON.stringify({ ...payload, expires: 'tomorrow' }),
      JSON.stringify({ ...payload, expires: '2031-02-30T00:00:00Z' }),
    ];
    for (const text of bad)
      expect(await world.reasonOf(world.vendor.sign(text)), String(text)).to.equal('missing');
    await world.lyceum.host.db.knex('rate_limits').delete();
    const hosts = JSON.stringify({ ...payload, hosts: 'x.org' });
    expect(await world.reasonOf(world.vendor.sign(hosts))).to.equal('missing');
    const long = world.vendor.sign(JSON.stringify({ ...payload, name: 'x'.repeat(1_450) }));
    expect(readOfflineKey(long, [world.vendor.publicKey])).to.equal(null);
    await world.activate(world.vendor.sign(JSON.stringify(payload))).expect(200);
  });

  it('says what is wrong with a right signature', async () => {
    expect(await world.reasonOf(world.vendor.key(), 'svclms-pro')).to.equal('key_mismatch');
    const yesterday = new Date(world.now.getTime() - 86_400_000).toISOString();
    expect(await world.reasonOf(world.vendor.key({ expires: yesterday }))).to.equal('expired');
    for (const hosts of [['other.org'], ['*.localhost'], ['localhost.org', 'xlocalhost']]) {
      expect(await world.reasonOf(world.vendor.key({ hosts })), String(hosts)).to.equal(
        'license_not_activable',
      );
    }
    for (const hosts of [[], ['other.org', 'LOCALHOST'], ['localhost.']]) {
      await world.activate(world.vendor.key({ hosts })).expect(200);
    }
  });

  it('counts seats over all sites, whoever has them', async () => {
    const key = world.vendor.key();
    await onSite(0, key).expect(200);
    const { body } = await onSite(1, key).expect(200);
    expect(body).to.include({ scope: 'site', effective_scope: 'site' });
    expect(body.seats).to.deep.equal({ limit: 2, used: 2, left: 0 });
    const refused = await onSite(2, key).expect(403);
    expect(refused.body.data.reason).to.equal('no_activations_left');
    await offSite(0).expect(200);
    await onSite(2, key).expect(200);
    expect((await onSite(0, key).expect(403)).body.data.reason).to.equal('no_activations_left');
  });

  it('counts a key once, however its signature is written down', async () => {
    const key = world.vendor.key({ seats: 1 });
    await onSite(0, key).expect(200);
    // The last of 86 characters has four bits that mean nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = letters.indexOf(key.slice(-1));
    const twin = `${key.slice(0, -1)}${letters[last ^ 1]}`;
    for (const text of [`${key}==`, twin]) {
      const { body } = await onSite(1, text).expect(403);
      expect(body.data.reason, text).to.equal('no_activations_left');
    }
  });

  it('gives the last seat to one of many who want it at once', async () => {
    const key = world.vendor.key({ seats: 2 });
    await onSite(3, key).expect(200);
    const answers = await Promise.all([0, 1, 2].map((site) => onSite(site, key)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403, 403]);
    expect(await world.lyceum.host.db.knex('license_seats')).to.have.length(2);
  });

  it('gives the seat of the key back that another one replaces', async () => {
    const [first, second] = [world.vendor.key({ seats: 1 }), world.vendor.key({ id: 'lic-2', seats: 1 })];
    await onSite(0, first).expect(200);
    await onSite(0, second).expect(200);
    await onSite(1, first).expect(200);
    expect((await onSite(1, second).expect(403)).body.data.reason).to.equal('no_activations_left');
    expect((await onSite(0, first).expect(403)).body.data.reason).to.equal('no_activations_left');
    expect((await refresh(0)).status).to.equal('valid');
  });

  it('is invalid once nobody trusts its world.vendor, and valid again', async () => {
    await onSite(0, world.vendor.key()).expect(200);
    await world.lyceum.make.settings('license', { public_keys: [] });
    expect(await refresh(0)).to.include({ status: 'invalid', valid: false });
    await world.lyceum.make.settings('license', { public_keys: [world.vendor.publicKeyDer] });
    expect(await refresh(0)).to.include({ status: 'valid', valid: true });
  });

  it('frees the seat of a site that is removed, and of one that comes back the site has none', async () => {
    const key = world.vendor.key({ seats: 1 });
    const site = await world.lyceum.make.site();
    const route1 = `${route}/svclms/activate`;
    await world.admin
      .post(`${route1}?blog_id=${site.blog_id}`, { license_key: key, scope: 'site' })
      .expect(200);
    await world.admin.delete(`svc/site-manager/v1/sites/${site.blog_id}?drop_tables=false`).expect(200);
    expect(await world.lyceum.host.db.knex('license_seats')).to.have.length(0);
    await onSite(0, key).expect(200);
    await world.admin.post(`svc/site-manager/v1/sites/${site.blog_id}/restore`, {}).expect(200);
    const query = `blog_id=${site.blog_id}&scope=site&refresh=true`;
    const { body } = await world.admin.get(`${route}/svclms/status?${query}`).expect(200);
    expect(body).to.include({ status: 'site_inactive', valid: false });
  });
});
