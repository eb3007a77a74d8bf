import { expect } from 'chai';
import { PinKit, wrong } from './pin-kit.ts';

describe('passwordless: signing in by a code', () => {
  let kit: PinKit;
  before(async () => {
    kit = await PinKit.start();
    await kit.lyceum.make.settings('passwordless', { request_interval: 0, requests_per_hour: 100 });
  });
  after(() => kit.lyceum.stop());

  const person = (more: object = {}) => kit.lyceum.make.user({ role: 'subscriber', ...more });
  const { knex } = { knex: (table: string) => kit.lyceum.host.db.knex(table) };
  const challengesOf = (userId: number) => knex('passwordless_challenges').where({ user_id: userId });
  const audited = (action: string) =>
    knex('audit_log').where({ action }).orderBy('id', 'desc').first('user_id', 'subject', 'to');

  it('begins an ordinary session, once', async () => {
    const ann = await person();
    const pin = await kit.pin(ann);
    const answer = await kit.verify(ann.email.toUpperCase(), pin, { address: '192.0.2.9' }).expect(200);
    expect(answer.body).to.deep.equal({
      user: { id: ann.id, displayName: ann.login, email: ann.email, nicename: ann.login },
      nonce: answer.headers['x-svc-nonce'],
    });
    expect(answer.headers['cache-control']).to.equal('no-store');
    const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).to.match(/^svc_session=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax$/);
    const signed = kit.lyceum.as({
      headers: { Cookie: cookie.split(';')[0] ?? '', 'X-Svc-Nonce': answer.body.nonce },
    });
    expect((await signed.get('svc/host/v1/users/me').expect(200)).body.id).to.equal(ann.id);
    const row = await audited('passwordless.login');
    expect(row).to.deep.equal({ user_id: ann.id, subject: `user:${ann.id}`, to: { address: '192.0.2.9' } });
    // Ended as any session is, and the code opens no other one.
    await signed.delete('svc/host/v1/session').expect(200);
    await signed.get('svc/host/v1/users/me').expect(401);
    expect((await kit.verify(ann.login, pin).expect(403)).body.code).to.equal('svcplatform_pin_invalid');
  });

  it('ends the session whose cookie came with the request', async () => {
    const [ann, bob] = [await person(), await person()];
    const { signed } = await kit.lyceum.make.session(bob.id);
    const body = { login: ann.login, pin: await kit.pin(ann) };
    await kit.lyceum.as(signed).post('svc/passwordless/v1/verify', body).expect(200);
    await kit.lyceum.as(signed).get('svc/host/v1/session').expect(401);
  });

  it('takes a code in groups, and nothing that is no code', async () => {
    const ann = await person();
    const pin = await kit.pin(ann);
    for (const given of [`${pin}0`, pin.slice(1), 'abcdef', '١٢٣٤٥٦']) {
      await kit.verify(ann.login, given).expect(403);
    }
    await kit.verify(ann.login, ` ${pin.slice(0, 3)} - ${pin.slice(3)} `).expect(200);
  });

  it('names what is missing, before anything is counted', async () => {
    const counts = () => knex('passwordless_counts').sum({ all: 'count' }).first();
    const before = await counts();
    for (const [login, pin, params] of [
      ['ann', undefined, ['pin']],
      [undefined, '123456', ['login']],
      ['ann', 123456, ['pin']],
      ['ann', '', ['pin']],
      ['', '  ', ['login', 'pin']],
      [null, ['123456'], ['login', 'pin']],
    ] as const) {
      const { body } = await kit.verify(login, pin).expect(400);
      expect(body.code).to.equal('svcplatform_pin_missing');
      expect(body.data.params).to.deep.equal(params);
    }
    expect(await counts()).to.deep.equal(before);
  });

  it('says in the description what has to be sent', async () => {
    const { body: description } = await kit.from(kit.freshAddress()).get('openapi.json').expect(200);
    const bodyOf = (name: string) => {
      const { requestBody } = description.paths[`/svc/passwordless/v1/${name}`].post;
      return { ...requestBody.content['application/json'].schema, sent: requestBody.required };
    };
    expect(bodyOf('verify')).to.deep.include({ sent: true, required: ['login', 'pin'] });
    expect(bodyOf('request')).to.deep.include({ sent: true, required: ['login'] });
    for (const name of ['verify', 'request']) {
      expect(bodyOf(name).properties.login.type, name).to.equal('string');
    }
    expect(bodyOf('request').properties.redirect.type).to.equal('string');
  });

  it('counts five wrong codes down and locks, alike for a login that nobody has', async () => {
    const ann = await person();
    const live = (await kit.lyceum.make.session(ann.id)).signed;
    const pin = await kit.pin(ann);
    for (const login of [ann.login, 'nobody']) {
      for (const left of [4, 3, 2, 1, 0]) {
        const { body } = await kit.verify(login, wrong(pin)).expect(403);
        expect(body.code).to.equal('svcplatform_pin_invalid');
        expect(body.data).to.deep.equal({ status: 403, attempts_left: left });
      }
      const locked = await kit.verify(login, pin).expect(429);
      expect(locked.body.code).to.equal('svcplatform_pin_lock');
      expect(locked.body.data.retry_after).to.be.within(890, 900);
      expect(locked.headers['retry-after']).to.equal(String(locked.body.data.retry_after));
      expect((await kit.request(login).expect(429)).body.code).to.equal('svcplatform_pin_lock');
    }
    expect((await audited('passwordless.lock')).subject).to.match(/^login:[0-9a-f]{64}$/);
    // Neither sessions nor application passwords of the account are locked.
    await kit.lyceum.as(live).get('svc/host/v1/users/me').expect(200);
    await kit.lyceum.as(ann).get('svc/host/v1/users/me').expect(200);
    // Open again: the code that was guessed at stays dead.
    await knex('passwordless_locks').update({ locked_until: new Date(Date.now() - 1) });
    expect((await kit.verify(ann.login, pin).expect(403)).body.data.attempts_left).to.equal(4);
    await kit.verify(ann.login, await kit.pin(ann)).expect(200);
  });

  it('forgets failures after a right code, but for ten in an hour', async () => {
    const ann = await person();
    const lefts: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const pin = await kit.pin(ann);
      for (let miss = 0; miss < 4; miss += 1) {
        lefts.push((await kit.verify(ann.login, wrong(pin)).expect(403)).body.data.attempts_left);
      }
      await kit.verify(ann.login, pin).expect(200);
    }
    const pin = await kit.pin(ann);
    for (let miss = 0; miss < 2; miss += 1) {
      lefts.push((await kit.verify(ann.login, wrong(pin)).expect(403)).body.data.attempts_left);
    }
    expect(lefts).to.deep.equal([4, 3, 2, 1, 4, 3, 2, 1, 1, 0]);
    const { body } = await kit.verify(ann.login, pin).expect(429);
    expect(body.data.retry_after).to.be.within(3_500, 3_600);
  });

  it('forgets a window that is over, but never that a code was guessed at five times', async () => {
    const ann = await person();
    const pin = await kit.pin(ann);
    for (let miss = 0; miss < 4; miss += 1) await kit.verify(ann.login, wrong(pin)).expect(403);
    await knex('passwordless_locks').update({ window_start: new Date(Date.now() - 901_000) });
    expect((await kit.verify(ann.login, wrong(pin)).expect(403)).body.data.attempts_left).to.equal(4);
    expect(await challengesOf(ann.id).first('burnt', 'pin_hash')).to.deep.equal({
      burnt: true,
      pin_hash: null,
    });
    await kit.verify(ann.login, pin).expect(403);
  });

  it('refuses an address after twenty wrong codes, and its neighbours after thirty in an hour', async () => {
    const ann = await person();
    const pin = await kit.pin(ann);
    const guess = (login: string, address: string) => kit.verify(login, '000000', { address });
    for (let miss = 0; miss < 20; miss += 1) await guess(`stranger-${miss}`, '198.51.100.4').expect(403);
    await guess('stranger-x', '198.51.100.4').expect(429);
    await kit.verify(ann.login, pin, { address: '198.51.100.4' }).expect(429);
    for (let miss = 0; miss < 10; miss += 1) await guess(`neighbour-${miss}`, '198.51.100.5').expect(403);
    const { body } = await kit.verify(ann.login, pin, { address: '198.51.100.6' }).expect(429);
    expect(body.data.retry_after).to.be.within(3_500, 3_600);
    await kit.verify(ann.login, pin, { address: '198.51.101.6' }).expect(200);
  });

  it('is bound to its site, its time, and to whoever may still log in', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await person();
    const membership = { blog_id: site.blog_id, user_id: ann.id };
    await knex('memberships').insert({ ...membership, role: 'author' });
    const pin = await kit.pin(ann, site);
    await kit.verify(ann.login, pin).expect(403);
    await knex('memberships').where(membership).delete();
    await kit.verify(ann.login, pin, { site }).expect(403);
    await knex('memberships').insert({ ...membership, role: 'author' });
    await kit.verify(ann.login, pin, { site }).expect(200);
    const late = await kit.pin(ann, site);
    await challengesOf(ann.id).update({ expires_at: new Date(Date.now() - 1) });
    await kit.verify(ann.login, late, { site }).expect(403);
    const removed = await kit.pin(ann, site);
    await knex('users').where({ id: ann.id }).delete();
    await kit.verify(ann.login, removed, { site }).expect(403);
  });

  it('is replaced by a newer code', async () => {
    const ann = await person();
    const [first, second] = [await kit.pin(ann), await kit.pin(ann)];
    if (first !== second) await kit.verify(ann.login, first).expect(403);
    await kit.verify(ann.login, second).expect(200);
  });

  it('leads to places of this site only, and never fails for another', async () => {
    const ann = await person();
    const site = await kit.lyceum.make.site('lab');
    await knex('memberships').insert({ blog_id: site.blog_id, user_id: ann.id, role: 'author' });
    const origin = `http://localhost:${kit.lyceum.host.port}`;
    for (const [redirect, expected] of [
      ['/courses/?a=1', `${origin}/courses/?a=1`],
      ['https://evil.example/', undefined],
      ['//evil.example', undefined],
      [5, undefined],
      ['/a\u0000b', undefined],
      [{ '\ud800': ['/'] }, undefined],
    ] as const) {
      const { body } = await kit.verify(ann.login, await kit.pin(ann), { redirect }).expect(200);
      expect(body.redirect, String(redirect)).to.equal(expected);
    }
    for (const [redirect, expected] of [
      ['courses', `${origin}/lab/courses`],
      ['/courses/', undefined],
    ] as const) {
      const { body } = await kit.verify(ann.login, await kit.pin(ann, site), { site, redirect }).expect(200);
      expect(body.redirect).to.equal(expected);
    }
  });

  it('wants an encrypted connection where the network says so, before it reads anything', async () => {
    await kit.lyceum.make.settings('passwordless', { require_ssl: 'always' });
    const from = kit.from(kit.freshAddress());
    for (const route of ['request', 'verify']) {
      const path = `svc/passwordless/v1/${route}`;
      expect((await from.post(path, {}).expect(400)).body.code).to.equal('svcplatform_pin_ssl');
      const secure = await from.post(path, {}).set('X-Forwarded-Proto', 'https').expect(400);
      expect(secure.body.code).not.to.equal('svcplatform_pin_ssl');
    }
    await kit.lyceum.make.settings('passwordless', { require_ssl: 'auto' });
  });

  it('asks for https by itself where the site has an https address, and believes only proxies', async () => {
    const secure = await PinKit.start({ config: { baseUrl: new URL('https://localhost/') } });
    const ann = await secure.lyceum.make.user({ role: 'author' });
    const { body } = await secure.request(ann.login).expect(400);
    expect(body.code).to.equal('svcplatform_pin_ssl');
    await secure.request(ann.login).set('X-Forwarded-Proto', 'https').expect(200);
    const [pin] = await secure.pins(ann.email, 1);
    const answer = await secure.verify(ann.login, pin).set('X-Forwarded-Proto', 'https').expect(200);
    expect(answer.headers['set-cookie']?.[0]).to.match(/; Secure$/);
    await secure.lyceum.stop();
    const untrusting = await PinKit.start({
      config: { baseUrl: new URL('https://localhost/'), trustedProxies: [] },
    });
    await untrusting.request('ann').set('X-Forwarded-Proto', 'https').expect(400);
    await untrusting.lyceum.stop();
  });

  it('is not there where the module is off', async () => {
    const admin = kit.lyceum.as(await kit.lyceum.make.admin());
    await admin.put('svc/modules/v1/modules/passwordless', { enabled: false }).expect(200);
    expect((await kit.request('ann').expect(404)).body.code).to.equal('rest_no_route');
    await admin.put('svc/modules/v1/modules/passwordless', { enabled: true }).expect(200);
  });
});
