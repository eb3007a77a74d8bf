import { expect } from 'chai';
import { consume, LinkKit, links } from './link-kit.ts';

describe('magic_links: using a link', () => {
  let kit: LinkKit;
  before(async () => {
    kit = await LinkKit.start();
  });
  after(() => kit.lyceum.stop());

  const { knex } = { knex: (table: string) => kit.lyceum.host.db.knex(table) };
  const refused = async (request: ReturnType<LinkKit['consume']>) => {
    const { body } = await request.expect(403);
    expect(body).to.deep.equal({
      code: 'magic_links_invalid',
      message: 'This link is not valid, or not any more.',
      data: { status: 403 },
    });
  };

  it('begins an ordinary session, once', async () => {
    const ann = await kit.person();
    const token = await kit.token(ann);
    const answer = await kit.consume(`  ${token}\n`, { address: '192.0.2.4' }).expect(200);
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
    const row = await knex('audit_log')
      .where({ action: 'magic_links.consume' })
      .orderBy('id', 'desc')
      .first();
    expect(row).to.deep.include({ user_id: ann.id, ip: '192.0.2.4' });
    expect(row.to).to.deep.equal({ user_id: ann.id, address: '192.0.2.4' });
    expect(JSON.stringify(row)).not.to.include(token);
    await refused(kit.consume(token));
    // Ended as any session is.
    await signed.delete('svc/host/v1/session').expect(200);
    await signed.get('svc/host/v1/users/me').expect(401);
  });

  it('ends the session whose cookie came with the request', async () => {
    const [ann, bob] = [await kit.person(), await kit.person()];
    const { signed } = await kit.lyceum.make.session(bob.id);
    await kit.lyceum
      .as(signed)
      .post(consume, { token: await kit.token(ann) })
      .expect(200);
    await kit.lyceum.as(signed).get('svc/host/v1/session').expect(401);
  });

  it('opens one session for fifty at once', async () => {
    const ann = await kit.person();
    const token = await kit.token(ann);
    const answers = await Promise.all(Array.from({ length: 50 }, () => kit.consume(token)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 403)).to.have.length(49);
    expect(await knex('sessions').where({ user_id: ann.id })).to.have.length(1);
  });

  it('names what is missing or no text', async () => {
    const { body: absent } = await kit.consume(undefined).expect(400);
    expect(absent).to.deep.include({ code: 'rest_missing_callback_param' });
    expect(absent.data.params).to.deep.equal(['token']);
    for (const wrong of [5, null, '', '  ', ['ml_x'], {}]) {
      expect((await kit.consume(wrong).expect(400)).body.code, String(wrong)).to.equal('rest_invalid_param');
    }
  });

  it('is refused alike when unknown, over, revoked, of another site, or of nobody any more', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await kit.person({ site: site.blog_id });
    const membership = { blog_id: site.blog_id, user_id: ann.id };
    const fresh = () => kit.token(ann, {}, site);
    await refused(kit.consume(`ml_${'A'.repeat(43)}`, { site }));
    const late = await fresh();
    await knex('magic_links')
      .where({ user_id: ann.id })
      .update({ expires_at: new Date(Date.now() - 1) });
    await refused(kit.consume(late, { site }));
    const made = await kit.make({ user_id: ann.id }, kit.admin, site).expect(201);
    await kit.lyceum.as(kit.admin, site).delete(`${links}/${made.body.id}`).expect(200);
    await refused(kit.consume(made.body.token, { site }));
    const token = await fresh();
    await refused(kit.consume(token));
    // That did not use it up; the end of the membership does, for good.
    await kit.consume(token, { site }).expect(200);
    const ended = await kit.make({ user_id: ann.id }, kit.admin, site).expect(201);
    await knex('memberships').where(membership).update({ role: 'author' });
    await knex('memberships').where(membership).delete();
    await refused(kit.consume(ended.body.token, { site }));
    await knex('memberships').insert({ ...membership, role: 'author' });
    await refused(kit.consume(ended.body.token, { site }));
    const list = await kit.lyceum.as(kit.admin, site).get(`${links}?status=revoked`).expect(200);
    expect(list.body.map(({ id }: { id: number }) => id)).to.include(ended.body.id);
    const orphan = await fresh();
    await knex('users').where({ id: ann.id }).delete();
    await refused(kit.consume(orphan, { site }));
  });

  it('of a super admin is good while he is one', async () => {
    const site = await kit.lyceum.make.site();
    const boss = await kit.lyceum.make.user({ superAdminOf: 1 });
    const [first, second] = [await kit.token(boss, {}, site), await kit.token(boss, {}, site)];
    await kit.consume(first, { site }).expect(200);
    await knex('super_admins').where({ user_id: boss.id }).delete();
    await refused(kit.consume(second, { site }));
  });

  it('refuses an address after twenty failures, for a good token too', async () => {
    const ann = await kit.person();
    const token = await kit.token(ann);
    const address = kit.freshAddress();
    for (let miss = 0; miss < 20; miss += 1) await refused(kit.consume(`ml_${miss}`, { address }));
    const { body, headers } = await kit.consume(token, { address }).expect(429);
    expect(body.code).to.equal('rest_too_many_requests');
    expect(Number(headers['retry-after'])).to.be.within(890, 900);
    await kit.consume(token).expect(200);
  });

  it('leads to where it was made for, or where the request says, on this site only', async () => {
    const ann = await kit.person();
    const origin = `http://localhost:${kit.lyceum.host.port}`;
    const link = { redirect: '/courses?a=1' };
    for (const [more, redirect, expected] of [
      [link, undefined, `${origin}/courses?a=1`],
      [link, '/other', `${origin}/other`],
      [link, 'https://evil.example/', `${origin}/courses?a=1`],
      [link, 5, `${origin}/courses?a=1`],
      [link, '/a\u0000b', `${origin}/courses?a=1`],
      [{}, '//evil.example', undefined],
      [{}, undefined, undefined],
    ] as const) {
      const { body } = await kit.consume(await kit.token(ann, more), { redirect }).expect(200);
      expect(body.redirect).to.equal(expected);
    }
  });

  it('is never used up by reading, by a form, or by another page', async () => {
    const ann = await kit.person();
    const token = await kit.token(ann);
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${kit.lyceum.origin}/api/${consume}?token=${token}`, { method });
      expect(response.status).to.equal(405);
    }
    const form = await fetch(`${kit.lyceum.origin}/api/${consume}`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    });
    expect(form.status).to.equal(415);
    for (const type of ['application/ld+json', 'application/vnd.api+json', 'text/plain']) {
      const sent = JSON.stringify({ token });
      const headers = { 'Content-Type': type };
      const answer = await fetch(`${kit.lyceum.origin}/api/${consume}`, {
        method: 'POST',
        body: sent,
        headers,
      });
      expect(answer.status, type).to.equal(415);
    }
    for (const origin of ['https://evil.example', 'null', 'http://localhost', 'nonsense']) {
      const answer = await kit.consume(token).set('Origin', origin).expect(403);
      expect(answer.body.code, origin).to.equal('magic_links_invalid');
      expect(answer.headers).not.to.have.property('access-control-allow-origin');
    }
    const own = `http://localhost:${kit.lyceum.host.port}`;
    await kit.consume(token).set('Origin', own).expect(200);
    // Under whatever name of the host a browser shows the page.
    await kit
      .consume(await kit.token(ann))
      .set('Origin', kit.lyceum.origin)
      .expect(200);
  });

  it('wants https where the site has an https address', async () => {
    const secure = await LinkKit.start({ config: { baseUrl: new URL('https://localhost/') } });
    const ann = await secure.person();
    const made = await secure.make({ user_id: ann.id }).set('X-Forwarded-Proto', 'https').expect(201);
    expect(made.body.url).to.match(/^https:\/\/localhost\/magic-link#token=/);
    const { token } = made.body;
    expect((await secure.consume(token).expect(400)).body.code).to.equal('magic_links_ssl');
    const answer = await secure.consume(token).set('X-Forwarded-Proto', 'https').expect(200);
    expect(answer.headers['set-cookie']?.[0]).to.match(/; Secure$/);
    await secure.lyceum.stop();
  });

  it('is revoked by those who may, once and for all', async () => {
    const site = await kit.lyceum.make.site();
    const [ann, bob] = [await kit.person(), await kit.person()];
    const { body: made } = await kit.make({ user_id: ann.id }).expect(201);
    const at = (id: number) => `${links}/${id}`;
    const gone = 'magic_links_not_found';
    expect((await kit.lyceum.as(bob).delete(at(made.id)).expect(404)).body.code).to.equal(gone);
    expect((await kit.lyceum.as(kit.admin, site).delete(at(made.id)).expect(404)).body.code).to.equal(gone);
    expect((await kit.lyceum.as(kit.admin).delete(at(2_147_483_000)).expect(404)).body.code).to.equal(gone);
    await kit.lyceum.anonymous.delete(at(made.id)).expect(401);
    await kit.lyceum.as(kit.admin).delete(`${links}/x`).expect(400);
    const { url: _url, token, ...link } = made;
    const { body } = await kit.lyceum.as(ann).delete(at(made.id)).expect(200);
    expect(body).to.deep.equal({ ...link, status: 'revoked' });
    expect((await kit.lyceum.as(kit.admin).delete(at(made.id)).expect(200)).body).to.deep.equal(body);
    await refused(kit.consume(token));
    const audited = await knex('audit_log').where({
      action: 'magic_links.revoke',
      subject: `link:${made.id}`,
    });
    expect(audited.map(({ user_id }) => user_id)).to.deep.equal([ann.id]);
    const used = await kit.make({ user_id: ann.id }).expect(201);
    await kit.consume(used.body.token).expect(200);
    const ended = await kit.lyceum.as(kit.admin).delete(at(used.body.id)).expect(409);
    expect(ended.body.code).to.equal('magic_links_not_live');
  });

  it('is either used or revoked when both come at once', async () => {
    const ann = await kit.person();
    for (let round = 0; round < 10; round += 1) {
      const { body } = await kit.make({ user_id: ann.id }).expect(201);
      const [used, revoked] = await Promise.all([
        kit.consume(body.token),
        kit.lyceum.as(kit.admin).delete(`${links}/${body.id}`),
      ]);
      expect([
        [200, 409],
        [403, 200],
      ]).to.deep.include([used.status, revoked.status]);
    }
  });
});
