import { Addresses, canonicalHash } from '@lyceum/core';
import { type Client, jobsEnded, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Preset, pagebuilder, presets } from './lyceum.ts';

describe('pagebuilder_style_presets: sites and accounts', () => {
  let lyceum: TestHost;
  let admin: Client;
  before(async () => {
    const modules = ['pagebuilder_style_presets', 'site_manager', 'site_duplicator'];
    lyceum = await startTestHost({ modules, package: pagebuilder, config: { workers: 'inline' } });
    admin = lyceum.as(await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  const on = async (site: TestSite) => lyceum.as(await lyceum.make.admin(), site);
  const list = async (client: Client): Promise<Preset[]> =>
    (await client.get(`${presets}?status=any`).expect(200)).body;

  it('take presets along, with their addresses and the hash of what they are then', async () => {
    const site = await lyceum.make.site();
    const there = await on(site);
    const url = (path: string) => new URL(`${path}about/`, lyceum.host.services.host(Addresses).base).href;
    const settings = { link: { url: url(site.path) }, size: { unit: 'px', size: 4.5 } };
    const body = { name: 'Linked', element_type: 'section', settings, is_default: true };
    const { body: made } = await there.post(presets, body).expect(201);
    const { body: old } = await there.post(presets, { ...body, name: 'Old', is_default: false }).expect(201);
    await there.patch(`${presets}/${old.id}`, { status: 'trash' }).expect(200);
    await admin
      .post(`svc/site-duplicator/v1/sites/${site.blog_id}/duplicate`, { slug: 'copied' })
      .expect(202);
    await jobsEnded(lyceum);
    const copy = await on({ path: '/copied/', domain: 'localhost', blog_id: 0 });
    const copied = await list(copy);
    expect(copied.map(({ name, status }) => [name, status])).to.deep.equal([
      ['Linked', 'publish'],
      ['Old', 'trash'],
    ]);
    const [linked] = copied as [Preset];
    expect(linked.settings).to.deep.equal({ ...settings, link: { url: url('/copied/') } });
    expect(linked.hash).to.equal(canonicalHash(linked.settings)).and.not.equal(made.hash);
    expect([linked.slug, linked.is_default]).to.deep.equal(['linked', true]);
    expect(linked.id).to.not.equal(made.id);
    const change = { settings: { a: 1 }, base_hash: linked.hash };
    await copy.patch(`${presets}/${linked.id}`, change).expect(200);
    expect((await list(there)).find(({ id }) => id === made.id)).to.deep.equal(made);
  });

  it('are purged with their presets', async () => {
    const site = await lyceum.make.site();
    await (await on(site)).post(presets, { name: 'x', element_type: 'column', settings: {} }).expect(201);
    await admin.delete(`svc/site-manager/v1/sites/${site.blog_id}?drop_tables=true`).expect(200);
    await jobsEnded(lyceum);
    const { blog_id } = site;
    expect(await lyceum.host.db.knex('style_presets').where({ blog_id })).to.deep.equal([]);
  });

  it('may be deleted: their presets stay, by nobody', async () => {
    const user = await lyceum.make.user({ role: 'author' });
    const body = { name: 'Left', element_type: 'container', settings: {} };
    const { body: made } = await lyceum.as(user).post(presets, body).expect(201);
    expect(made.author_id).to.equal(user.id);
    await admin.delete(`svc/host/v1/users/${user.id}`).expect(200);
    expect((await admin.get(`${presets}/${made.id}`).expect(200)).body).to.deep.equal({
      ...made,
      author_id: 0,
    });
  });
});
