import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/users';

describe('changing users', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    second = await startTestHost({ modules: [], beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  const auditOf = (id: number) =>
    lyceum.host.db
      .knex('audit_log')
      .where({ subject: `user:${id}` })
      .orderBy('id');

  it('lets everybody change himself, but never the login', async () => {
    const ann = await lyceum.make.user({ role: 'subscriber' });
    const { body } = await lyceum
      .as(ann)
      .patch(`${route}/me`, { display_name: 'Ann', first_name: 'A', locale: 'ru-RU', login: 'boss', id: 1 })
      .expect(200);
    expect(body).to.include({ id: ann.id, display_name: 'Ann', first_name: 'A', locale: 'ru-RU' });
    expect(body).to.include({ login: ann.login, email: ann.email, role: 'subscriber' });
    const [row] = await auditOf(ann.id);
    expect(row).to.deep.include({
      action: 'user.update',
      blog_id: null,
      from: { display_name: ann.login, first_name: '', locale: 'en' },
      to: { display_name: 'Ann', first_name: 'A', locale: 'ru-RU' },
    });
    await lyceum.as(ann).put(`${route}/${ann.id}`, { display_name: 'Ann' }).expect(200);
    expect(await auditOf(ann.id)).to.have.length(1);
  });

  it('ends the other sessions with a new password, and all application passwords', async () => {
    const ann = await lyceum.make.user();
    const [own, other] = [await lyceum.make.session(ann.id), await lyceum.make.session(ann.id)];
    const bystander = await lyceum.make.session(1);
    await lyceum.as(own.signed).patch(`${route}/me`, { password: 'a new password' }).expect(200);
    await second.as(own.signed).get(`${route}/me`).expect(200);
    await second.as(bystander.signed).get(`${route}/me`).expect(200);
    for (const dead of [other.signed, ann]) {
      const refused = await second.as(dead).get(`${route}/me`).expect(401);
      expect(refused.body.code).to.equal('rest_not_logged_in');
    }
    await lyceum.anonymous
      .post('svc/host/v1/session', { login: ann.login, password: 'a new password' })
      .expect(200);
    const [row] = await auditOf(ann.id);
    expect(row).to.deep.include({ from: {}, to: { password: '********' } });
  });

  it('ends the other sessions with a new e-mail, but no application password', async () => {
    const ann = await lyceum.make.user();
    const [own, other] = [await lyceum.make.session(ann.id), await lyceum.make.session(ann.id)];
    await lyceum.as(own.signed).patch(`${route}/me`, { email: ann.email }).expect(200);
    await lyceum.as(other.signed).get(`${route}/me`).expect(200);
    await lyceum
      .as(own.signed)
      .patch(`${route}/me`, { email: `new${ann.email}` })
      .expect(200);
    await lyceum.as(own.signed).get(`${route}/me`).expect(200);
    await lyceum.as(other.signed).get(`${route}/me`).expect(401);
    await lyceum.as(ann).get(`${route}/me`).expect(200);
  });

  it('ends every session of somebody whose password another sets', async () => {
    const ann = await lyceum.make.user();
    const { signed } = await lyceum.make.session(ann.id);
    const admin = await lyceum.make.session(1);
    await lyceum.as(admin.signed).patch(`${route}/${ann.id}`, { password: 'set by admin' }).expect(200);
    await lyceum.as(signed).get(`${route}/me`).expect(401);
    await lyceum.as(admin.signed).get(`${route}/me`).expect(200);
  });

  it('never lets a session outlive the password that opened it', async () => {
    const ann = await lyceum.make.user();
    const admin = lyceum.as(await lyceum.make.admin());
    await admin.patch(`${route}/${ann.id}`, { password: 'the old password' }).expect(200);
    const signIn = () =>
      second.anonymous.post('svc/host/v1/session', { login: ann.login, password: 'the old password' });
    const [, ...answers] = await Promise.all([
      admin.patch(`${route}/${ann.id}`, { password: 'the new password' }).expect(200),
      ...Array.from({ length: 8 }, signIn),
    ]);
    expect(answers).to.have.length(8);
    expect(await lyceum.host.db.knex('sessions').where({ user_id: ann.id })).to.deep.equal([]);
  });

  it('refuses a taken e-mail, also in parallel', async () => {
    const [ann, bob] = [await lyceum.make.user(), await lyceum.make.user()];
    const taken = await lyceum.as(ann).patch(`${route}/me`, { email: bob.email.toUpperCase() }).expect(409);
    expect(taken.body.code).to.equal('user_email_exists');
    const answers = await Promise.all(
      [ann, bob].map((user) => lyceum.as(user).patch(`${route}/me`, { email: 'both@example.com' })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('lets who may promote change the role of a member, and nothing else of him', async () => {
    const site = await lyceum.make.site();
    const administrator = await lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const member = await lyceum.make.user({ role: 'author', site: site.blog_id });
    const stranger = await lyceum.make.user({ role: 'author' });
    const client = lyceum.as(administrator, site);
    const { body } = await client.patch(`${route}/${member.id}`, { role: 'editor' }).expect(200);
    expect(body.role).to.equal('editor');
    await client.patch(`${route}/${member.id}`, { display_name: 'x' }).expect(403);
    await client.patch(`${route}/${member.id}`, { role: 'author', password: 'long enough' }).expect(403);
    await client.patch(`${route}/${member.id}`, { super_admin: true }).expect(403);
    await client.patch(`${route}/${member.id}`, { super_admin: false }).expect(403);
    // Adding a member would show who is behind a number.
    await client.patch(`${route}/${stranger.id}`, { role: 'subscriber' }).expect(404);
    await client.patch(`${route}/999999`, { role: 'subscriber' }).expect(404);
    expect((await lyceum.as(member, site).get(`${route}/me`)).body.role).to.equal('editor');
    expect((await auditOf(member.id)).at(-1)).to.deep.include({
      action: 'user.role',
      blog_id: site.blog_id,
      from: { role: 'author' },
      to: { role: 'editor' },
    });
    await client.patch(`${route}/${member.id}`, { role: null }).expect(200);
    await client.get(`${route}/${member.id}`).expect(404);
  });

  it('gives a role on another site of the network, and takes it effect at once', async () => {
    const site = await lyceum.make.site();
    const ann = await lyceum.make.user();
    const admin = lyceum.as(await lyceum.make.admin());
    await second.as(ann, site).get(route).expect(403);
    const { body } = await admin
      .patch(`${route}/${ann.id}?blog_id=${site.blog_id}`, { role: 'administrator' })
      .expect(200);
    expect(body.role).to.equal('administrator');
    await second.as(ann, site).get(route).expect(200);
    await admin.patch(`${route}/${ann.id}?blog_id=${site.blog_id}`, { role: 'editor' }).expect(200);
    await second.as(ann, site).get(route).expect(403);
  });

  it('refuses what the caller may not do, before looking at anything else', async () => {
    const ann = await lyceum.make.user({ role: 'editor' });
    const bob = await lyceum.make.user({ role: 'subscriber' });
    await lyceum.anonymous.patch(`${route}/me`, { display_name: 'x' }).expect(401);
    for (const id of [bob.id, 1, 999999, 'abc']) {
      await lyceum.as(ann).patch(`${route}/${id}`, { display_name: 5 }).expect(403);
    }
    for (const body of [{ role: 'editor' }, { role: 'administrator' }, { super_admin: true }]) {
      await lyceum.as(ann).patch(`${route}/me`, body).expect(403);
    }
    const { cookie } = await lyceum.make.session(ann.id);
    await lyceum.as(cookie).patch(`${route}/me`, { display_name: 'x' }).expect(403);
    for (const body of [{ email: 'x' }, { password: 'short' }, { display_name: null }, { locale: '' }]) {
      const answer = await lyceum.as(ann).patch(`${route}/me`, body).expect(400);
      expect(answer.body.code).to.equal('rest_invalid_param');
    }
  });

  it('gives and takes the right over the network', async () => {
    const ann = await lyceum.make.user();
    const admin = lyceum.as(await lyceum.make.admin());
    const { body } = await admin.patch(`${route}/${ann.id}`, { super_admin: true }).expect(200);
    expect(body.super_admin).to.equal(true);
    await second.as(ann).get(`${route}?network=true`).expect(200);
    await admin.patch(`${route}/${ann.id}`, { super_admin: false }).expect(200);
    await second.as(ann).get(`${route}?network=true`).expect(403);
    expect((await auditOf(ann.id)).map((row) => [row.action, row.blog_id, row.to])).to.deep.equal([
      ['user.super_admin', null, { super_admin: true }],
      ['user.super_admin', null, { super_admin: false }],
    ]);
  });

  it('keeps one super admin, whoever resigns at the same time', async () => {
    const network = await lyceum.make.network();
    const bosses = await Promise.all(
      Array.from({ length: 4 }, () => lyceum.make.user({ superAdminOf: network.network_id })),
    );
    const answers = await Promise.all(
      bosses.map((boss, index) =>
        (index % 2 === 0 ? lyceum : second).as(boss, network).patch(`${route}/me`, { super_admin: false }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).to.equal('last_super_admin');
    const kept = await lyceum.host.db.knex('super_admins').where({ network_id: network.network_id });
    expect(kept).to.have.length(1);
  });

  it('gives nobody power over who is more than he is', async () => {
    const other = await lyceum.make.network();
    const boss = await lyceum.make.user({ superAdminOf: other.network_id, network: other.network_id });
    const there = lyceum.as(boss, other);
    const member = await lyceum.make.user({ role: 'author', site: other.blog_id });
    await there.patch(`${route}/${member.id}`, { password: 'set by the boss' }).expect(200);
    // A member there who is also somebody here: whoever set his password would be him here.
    await lyceum.host.db.knex('memberships').insert({ blog_id: 1, user_id: member.id, role: 'editor' });
    for (const body of [{ password: 'set by the boss' }, { email: 'x@y.zz' }, { display_name: 'x' }]) {
      await there.patch(`${route}/${member.id}`, body).expect(403);
    }
    await there.patch(`${route}/${member.id}`, { role: 'editor' }).expect(200);
    await there.delete(`${route}/${member.id}`).expect(403);
    // Who governs both networks may.
    await lyceum.host.db.knex('super_admins').insert({ network_id: 1, user_id: boss.id });
    await there.patch(`${route}/${member.id}`, { display_name: 'x' }).expect(200);
  });

  it('leaves the account alone when a part of the change is refused', async () => {
    const network = await lyceum.make.network();
    const boss = await lyceum.make.user({ superAdminOf: network.network_id });
    const answer = await lyceum
      .as(boss, network)
      .patch(`${route}/me`, { display_name: 'Gone', super_admin: false, role: 'author' })
      .expect(409);
    expect(answer.body.code).to.equal('last_super_admin');
    const { body } = await lyceum.as(boss, network).get(`${route}/me`).expect(200);
    expect(body).to.include({ display_name: boss.login, role: null, super_admin: true });
    expect(await auditOf(boss.id)).to.deep.equal([]);
  });
});
