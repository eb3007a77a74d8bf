import { adminPassword, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

/** The cookie of an answer, as a browser would send it again. */
function cookieOf(answer: { headers: Record<string, unknown> }): { cookie: string; attributes: string } {
  const [line = ''] = (answer.headers['set-cookie'] as string[] | undefined) ?? [];
  const [cookie = '', ...attributes] = line.split('; ');
  return { cookie, attributes: attributes.join('; ') };
}

const signIn = (lyceum: TestHost, login: string, password: string, remember?: boolean) =>
  lyceum.anonymous.post('svc/host/v1/session', {
    login,
    password,
    ...(remember === undefined ? {} : { remember }),
  });

describe('session', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  it('signs in by login or e-mail, in any case', async () => {
    for (const login of ['admin', 'ADMIN', 'Admin@Example.test', ' admin ']) {
      const answer = await signIn(lyceum, login, adminPassword).expect(200);
      expect(answer.body.user).to.include({
        id: 1,
        login: 'admin',
        role: 'administrator',
        super_admin: true,
      });
      expect(answer.body.user.email).to.equal('admin@example.test');
      expect(answer.body.nonce).to.match(/^[\w-]{27}$/);
      expect(answer.headers['x-svc-nonce']).to.equal(answer.body.nonce);
      expect(answer.headers['cache-control']).to.equal('no-store');
    }
  });

  it('sets an HttpOnly cookie for the whole host, of 2 days or 14, and keeps only its hash', async () => {
    const short = cookieOf(await signIn(lyceum, 'admin', adminPassword));
    expect(short.cookie).to.match(/^svc_session=[\w-]{43}$/);
    expect(short.attributes).to.equal('Path=/; Max-Age=172800; HttpOnly; SameSite=Lax');
    const long = cookieOf(await signIn(lyceum, 'admin', adminPassword, true));
    expect(long.attributes).to.include('Max-Age=1209600');
    const token = long.cookie.slice('svc_session='.length);
    const rows = await lyceum.host.db.knex('sessions').select('token_hash', 'remember', 'expires_at');
    expect(JSON.stringify(rows)).not.to.include(token);
    const days = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000);
    expect(rows.map((row) => `${row.remember} ${days(row.expires_at)}`)).to.include.members([
      'false 2',
      'true 14',
    ]);
  });

  it('gives a nonce to the cookie alone; other routes need it', async () => {
    const { cookie } = cookieOf(await signIn(lyceum, 'admin', adminPassword));
    const bare = lyceum.as({ headers: { Cookie: cookie } });
    const { body } = await bare.get('svc/host/v1/session').expect(200);
    expect(body.user.id).to.equal(1);
    await bare.get('svc/host/v1/users').expect(403);
    const signed = lyceum.as({ headers: { Cookie: cookie, 'X-Svc-Nonce': body.nonce } });
    await signed.get('svc/host/v1/users').expect(200);
  });

  it('answers GET without anybody 401, and an application password without a nonce', async () => {
    const answer = await lyceum.anonymous.get('svc/host/v1/session').expect(401);
    expect(answer.body.code).to.equal('rest_forbidden');
    const { body } = await lyceum
      .as(await lyceum.make.admin())
      .get('svc/host/v1/session')
      .expect(200);
    expect(body).to.deep.include({ nonce: null });
    expect(body.user.id).to.equal(1);
  });

  it('revokes the cookie that comes with the request, and only on success', async () => {
    const first = cookieOf(await signIn(lyceum, 'admin', adminPassword)).cookie;
    const wrong = await lyceum
      .as({ headers: { Cookie: first } })
      .post('svc/host/v1/session', { login: 'admin', password: 'wrong' });
    expect(wrong.status).to.equal(401);
    await lyceum
      .as({ headers: { Cookie: first } })
      .get('svc/host/v1/session')
      .expect(200);
    const second = await lyceum
      .as({ headers: { Cookie: first } })
      .post('svc/host/v1/session', { login: 'admin', password: adminPassword })
      .expect(200);
    const ended = await lyceum
      .as({ headers: { Cookie: first } })
      .get('svc/host/v1/session')
      .expect(401);
    expect(ended.body.code).to.equal('rest_not_logged_in');
    await lyceum
      .as({ headers: { Cookie: cookieOf(second).cookie } })
      .get('svc/host/v1/session')
      .expect(200);
  });

  it('takes a stale cookie for no hindrance to sign in', async () => {
    const stale = { headers: { Cookie: `svc_session=${'A'.repeat(43)}` } };
    await lyceum
      .as(stale)
      .post('svc/host/v1/session', { login: 'admin', password: adminPassword })
      .expect(200);
  });

  it('ends a session: cookie and nonce are dead at once', async () => {
    const { cookie, signed } = await lyceum.make.session(1);
    const refused = await lyceum.as(cookie).delete('svc/host/v1/session').expect(403);
    expect(refused.body.code).to.equal('rest_forbidden');
    const answer = await lyceum.as(signed).delete('svc/host/v1/session').expect(200);
    expect(answer.body).to.deep.equal({ deleted: true });
    expect(cookieOf(answer)).to.deep.equal({
      cookie: 'svc_session=',
      attributes: 'Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    });
    await lyceum.as(signed).get('svc/host/v1/users').expect(401);
    await lyceum.anonymous.delete('svc/host/v1/session').expect(401);
  });

  it('ends nothing for an application password', async () => {
    const ann = await lyceum.make.user({ role: 'subscriber' });
    const { cookie } = await lyceum.make.session(ann.id);
    expect((await lyceum.as(ann).delete('svc/host/v1/session').expect(200)).body).to.deep.equal({
      deleted: true,
    });
    await lyceum.as(cookie).get('svc/host/v1/session').expect(200);
    await lyceum.as(ann).get('svc/host/v1/session').expect(200);
  });

  it('holds on every site of the host', async () => {
    const site = await lyceum.make.site();
    const { signed } = await lyceum.make.session(1);
    const { body } = await lyceum.as(signed, site).get('svc/host/v1/session').expect(200);
    expect(body.user).to.include({ role: null, super_admin: true });
  });

  it('answers a wrong password, an unknown login and one without password alike', async () => {
    await lyceum.make.user({ login: 'nopassword' });
    const answers = await Promise.all(
      ['admin', 'nobody.here', 'nopassword'].map((login) => signIn(lyceum, login, 'a wrong password')),
    );
    for (const answer of answers) {
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal(answers[0]?.body);
      expect(Object.keys(answer.headers)).to.deep.equal(Object.keys(answers[0]?.headers ?? {}));
    }
    expect(answers[0]?.body.code).to.equal('rest_invalid_login');
  });

  it('refuses bad input', async () => {
    const bad: [object, string, unknown][] = [
      [{}, 'rest_missing_callback_param', ['login', 'password']],
      [{ login: 'admin' }, 'rest_missing_callback_param', ['password']],
      [{ login: 1, password: 'x' }, 'rest_invalid_param', undefined],
      [{ login: 'admin', password: null }, 'rest_invalid_param', undefined],
      [{ login: 'admin', password: 'x', remember: 'yes' }, 'rest_invalid_param', undefined],
      [{ login: 'a'.repeat(100_000), password: 'x' }, 'rest_invalid_param', undefined],
      [{ login: 'ad\0min', password: 'x' }, 'rest_invalid_param', undefined],
    ];
    for (const [body, code, params] of bad) {
      const answer = await lyceum.anonymous.post('svc/host/v1/session', body).expect(400);
      expect(answer.body.code).to.equal(code);
      if (params) expect(answer.body.data.params).to.deep.equal(params);
    }
  });
});
