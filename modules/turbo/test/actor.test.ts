import { expect } from 'chai';
import { modules, route, TurboKit } from './turbo-kit.ts';

const actorSession = route('xapi-actor/session');

describe('turbo: who a visitor is in statements', () => {
  let kit: TurboKit;
  before(async () => {
    kit = await TurboKit.start();
  });
  after(() => kit.lyceum.stop());

  const set = (settings: object) => kit.admin.patch(`${modules}/turbo/settings`, { settings }).expect(200);

  it('is named by address, its sum, or account, and by one of them alone', async () => {
    const { knex } = kit.lyceum.host.db;
    const ann = await kit.lyceum.make.user({ role: 'subscriber', login: 'ann' });
    await knex('users').where('id', ann.id).update({ email: 'Ann@Example.com', display_name: 'Ann' });
    const { signed, cookie } = await kit.lyceum.make.session(ann.id);
    const visitor = kit.lyceum.as(signed);
    const answer = await visitor.post(actorSession).expect(200);
    expect(answer.headers['cache-control']).to.equal('private, no-store');
    const mbox = 'mailto:ann@example.com';
    expect(answer.body.actor).to.deep.equal({ objectType: 'Agent', name: 'Ann', mbox });
    const { user_id, blog_id, expires_at } = answer.body.session;
    expect([user_id, blog_id, answer.body.xapi_version]).to.deep.equal([ann.id, 1, '1.0.3']);
    const [session] = await knex('sessions').where('user_id', ann.id);
    expect(expires_at).to.equal(session.expires_at);
    const byPassword = await kit.lyceum.as(ann).post(actorSession, { whatever: 1 }).expect(200);
    expect(byPassword.body.session.expires_at).to.equal(null);

    await set({ xapi_actor_ifi: 'mbox_sha1sum', xapi_actor_name: false });
    expect((await visitor.post(actorSession).expect(200)).body.actor).to.deep.equal({
      objectType: 'Agent',
      mbox_sha1sum: '0a7d8ea2f2ac01afbbf12061eb5324d2c8bb73df',
    });
    await set({ xapi_actor_ifi: 'account', xapi_actor_name: true });
    const { body: site } = await kit.lyceum.anonymous.get('').expect(200);
    const account = { homePage: `${new URL('/', site.url).href}`, name: 'ann' };
    expect((await visitor.post(actorSession).expect(200)).body.actor.account).to.deep.equal(account);

    await knex('users').where('id', ann.id).update({ email: '', display_name: '' });
    expect((await visitor.post(actorSession).expect(200)).body.actor).to.deep.equal({
      objectType: 'Agent',
      account,
    });
    for (const xapi_actor_ifi of ['mbox', 'mbox_sha1sum']) {
      await set({ xapi_actor_ifi });
      await kit.refused(visitor, ['post', 'xapi-actor/session'], 400, 'turbo_no_email');
    }
    await kit.refused(kit.lyceum.as(cookie), ['post', 'xapi-actor/session'], 403, 'rest_forbidden');
    const { headers } = signed as { headers: Record<string, string> };
    const wrong = kit.lyceum.as({ headers: { ...headers, 'X-Svc-Nonce': 'wrong' } });
    await kit.refused(wrong, ['post', 'xapi-actor/session'], 403, 'rest_cookie_invalid_nonce');
    await kit.refused(kit.lyceum.anonymous, ['post', 'xapi-actor/session'], 401, 'rest_forbidden');
  });

  it('is the same on all sites of a network, where a setting says no other', async () => {
    const site = await kit.lyceum.make.site('branch');
    const ann = await kit.lyceum.make.user({ role: null });
    await set({ xapi_actor_ifi: 'account' });
    await kit.lyceum.make.settings('turbo', { xapi_actor_ifi: 'account' }, site.blog_id);
    const here = await kit.lyceum.as(ann).post(actorSession).expect(200);
    const there = await kit.lyceum.as(ann, site).post(actorSession).expect(200);
    expect(there.body.actor).to.deep.equal(here.body.actor);
    expect(there.body.session.blog_id).to.equal(site.blog_id);
  });

  it('settings are checked', async () => {
    for (const settings of [
      { xapi_actor_ifi: 'openid' },
      { static_max_files: 0 },
      { static_max_files: 2001 },
    ]) {
      await kit.admin.patch(`${modules}/turbo/settings`, { settings }).expect(400);
    }
  });
});
