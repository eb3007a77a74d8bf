import { expect } from 'chai';
import type { Response } from 'supertest';
import { sha256 } from '../../core/auth/credentials.ts';
import { Nonces } from '../../core/auth/nonces.ts';
import { type Identity, startTestHost, type TestHost, testModules } from '../kit/index.ts';

const hour = 3_600_000;
const me = 'test/probe/v1/me';
const write = 'test/probe/v1/write';

const refusal = ({ status, body }: Response): string => `${status} ${body.code}`;
const basic = (text: string): Identity => ({
  headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` },
});
const both = (...identities: readonly Identity[]): Identity => ({
  headers: Object.assign({}, ...identities.map(({ headers }) => headers)),
});

describe('credentials', () => {
  let lyceum: TestHost;
  let second: TestHost;
  let clock = Date.now();
  before(async () => {
    const options = { modules: ['probe'], folders: [testModules], now: () => new Date(clock) };
    lyceum = await startTestHost(options);
    second = await startTestHost({ ...options, beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });
  beforeEach(() => {
    clock = Date.now();
  });

  const author = () => lyceum.make.user({ role: 'author' });
  const nonce = (text: string | undefined): Identity => ({ headers: { 'X-Svc-Nonce': text ?? 'none' } });

  describe('of a cookie session', () => {
    it('are cookie and nonce together', async () => {
      const ann = await author();
      const { cookie, signed } = await lyceum.make.session(ann.id);
      const answer = await second.as(signed).get(me).expect(200);
      expect(answer.body).to.deep.equal({ user: ann.id, by: 'session' });
      expect(refusal(await lyceum.as(cookie).get(me))).to.equal('403 rest_forbidden');
      expect(refusal(await lyceum.as(cookie).post(write))).to.equal('403 rest_forbidden');
      expect(refusal(await lyceum.as(both(cookie, nonce(''))).get(me))).to.equal('403 rest_forbidden');
      await lyceum.as(signed).post(write).expect(200);
    });

    it('are refused when the cookie is unknown, malformed or expired, whatever the nonce', async () => {
      const ann = await author();
      const { signed } = await lyceum.make.session(ann.id);
      for (const value of ['A'.repeat(43), 'short', 'a'.repeat(5000), "' or 1=1", '%00']) {
        const forged = both(signed, { headers: { Cookie: `svc_session=${value}` } });
        expect(refusal(await lyceum.as(forged).get(me))).to.equal('401 rest_not_logged_in');
      }
      await lyceum.host.db
        .knex('sessions')
        .where({ user_id: ann.id })
        .update({ expires_at: new Date(Date.now() - 1) });
      const expired = await lyceum.as(signed).get(me);
      expect(refusal(expired)).to.equal('401 rest_not_logged_in');
      expect(expired.headers).not.to.have.property('x-svc-nonce');
    });

    it('are refused when the nonce is wrong, of another session, user or secret', async () => {
      const [ann, bob] = [await author(), await author()];
      const { cookie } = await lyceum.make.session(ann.id);
      const token = sha256(cookie.headers.Cookie?.slice('svc_session='.length) ?? '');
      const others = [
        (await lyceum.make.session(ann.id)).signed.headers['X-Svc-Nonce'] ?? '',
        (await lyceum.make.session(bob.id)).signed.headers['X-Svc-Nonce'] ?? '',
        lyceum.host.services.host(Nonces).fresh(bob.id, token),
        new Nonces(Buffer.alloc(32), Date.now).fresh(ann.id, token),
        'x',
        'é'.repeat(27),
        `${lyceum.host.services.host(Nonces).fresh(ann.id, token)}x`,
      ];
      for (const wrong of others) {
        const answer = await lyceum.as(both(cookie, nonce(encodeURIComponent(wrong)))).get(me);
        expect(refusal(answer), wrong).to.equal('403 rest_cookie_invalid_nonce');
        // A write does not get through either.
        const written = await lyceum.as(both(cookie, nonce(encodeURIComponent(wrong)))).post(write);
        expect(refusal(written)).to.equal('403 rest_cookie_invalid_nonce');
      }
      await lyceum
        .as(both(cookie, nonce(lyceum.host.services.host(Nonces).fresh(ann.id, token))))
        .get(me)
        .expect(200);
    });

    it('may carry the nonce as X-WP-Nonce or in the query; X-Svc-Nonce counts first', async () => {
      const { cookie, signed } = await lyceum.make.session((await author()).id);
      const good = signed.headers['X-Svc-Nonce'] ?? '';
      await lyceum
        .as(both(cookie, { headers: { 'X-WP-Nonce': good } }))
        .get(me)
        .expect(200);
      await lyceum.as(cookie).get(`${me}?_svc_nonce=${good}`).expect(200);
      await lyceum.as(cookie).post(`${write}?_svc_nonce=${good}`).expect(200);
      const mixed = { headers: { 'X-WP-Nonce': good, 'X-Svc-Nonce': 'wrong' } };
      expect(refusal(await lyceum.as(both(cookie, mixed)).get(me))).to.equal('403 rest_cookie_invalid_nonce');
      const twice = await lyceum.as(cookie).get(`${me}?_svc_nonce=${good}&_svc_nonce=${good}`);
      expect(refusal(twice)).to.equal('403 rest_forbidden');
    });

    it('get a fresh nonce with each answer, also with a refusal', async () => {
      const { cookie, signed } = await lyceum.make.session((await author()).id);
      for (const request of [
        lyceum.as(signed).get(me),
        lyceum.as(cookie).get(me),
        lyceum.as(cookie).get('test/probe/v1/nothing'),
        lyceum.as(cookie).get('test/probe/v1/wrong/null'),
        lyceum.as(both(cookie, nonce('wrong'))).get(me),
      ]) {
        const fresh = (await request).headers['x-svc-nonce'];
        await lyceum
          .as(both(cookie, nonce(fresh)))
          .get(me)
          .expect(200);
      }
      expect((await lyceum.anonymous.get('test/probe/v1/open')).headers).not.to.have.property('x-svc-nonce');
    });

    it('hold a nonce for its tick of 12 hours and the next one', async () => {
      const { cookie, signed } = await lyceum.make.session((await author()).id);
      const tick = Math.floor(clock / (12 * hour));
      clock = tick * 12 * hour;
      const first = (await lyceum.as(signed).get(me).expect(200)).headers['x-svc-nonce'];
      clock = (tick + 1) * 12 * hour - 1;
      expect((await lyceum.as(signed).get(me)).headers['x-svc-nonce']).to.equal(first);
      clock = (tick + 2) * 12 * hour - 1;
      const second = await lyceum
        .as(both(cookie, nonce(first)))
        .get(me)
        .expect(200);
      expect(second.headers['x-svc-nonce']).not.to.equal(first);
      clock = (tick + 2) * 12 * hour;
      const late = await lyceum.as(both(cookie, nonce(first))).get(me);
      expect(refusal(late)).to.equal('403 rest_cookie_invalid_nonce');
      clock = (tick - 1) * 12 * hour;
      const early = await lyceum.as(both(cookie, nonce(first))).get(me);
      expect(refusal(early)).to.equal('403 rest_cookie_invalid_nonce');
    });

    it('name nobody to a public route without their nonce', async () => {
      const ann = await author();
      const { cookie, signed } = await lyceum.make.session(ann.id);
      const open = 'test/probe/v1/open';
      expect((await lyceum.as(cookie).get(open).expect(200)).body.user).to.equal(null);
      expect((await lyceum.as(signed).get(open).expect(200)).body.user).to.equal(ann.id);
      const stale = { headers: { Cookie: `svc_session=${'A'.repeat(43)}` } };
      expect((await lyceum.as(stale).get(open).expect(200)).body.user).to.equal(null);
    });
  });

  describe('of an application password', () => {
    it('are login or e-mail in any case, and the password with or without spaces', async () => {
      const ann = await author();
      const made = await lyceum.as(ann).post('svc/host/v1/application-passwords', { name: 'x' }).expect(201);
      const { password } = made.body;
      for (const login of [ann.login, ann.login.toUpperCase(), ann.email]) {
        const answer = await lyceum
          .as(basic(`${login}:${password}`))
          .get(me)
          .expect(200);
        expect(answer.body).to.deep.equal({ user: ann.id, by: 'application-password' });
        expect(answer.headers).not.to.have.property('x-svc-nonce');
      }
      await lyceum
        .as(basic(`${ann.login}:${password.replaceAll(' ', '')}`))
        .post(write)
        .expect(200);
      const lower = {
        headers: {
          Authorization:
            basic(`${ann.login}:${password}`).headers.Authorization?.replace('Basic', 'basic') ?? '',
        },
      };
      await lyceum.as(lower).get(me).expect(200);
    });

    it('are refused when they are wrong in any way', async () => {
      const [ann, bob] = [await author(), await author()];
      const [, given = ''] = Buffer.from(ann.headers.Authorization?.slice(6) ?? '', 'base64')
        .toString()
        .split(':');
      const wrongs = [
        `${bob.login}:${given}`,
        `${ann.login}:${given}x`,
        `${ann.login}:`,
        `:${given}`,
        ann.login,
        '',
        'nobody:x',
        `${ann.login}:${'x'.repeat(5000)}`,
        `${ann.login}\0:${given}x`,
      ];
      for (const wrong of wrongs) {
        expect(refusal(await lyceum.as(basic(wrong)).get(me)), wrong).to.equal('401 rest_not_logged_in');
      }
      expect(refusal(await lyceum.as({ headers: { Authorization: 'Basic ###' } }).get(me))).to.equal(
        '401 rest_not_logged_in',
      );
      // Wrong ones are not mended by a good cookie.
      const { signed } = await lyceum.make.session(ann.id);
      const mixed = both(signed, basic('nobody:x'));
      expect(refusal(await lyceum.as(mixed).get(me))).to.equal('401 rest_not_logged_in');
    });

    it('are not the password of the account', async () => {
      const answer = await lyceum.as(basic('admin:correct horse battery staple')).get(me);
      expect(refusal(answer)).to.equal('401 rest_not_logged_in');
    });
  });

  describe('that are missing or not enough', () => {
    it('are 401 for nobody and 403 for a caller without the capability', async () => {
      const subscriber = await lyceum.make.user({ role: 'subscriber' });
      for (const route of ['test/probe/v1/own', 'svc/host/v1/users']) {
        expect(refusal(await lyceum.anonymous.get(route))).to.equal('401 rest_forbidden');
        expect(refusal(await lyceum.as(subscriber).get(route))).to.equal('403 rest_forbidden');
      }
      const bearer = { headers: { Authorization: 'Bearer something' } };
      expect(refusal(await lyceum.as(bearer).get(me))).to.equal('401 rest_forbidden');
    });

    it('are looked at before the body, and after the route', async () => {
      const broken = (identity: Identity, route: string) =>
        lyceum.as(identity).post(route).set('Content-Type', 'text/plain').send('{');
      const subscriber = await lyceum.make.user({ role: 'subscriber' });
      expect(refusal(await broken({ headers: {} }, 'test/probe/v1/items'))).to.equal('401 rest_forbidden');
      expect(refusal(await broken(subscriber, 'svc/host/v1/users'))).to.equal('403 rest_forbidden');
      expect(refusal(await broken(subscriber, 'test/probe/v1/items'))).to.equal(
        '415 rest_unsupported_media_type',
      );
      expect(refusal(await lyceum.as(basic('no:one')).get('test/probe/v1/gone'))).to.equal(
        '404 rest_no_route',
      );
    });

    it('are those of the site that is asked about', async () => {
      const site = await lyceum.make.site();
      const ann = await lyceum.make.user({ role: 'author', site: site.blog_id });
      expect(refusal(await lyceum.as(ann).post(write))).to.equal('403 rest_forbidden');
      const there = await lyceum.as(ann, site).post(write).expect(200);
      const chosen = await lyceum.as(ann).post(`${write}?blog_id=${site.blog_id}`).expect(200);
      expect([there.body, chosen.body]).to.deep.equal([{ blog_id: site.blog_id }, { blog_id: site.blog_id }]);
      // A route that takes no blog_id lends nobody the role that he has elsewhere.
      const editor = await lyceum.make.user({ role: 'editor', site: site.blog_id });
      await lyceum.as(editor, site).get('test/probe/v1/own').expect(200);
      const lent = await lyceum.as(editor).get(`test/probe/v1/own?blog_id=${site.blog_id}`);
      expect(refusal(lent)).to.equal('403 rest_forbidden');
    });
  });

  describe('that are taken away', () => {
    it('are refused by the next request in every process', async () => {
      const ann = await author();
      const { signed } = await lyceum.make.session(ann.id);
      const { knex } = lyceum.host.db;
      for (const identity of [ann, signed]) await second.as(identity).post(write).expect(200);
      await knex('memberships').where({ user_id: ann.id }).update({ role: 'subscriber' });
      for (const identity of [ann, signed]) await second.as(identity).post(write).expect(403);
      await lyceum.as(signed).delete('svc/host/v1/session').expect(200);
      expect(refusal(await second.as(signed).get(me))).to.equal('401 rest_not_logged_in');
      const [kept] = (await lyceum.as(ann).get('svc/host/v1/application-passwords')).body;
      await lyceum.as(ann).delete(`svc/host/v1/application-passwords/${kept.uuid}`).expect(200);
      expect(refusal(await second.as(ann).get(me))).to.equal('401 rest_not_logged_in');
    });

    it('end a right over the network at once', async () => {
      const boss = await lyceum.make.user({ superAdminOf: 1 });
      await second.as(boss).get('svc/host/v1/users?network=true').expect(200);
      const admin = await lyceum.make.admin();
      await lyceum.as(admin).patch(`svc/host/v1/users/${boss.id}`, { super_admin: false }).expect(200);
      await second.as(boss).get('svc/host/v1/users?network=true').expect(403);
    });
  });
});
