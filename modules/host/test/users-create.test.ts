import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/users';

describe('creating users', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  const asAdmin = async (site?: { path: string; domain: string }) =>
    lyceum.as(await lyceum.make.admin(), site);

  it('makes an account with a role on the site, who can sign in', async () => {
    const site = await lyceum.make.site();
    const admin = await asAdmin(site);
    const answer = await admin
      .post(route, {
        login: 'ann.b-c@x',
        email: 'Ann@Example.com',
        password: 'pässword of ann',
        first_name: 'Ann',
        last_name: 'Bee',
        locale: 'lv',
        role: 'editor',
        super_admin: true,
        id: 77,
      })
      .expect(201);
    const { id } = answer.body;
    expect(answer.body).to.deep.include({
      login: 'ann.b-c@x',
      email: 'Ann@Example.com',
      display_name: 'Ann Bee',
      nicename: 'ann-b-c-x',
      locale: 'lv',
      role: 'editor',
      super_admin: false,
    });
    expect(id).not.to.equal(77);
    expect(answer.headers.location).to.equal(
      `http://localhost:${lyceum.host.port}${site.path}api/${route}/${id}`,
    );
    expect(answer.text).not.to.include('pässword');
    const { body } = await lyceum.anonymous
      .post('svc/host/v1/session', { login: 'ann@example.COM', password: 'pässword of ann' })
      .expect(200);
    expect(body.user.id).to.equal(id);
    const stored = await lyceum.host.db.knex('users').where({ id }).first();
    expect(stored.password_hash).to.match(/^\$argon2id\$/);
    expect((await (await asAdmin()).get(`${route}/${id}`)).body.role).to.equal(null);
  });

  it('makes one without password and membership, and nicenames that do not clash', async () => {
    const admin = await asAdmin();
    const [dot, dash] = await Promise.all([
      admin.post(route, { login: 'same.name', email: 'same1@example.com' }).expect(201),
      admin.post(route, { login: 'same-name', email: 'same2@example.com', role: null }).expect(201),
    ]);
    expect([dot.body.nicename, dash.body.nicename].sort()).to.deep.equal(['same-name', 'same-name-2']);
    expect(dot.body).to.include({ role: null, display_name: 'same.name', locale: 'en' });
    await admin.get(`${route}/${dot.body.id}`).expect(200);
    for (const password of ['same.name', 'null']) {
      await lyceum.anonymous.post('svc/host/v1/session', { login: 'same.name', password }).expect(401);
    }
  });

  it('keeps logins and e-mails apart from all others, in any case and in parallel', async () => {
    const admin = await asAdmin();
    const made = { login: 'taken', email: 'taken@example.com' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(route, made)));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).to.equal(409);
      expect(body.code).to.be.oneOf(['user_login_exists', 'user_email_exists']);
    }
    const clash = async (body: object, code: string): Promise<void> => {
      expect((await admin.post(route, body).expect(409)).body.code).to.equal(code);
    };
    await clash({ login: 'taken', email: 'free@example.com' }, 'user_login_exists');
    await clash({ login: 'free', email: 'TAKEN@example.com' }, 'user_email_exists');
    await clash({ login: 'taken@example.com', email: 'free@example.com' }, 'user_login_exists');
    await admin.post(route, { login: 'mail@example.com', email: 'other@example.com' }).expect(201);
    await clash({ login: 'free', email: 'mail@example.com' }, 'user_email_exists');
  });

  it('refuses banned domains, and others than the limited ones', async () => {
    const admin = await asAdmin(await lyceum.make.site());
    const limit = (network: object) => admin.patch('svc/host/v1/settings', { network }).expect(200);
    const tried = async (login: string, email: string): Promise<number> => {
      const { status, body } = await admin.post(route, { login, email });
      if (status === 400) expect(body.data.params).to.have.all.keys(['email']);
      return status;
    };
    await limit({ banned_email_domains: ['spam.example'] });
    expect(await tried('ban1', 'a@SPAM.example')).to.equal(400);
    expect(await tried('ban2', 'a@mail.spam.example')).to.equal(400);
    expect(await tried('ban3', 'a@notspam.example')).to.equal(201);
    await limit({ limited_email_domains: ['school.example'] });
    expect(await tried('lim1', 'a@school.example')).to.equal(201);
    expect(await tried('lim2', 'a@elsewhere.example')).to.equal(400);
    const own = await admin.patch(`${route}/me`, { email: 'x@elsewhere.example' }).expect(400);
    expect(own.body.data.params).to.have.all.keys(['email']);
    // What was there before stays writable as it is.
    await admin.patch(`${route}/me`, { email: 'admin@example.test', display_name: 'Boss' }).expect(200);
    await limit({ banned_email_domains: null, limited_email_domains: null });
  });

  it('refuses bad input', async () => {
    const admin = await asAdmin();
    const good = { login: 'good', email: 'good@example.com' };
    const bad: [object, string][] = [
      [{ login: 'ab' }, 'login'],
      [{ login: 'a'.repeat(61) }, 'login'],
      [{ login: 'Upper' }, 'login'],
      [{ login: 'sp ace' }, 'login'],
      [{ login: 'привет' }, 'login'],
      [{ login: 5 }, 'login'],
      [{ email: 'nobody' }, 'email'],
      [{ email: `${'a'.repeat(250)}@example.com` }, 'email'],
      [{ email: 'a@b.c\r\nBcc: x@y.z' }, 'email'],
      [{ password: 'seven77' }, 'password'],
      [{ password: 'x'.repeat(257) }, 'password'],
      [{ password: null }, 'password'],
      [{ role: 'owner' }, 'role'],
      [{ role: 'administrator ' }, 'role'],
      [{ display_name: '' }, 'display_name'],
      [{ first_name: 'x'.repeat(101) }, 'first_name'],
      [{ locale: 'x' }, 'locale'],
    ];
    for (const [change, name] of bad) {
      const answer = await admin.post(route, { ...good, ...change }).expect(400);
      expect(answer.body.code, name).to.equal('rest_invalid_param');
      expect(Object.keys(answer.body.data.params)).to.deep.equal([name]);
    }
    const missing = await admin.post(route, {}).expect(400);
    expect(missing.body.data.params).to.deep.equal(['login', 'email']);
    expect(await lyceum.host.db.knex('users').where({ login: 'good' })).to.deep.equal([]);
  });

  it('is for who manages the users of the network', async () => {
    const body = { login: 'nope', email: 'nope@example.com' };
    await lyceum.anonymous.post(route, body).expect(401);
    for (const role of ['subscriber', 'editor', 'administrator']) {
      await lyceum
        .as(await lyceum.make.user({ role }))
        .post(route, body)
        .expect(403);
    }
    // Not even what is wrong with the body is told.
    await lyceum
      .as(await lyceum.make.user({ role: 'administrator' }))
      .post(route, { login: 1 })
      .expect(403);
    const other = await lyceum.make.network();
    const boss = await lyceum.make.user({ superAdminOf: other.network_id });
    await lyceum.as(boss).post(route, body).expect(403);
    await lyceum.as(boss, other).post(route, body).expect(201);
  });

  it('audits an account without its password', async () => {
    const admin = await asAdmin();
    const { body } = await admin
      .post(route, { login: 'seen', email: 'seen@example.com', password: 'top secret word', role: 'author' })
      .expect(201);
    const row = await lyceum.host.db
      .knex('audit_log')
      .where({ subject: `user:${body.id}` })
      .first();
    expect(row).to.deep.include({
      module: 'host',
      action: 'user.create',
      user_id: 1,
      blog_id: 1,
      from: null,
      to: { login: 'seen', email: 'seen@example.com', role: 'author' },
    });
  });
});
