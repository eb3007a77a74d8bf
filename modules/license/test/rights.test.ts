import { type Client, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { forgetLicenses, route, Vendor } from './license-kit.ts';

describe('license: who may', () => {
  let lyceum: TestHost;
  let admin: Client;
  let second: TestSite;
  let administrator: Client;
  let editor: Client;
  const vendor = new Vendor();

  before(async () => {
    lyceum = await startTestHost({ modules: ['license'] });
    admin = lyceum.as(await lyceum.make.admin());
    second = await lyceum.make.site();
    const site = second.blog_id;
    administrator = lyceum.as(await lyceum.make.user({ role: 'administrator', site }), second);
    editor = lyceum.as(await lyceum.make.user({ role: 'editor', site }), second);
  });
  after(() => lyceum.stop());
  beforeEach(async () => {
    await forgetLicenses(lyceum);
    await lyceum.make.settings('license', { public_keys: [vendor.publicKey], allow_site_licenses: null });
  });

  const gets = ['products', 'svclms/status', 'svclms/data'];
  const posts = ['svclms/activate', 'svclms/deactivate'];
  const body = () => ({ license_key: vendor.key({ seats: 0 }) });

  it('nobody and editors: nothing', async () => {
    for (const path of gets) {
      await lyceum.anonymous.get(`${route}/${path}`).expect(401);
      expect((await editor.get(`${route}/${path}`).expect(403)).body.code).to.equal('rest_forbidden');
    }
    for (const path of posts) {
      await lyceum.anonymous.post(`${route}/${path}`, body()).expect(401);
      await editor.post(`${route}/${path}`, body()).expect(403);
    }
  });

  it('administrators of a site: its own licenses', async () => {
    for (const path of gets) {
      await administrator.get(`${route}/${path}`).expect(200);
      await administrator.get(`${route}/${path}?scope=network`).expect(403);
      await administrator.get(`${route}/${path}?blog_id=1`).expect(403);
    }
    const { body: made } = await administrator.post(`${route}/svclms/activate`, body()).expect(200);
    expect(made).to.include({ scope: 'site', effective_scope: 'site' });
    expect(made.url).to.equal(lyceum.host.addresses.site(second));
    for (const path of posts) {
      await administrator.post(`${route}/${path}`, { ...body(), scope: 'network' }).expect(403);
      await administrator.post(`${route}/${path}?blog_id=1`, body()).expect(403);
    }
    const { body: main } = await admin.get(`${route}/svclms/status?scope=site`).expect(200);
    expect(main.status).to.equal('inactive');
    await lyceum.make.settings('license', { allow_site_licenses: false });
    for (const path of posts) {
      expect((await administrator.post(`${route}/${path}`, body()).expect(403)).body.code).to.equal(
        'rest_forbidden',
      );
      await admin.post(`${route}/${path}`, { ...body(), scope: 'site' }).expect(403);
      await admin.post(`${route}/${path}`, body()).expect(200);
    }
    expect((await administrator.get(`${route}/svclms/status`).expect(200)).body.status).to.equal('valid');
  });

  it('see neither key nor customer of a license of the network', async () => {
    await admin.post(`${route}/svclms/activate`, body()).expect(200);
    const { body: seen } = await administrator.get(`${route}/svclms/status`).expect(200);
    expect(seen).to.include({ scope: 'site', effective_scope: 'network', status: 'valid', valid: true });
    expect(seen).to.include({
      license_key: null,
      customer_name: null,
      customer_email: null,
      kind: 'offline',
    });
    expect(seen.expires).to.equal('2031-01-01T00:00:00Z');
    const { body: data } = await administrator.get(`${route}/svclms/data`).expect(200);
    expect(data.license).to.deep.equal(seen);
    expect(data.claims).to.include({ product: 'svclms' });
    expect(JSON.stringify(data)).to.not.match(/Bea|bea@/);
    const { body: list } = await administrator.get(`${route}/products`).expect(200);
    expect(list.find((record: { product_id: string }) => record.product_id === 'svclms')).to.deep.equal(seen);
    // Its own license goes first; released, the network's holds on.
    const { body: own } = await administrator.post(`${route}/svclms/activate`, body()).expect(200);
    expect(own).to.include({ effective_scope: 'site', customer_name: 'Bea Roe' });
    const { body: released } = await administrator.post(`${route}/svclms/deactivate`).expect(200);
    expect(released).to.include({ status: 'inactive', license_key: null, effective_scope: 'network' });
  });

  it('products and input are checked', async () => {
    for (const id of ['nope', '..', '%2e%2e', 'SVCLMS', '__proto__', 'x'.repeat(300), 'svclms%2f..']) {
      const { body: answer } = await admin.get(`${route}/${id}/status`).expect(404);
      expect(answer.code, id).to.be.oneOf(['license_product_not_found', 'rest_no_route']);
    }
    await admin.get(`${route}/svclms/../svclms/status`);
    for (const id of ['nope', '__proto__']) {
      const { body: answer } = await admin.post(`${route}/${id}/activate`, body()).expect(404);
      expect(answer.code).to.equal('license_product_not_found');
    }
    const wrong = [
      {},
      [],
      1,
      null,
      true,
      '',
      ' ',
      '\t',
      'a\nb',
      'ABC\r\n',
      'a\0b',
      'x'.repeat(2_049),
      '\ud800',
    ];
    for (const license_key of wrong) {
      const { body: answer } = await admin.post(`${route}/svclms/activate`, { license_key }).expect(400);
      expect(answer.code, JSON.stringify(license_key)).to.equal('rest_invalid_param');
    }
    const { body: absent } = await admin.post(`${route}/svclms/activate`, {}).expect(400);
    expect(absent).to.deep.include({ code: 'rest_missing_callback_param' });
    expect(absent.data.params).to.deep.equal(['license_key']);
    for (const scope of ['NETWORK', 'all', 1, null]) {
      await admin.post(`${route}/svclms/activate`, { ...body(), scope }).expect(400);
      await admin.post(`${route}/svclms/deactivate`, { scope }).expect(400);
    }
    await admin.get(`${route}/products?scope=all`).expect(400);
    await admin.get(`${route}/svclms/status?refresh=maybe`).expect(400);
    await admin.post(`${route}/svclms/deactivate`, { force: 'yes' }).expect(400);
    expect((await admin.get(`${route}/products?blog_id=0`).expect(400)).body.code).to.equal('invalid_blog');
    expect((await admin.get(`${route}/products?blog_id=99999`).expect(404)).body.code).to.equal(
      'unknown_blog',
    );
  });

  it('keys are not to be guessed: 20 a minute', async () => {
    const guesses = [];
    for (let count = 0; count < 22; count += 1) {
      guesses.push(
        (await administrator.post(`${route}/svclms/activate`, { license_key: `key/${count}` })).status,
      );
    }
    expect(guesses).to.deep.equal([...Array(20).fill(403), 429, 429]);
    const { body: answer, headers } = await administrator
      .post(`${route}/svclms/activate`, body())
      .expect(429);
    expect(answer.code).to.equal('rest_too_many_requests');
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    await admin.post(`${route}/svclms/activate`, body()).expect(200);
  });

  it('addresses of the server are checked when they are saved', async () => {
    const save = (server_url: unknown) =>
      admin.patch('svc/modules/v1/modules/license/settings', { settings: { server_url } });
    const bad = [
      'file:///etc/passwd',
      'gopher://example.org/',
      'javascript:alert(1)',
      'example.org',
      'http://',
      'http://user:password@example.org/',
      'http://127.0.0.1/',
      'http://127.1:8080/',
      'http://[::1]/',
      'http://2130706433/',
      'http://169.254.169.254/latest/',
      'http://10.0.0.1/',
      1,
      {},
    ];
    for (const url of bad) {
      const { body: answer } = await save(url).expect(400);
      expect(answer.data.params, String(url)).to.have.property('settings.server_url');
    }
    await save('http://licenses.example.org/?edd=1').expect(200);
    await lyceum.make.settings('host', { outbound_allow: ['127.0.0.1:9000'] });
    await save('http://127.0.0.1:9000/').expect(200);
    await save('http://127.0.0.1:9001/').expect(400);
    await save('').expect(200);
  });
});

describe('license: a single site', () => {
  let lyceum: TestHost;
  const vendor = new Vendor();

  before(async () => {
    lyceum = await startTestHost({ modules: ['license'], config: { multisite: 'off' } });
    await lyceum.make.settings('license', { public_keys: [vendor.publicKey], allow_site_licenses: false });
  });
  after(() => lyceum.stop());

  it('has one license per product, whatever the scope', async () => {
    const administrator = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
    const license_key = vendor.key();
    await administrator.post(`${route}/svclms/activate`, { license_key, scope: 'site' }).expect(200);
    for (const scope of ['network', 'site']) {
      const { body } = await administrator.get(`${route}/svclms/status?scope=${scope}`).expect(200);
      expect(body).to.include({ scope, effective_scope: scope, status: 'valid', customer_name: 'Bea Roe' });
      expect(body.seats).to.deep.equal({ limit: 2, used: 1, left: 1 });
    }
    await administrator.post(`${route}/svclms/deactivate`, { scope: 'network' }).expect(200);
    const { body } = await administrator.get(`${route}/svclms/status`).expect(200);
    expect(body.status).to.equal('inactive');
  });
});
