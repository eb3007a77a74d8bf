import {
  type Identity,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: flags', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const act = (blogId: number | string, action: string, who: Identity = admin) =>
    lyceum.as(who).post(`${sites}/${blogId}/${action}`);
  const actionsOf = async (site: TestSite): Promise<string[]> => {
    const rows = await lyceum.as(admin).get(`svc/modules/v1/audit?blog_id=${site.blog_id}`).expect(200);
    return rows.body.map((row: { action: string }) => row.action);
  };

  it('turns one flag each, and a second time leaves no trace', async () => {
    const site = await lyceum.make.site();
    const steps = [
      ['deactivate', { public: 0, archived: 0 }],
      ['archive', { public: 0, archived: 1 }],
      ['activate', { public: 1, archived: 1 }],
      ['unarchive', { public: 1, archived: 0 }],
    ] as const;
    for (const [action, flags] of steps) {
      const first = await act(site.blog_id, action).expect(200);
      expect(first.body).to.deep.include({ ...flags, deleted: 0, spam: 0, mature: 0 });
      expect((await act(site.blog_id, action).expect(200)).body).to.deep.equal(first.body);
    }
    const written = ['site.unarchive', 'site.activate', 'site.archive', 'site.deactivate'];
    expect(await actionsOf(site)).to.deep.equal(written);
  });

  it('writes one audit row for ten simultaneous requests', async () => {
    const site = await lyceum.make.site();
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(site.blog_id, 'archive')));
    for (const answer of answers) expect(answer.status).to.equal(200);
    expect(await actionsOf(site)).to.deep.equal(['site.archive']);
  });

  it('keeps members of an archived site out, not those who manage the network', async () => {
    const site = await lyceum.make.site();
    const subscriber = await lyceum.make.user({ role: 'subscriber', site: site.blog_id });
    const own = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const me = 'svc/host/v1/users/me';
    await lyceum.as(subscriber, site).get(me).expect(200);
    await act(site.blog_id, 'archive').expect(200);
    for (const who of [subscriber, own]) {
      expect((await lyceum.as(who, site).get(me).expect(410)).body.code).to.equal('site_unavailable');
    }
    expect((await lyceum.as(admin, site).get(me).expect(200)).body.id).to.equal(1);
    await act(site.blog_id, 'unarchive').expect(200);
    await lyceum.as(subscriber, site).get(me).expect(200);
    await lyceum.as(admin, site).get(me).expect(200);
    await act(site.blog_id, 'deactivate').expect(200);
    await lyceum.as(subscriber, site).get(me).expect(200);
  });

  it('keeps members of a deleted or spam site out, not of one that is mature or not public', async () => {
    const site = await lyceum.make.site();
    const editor = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const me = 'svc/host/v1/users/me';
    for (const [flag, status] of [
      ['deleted', 410],
      ['spam', 410],
      ['mature', 200],
    ] as const) {
      await lyceum
        .as(admin)
        .patch(`${sites}/${site.blog_id}`, { [flag]: 1 })
        .expect(200);
      await lyceum.as(editor, site).get(me).expect(status);
      await lyceum.as(admin, site).get(me).expect(200);
      await lyceum
        .as(admin)
        .patch(`${sites}/${site.blog_id}`, { [flag]: 0, public: 0 })
        .expect(200);
      await lyceum.as(editor, site).get(me).expect(200);
    }
  });

  it('keeps the main site public and there', async () => {
    const before = await lyceum.as(admin).get(`${sites}/1`).expect(200);
    for (const action of ['archive', 'deactivate']) {
      expect((await act(1, action).expect(403)).body.code).to.equal('main_site_forbidden');
    }
    for (const action of ['unarchive', 'activate']) await act(1, action).expect(200);
    expect((await lyceum.as(admin).get(`${sites}/1`).expect(200)).body).to.deep.equal(before.body);
  });

  it('lets administrators deactivate their own site and no other', async () => {
    const [mine, other] = [await lyceum.make.site(), await lyceum.make.site()];
    const own = await lyceum.make.user({ role: 'administrator', site: mine.blog_id });
    await lyceum.host.db
      .knex('memberships')
      .insert({ blog_id: other.blog_id, user_id: own.id, role: 'editor' });
    expect((await act(mine.blog_id, 'deactivate', own).expect(200)).body.public).to.equal(0);
    for (const id of [other.blog_id, 1, 99_999, 'x']) {
      expect((await act(id, 'deactivate', own).expect(403)).body.code, String(id)).to.equal('rest_forbidden');
    }
    for (const action of ['activate', 'archive', 'unarchive'])
      await act(mine.blog_id, action, own).expect(403);
    const here = lyceum.as(own, mine);
    await here.post(`${sites}/${other.blog_id}/deactivate`).expect(403);
    await here.post(`${sites}/${mine.blog_id}/deactivate`).expect(200);
  });

  it('answers 404 for what is no site and 401 to nobody', async () => {
    for (const action of ['archive', 'unarchive', 'activate', 'deactivate']) {
      for (const id of ['99999', '0', 'x']) {
        expect((await act(id, action).expect(404)).body.code).to.equal('site_not_found');
      }
      await lyceum.anonymous.post(`${sites}/1/${action}`).expect(401);
      const subscriber = await lyceum.make.user({ role: 'subscriber' });
      await act(1, action, subscriber).expect(403);
      await lyceum.as(admin).get(`${sites}/1/${action}`).expect(405);
    }
  });
});
