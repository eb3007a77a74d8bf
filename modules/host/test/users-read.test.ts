import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/users';
const idsIn = (body: readonly { id: number }[]): number[] => body.map(({ id }) => id);

describe('reading users', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  it('shows oneself to everybody, by `me` or by id', async () => {
    const ann = await lyceum.make.user({ role: 'subscriber', locale: 'ru' });
    for (const id of ['me', ann.id]) {
      const { body } = await lyceum.as(ann).get(`${route}/${id}`).expect(200);
      expect(body).to.deep.include({
        id: ann.id,
        login: ann.login,
        email: ann.email,
        display_name: ann.login,
        nicename: ann.login,
        first_name: '',
        last_name: '',
        locale: 'ru',
        role: 'subscriber',
        super_admin: false,
      });
      expect(body.registered).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(body).not.to.have.any.keys(['password_hash', 'password', 'network_id']);
    }
  });

  it('says the role on the site that is asked about', async () => {
    const site = await lyceum.make.site();
    const ann = await lyceum.make.user({ role: 'author', site: site.blog_id });
    expect((await lyceum.as(ann).get(`${route}/me`)).body.role).to.equal(null);
    expect((await lyceum.as(ann, site).get(`${route}/me`)).body.role).to.equal('author');
    const { body } = await lyceum.as(ann).get(`${route}/me?blog_id=${site.blog_id}`).expect(200);
    expect(body.role).to.equal('author');
  });

  it('shows members to who may list users, and others to nobody below the network', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const member = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const stranger = await lyceum.make.user({ role: 'editor' });
    const client = lyceum.as(administrator, site);
    expect((await client.get(`${route}/${member.id}`).expect(200)).body.email).to.equal(member.email);
    const unknown = await client.get(`${route}/999999`).expect(404);
    const hidden = await client.get(`${route}/${stranger.id}`).expect(404);
    expect(hidden.body).to.deep.equal(unknown.body);
    expect(unknown.body.code).to.equal('user_not_found');
    for (const id of ['0', '-1', '1.5', 'abc', '2147483648', '99999999999999999999', `${member.id} or 1=1`]) {
      expect((await client.get(`${route}/${id}`).expect(404)).body.code).to.equal('user_not_found');
    }
    await lyceum.as(member, site).get(`${route}/${administrator.id}`).expect(403);
    await lyceum.as(member, site).get(`${route}/999999`).expect(403);
    await lyceum.as(member, site).get(`${route}/abc`).expect(403);
    await lyceum.anonymous.get(`${route}/${member.id}`).expect(401);
    await lyceum.anonymous.get(`${route}/me`).expect(401);
    const { body } = await lyceum
      .as(await lyceum.make.admin(), site)
      .get(`${route}/${stranger.id}`)
      .expect(200);
    expect(body).to.include({ email: stranger.email, role: null });
  });

  it('lists the members of a site in pages that never overlap', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const others = [];
    for (let count = 0; count < 4; count += 1) {
      others.push(await lyceum.make.user({ role: 'author', site: site.blog_id }));
    }
    const client = lyceum.as(administrator, site);
    const first = await client.get(`${route}?per_page=3`).expect(200);
    const second = await client.get(`${route}?per_page=3&page=2`).expect(200);
    expect(idsIn([...first.body, ...second.body])).to.deep.equal(idsIn([administrator, ...others]));
    expect(first.headers).to.include({ 'x-svc-total': '5', 'x-svc-totalpages': '2' });
    expect(first.headers.link).to.include('page=2').and.to.include('rel="next"');
    expect((await client.get(`${route}?page=9`)).body).to.deep.equal([]);
    const newest = await client.get(`${route}?orderby=registered&order=desc&per_page=1`).expect(200);
    expect(idsIn(newest.body)).to.deep.equal([others[3]?.id]);
  });

  it('filters by role and by a part of the names, in which nothing is a wildcard', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const zoe = await lyceum.make.user({ role: 'author', site: site.blog_id, login: 'zoe_x' });
    const client = lyceum.as(administrator, site);
    const found = async (query: string) => idsIn((await client.get(`${route}?${query}`).expect(200)).body);
    expect(await found('role=author')).to.deep.equal([zoe.id]);
    expect(await found('role=editor')).to.deep.equal([]);
    expect(await found('search=ZOE')).to.deep.equal([zoe.id]);
    expect(await found('search=e_x@example')).to.deep.equal([zoe.id]);
    expect(await found('search=zo_')).to.deep.equal([]);
    expect(await found('search=%25')).to.deep.equal([]);
    expect(await found('orderby=login&order=desc')).to.deep.equal([zoe.id, administrator.id]);
    for (const query of [
      'role=boss',
      'orderby=email;drop',
      'order=up',
      'per_page=101',
      'page=1001',
      'network=yes',
    ]) {
      const answer = await client.get(`${route}?${query}`).expect(400);
      expect(answer.body.code).to.equal('rest_invalid_param');
    }
  });

  it('lists the whole network to who manages it', async () => {
    const site = await lyceum.make.site();
    const member = await lyceum.make.user({ role: 'author', site: site.blog_id });
    const alone = await lyceum.make.user();
    const administrator = await lyceum.make.user({ role: 'administrator' });
    const answer = await lyceum
      .as(await lyceum.make.admin())
      .get(`${route}?network=true&per_page=100`)
      .expect(200);
    expect(idsIn(answer.body)).to.include.members([1, member.id, alone.id, administrator.id]);
    expect(Number(answer.headers['x-svc-total'])).to.equal(answer.body.length);
    await lyceum.as(administrator).get(`${route}?network=true`).expect(403);
    await lyceum.as(administrator).get(`${route}?network=false`).expect(200);
  });

  it('refuses the list to nobody, editors, and administrators of other sites', async () => {
    const site = await lyceum.make.site();
    const stranger = await lyceum.make.user({ role: 'administrator' });
    await lyceum.anonymous.get(route).expect(401);
    await lyceum
      .as(await lyceum.make.user({ role: 'editor' }))
      .get(route)
      .expect(403);
    await lyceum.as(stranger, site).get(route).expect(403);
    await lyceum.as(stranger).get(`${route}?blog_id=${site.blog_id}`).expect(403);
    await lyceum.as(stranger).get(`${route}?blog_id=abc`).expect(400);
  });

  it('takes a role for that of the site which it is asked about, and of no other', async () => {
    const site = await lyceum.make.site();
    const ann = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    // A route that takes no blog_id must not lend the role that ann has there.
    const { body } = await lyceum.as(ann).get(`svc/host/v1/session?blog_id=${site.blog_id}`).expect(200);
    expect(body.user.role).to.equal(null);
  });

  it("hides another network's users, and does not know what ties they have there", async () => {
    const other = await lyceum.make.network();
    const boss = await lyceum.make.user({ superAdminOf: other.network_id, network: other.network_id });
    const theirs = await lyceum.make.user({
      role: 'editor',
      site: other.blog_id,
      network: other.network_id,
    });
    const shared = await lyceum.make.user({ role: 'author', site: other.blog_id });
    const mine = await lyceum.make.user({ role: 'author' });
    const admin = lyceum.as(await lyceum.make.admin());
    const there = lyceum.as(boss, other);
    const all = `${route}?network=true&per_page=100`;
    expect(idsIn((await there.get(all).expect(200)).body)).to.deep.equal([boss.id, theirs.id, shared.id]);
    const here = idsIn((await admin.get(all).expect(200)).body);
    expect(here).to.include.members([mine.id, shared.id]).and.not.to.include.members([theirs.id]);
    await there.get(`${route}/${mine.id}`).expect(404);
    await there.get(`${route}/1`).expect(404);
    await admin.get(`${route}/${theirs.id}`).expect(404);
    expect((await admin.get(`${route}/${shared.id}`).expect(200)).body.role).to.equal(null);
    await there.get(`${route}?blog_id=1`).expect(404);
    // Super admin there, nobody here.
    await lyceum.as(boss).get(route).expect(403);
    await lyceum.as(boss).get(`${route}/me`).expect(200);
  });
});
