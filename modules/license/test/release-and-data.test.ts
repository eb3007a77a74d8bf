import { expect } from 'chai';
import { route } from './license-kit.ts';
import { useWorld } from './world.ts';

const key = '0123456789abcdef0123456789abcdef';

describe('license: release, and what servers say', () => {
  const world = useWorld();

  it('releases the seat, and keeps the license while the server cannot be told', async () => {
    const sold = world.server.sell(key);
    await world.activate(key).expect(200);
    const release = (body: object = {}) => world.admin.post(`${route}/svclms/deactivate`, body);
    await world.server.stop();
    try {
      expect((await release().expect(502)).body.code).to.equal('license_server_unreachable');
      expect(await world.status()).to.include({ status: 'valid' });
    } finally {
      await world.server.start();
    }
    expect((await release().expect(200)).body).to.include({
      status: 'inactive',
      license_key: null,
      kind: null,
    });
    expect(sold.sites.size).to.equal(0);
    await release().expect(200);
    await world.activate(key).expect(200);
    await world.server.stop();
    try {
      expect((await release({ force: true }).expect(200)).body).to.include({ status: 'inactive' });
    } finally {
      await world.server.start();
    }
    await world.activate(key).expect(200);
    sold.sites.clear();
    expect((await release().expect(200)).body.status).to.equal('inactive');
  });

  it('releases nothing without a world.server, unless by force', async () => {
    world.server.sell(key);
    await world.activate(key).expect(200);
    await world.lyceum.make.settings('license', { server_url: '' });
    const refused = await world.admin.post(`${route}/svclms/deactivate`).expect(409);
    expect(refused.body.code).to.equal('license_server_not_configured');
    await world.admin.post(`${route}/svclms/deactivate`, { force: true }).expect(200);
  });

  it('shows what the server said, and the newest version, once in 12 h', async () => {
    world.server.sell(key);
    await world.activate(key).expect(200);
    const data = async () => (await world.admin.get(`${route}/svclms/data`).expect(200)).body;
    const first = await data();
    expect(first.server).to.include({ success: true, license: 'valid', payment_id: 54224 });
    expect(first.server).to.not.have.any.keys('checksum', 'license_key');
    expect(first.claims).to.equal(null);
    expect(first.version).to.include({
      latest: '2.1.0',
      homepage: 'https://example.org/lms',
      changelog: '<h4>2.1 — naïve</h4>',
      tested: '6.4',
    });
    expect(JSON.stringify(first)).to.not.include(key);
    await data();
    world.now = new Date(world.now.getTime() + 12 * 3_600_000 - 1);
    await data();
    expect(world.server.actions()).to.deep.equal(['activate_license', 'get_version']);
    world.now = new Date(world.now.getTime() + 1);
    await world.server.stop();
    try {
      expect((await data()).version).to.deep.equal(first.version);
    } finally {
      await world.server.start();
    }
  });

  it('knows no version when none could be had', async () => {
    world.server.respond = (_asked, response) => void response.end('<html>');
    const { body } = await world.admin.get(`${route}/svctutor/data`).expect(200);
    expect(body).to.include({ server: null, claims: null, version: null });
    await world.lyceum.make.settings('license', { server_url: '' });
    expect((await world.admin.get(`${route}/svctutor/data`).expect(200)).body.version).to.equal(null);
  });

  it('sends a signed key to no server', async () => {
    await world.activate(world.vendor.key()).expect(200);
    await world.admin.get(`${route}/svclms/data`).expect(200);
    expect(world.server.asked.map(({ license }) => license)).to.deep.equal(['']);
  });
});
