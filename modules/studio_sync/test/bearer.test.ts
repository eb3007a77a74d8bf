import { expect } from 'chai';
import { bearerOf, disconnect, hashes, items, root, StudioKit, status } from './studio-kit.ts';

describe('studio_sync: the access token', () => {
  let kit: StudioKit;
  before(async () => {
    kit = await StudioKit.start();
  });
  after(() => kit.lyceum.stop());

  const editor = (more: object = {}) => kit.lyceum.make.user({ role: 'editor', ...more });
  const code = async (headers: Record<string, string>, route = status, expected = 401, site?: never) => {
    const { body, headers: said } = await kit.lyceum.as({ headers }, site).get(route).expect(expected);
    return { code: body.code, challenge: said['www-authenticate'] };
  };
  const missing = { code: 'studio_sync_missing_auth', challenge: 'Bearer' };
  const invalid = { code: 'studio_sync_invalid_token', challenge: 'Bearer' };

  it('is asked for by every route of the studio; nothing else counts', async () => {
    const ann = await editor();
    const { signed } = await kit.lyceum.make.session(ann.id);
    for (const route of [status, `${root}/status`, `${root}/sites`, items, `${root}/sync/posts/1`]) {
      expect(await code({}, route)).to.deep.equal(missing);
      expect(await code({ ...signed.headers }, route)).to.deep.equal(missing);
      expect(await code({ ...ann.headers }, route)).to.deep.equal(missing);
      expect(await code({ Authorization: 'Bearer' }, route)).to.deep.equal(missing);
      expect(await code({ Authorization: 'Bearer nothing of the kind' }, route)).to.deep.equal(invalid);
      expect(await code({ Authorization: `Bearer ${await kit.connectToken(ann)}` }, route)).to.deep.equal(
        invalid,
      );
    }
  });

  it('acts as its user, whoever else the cookie names', async () => {
    const [ann, bob] = [await editor(), await kit.lyceum.make.user({ superAdminOf: 1 })];
    const studio = await kit.studio(ann);
    const { signed } = await kit.lyceum.make.session(bob.id);
    const both = { headers: { ...signed.headers, ...studio.headers } };
    const { body } = await kit.lyceum.as(both).get(status).expect(200);
    expect(body.user.id).to.equal(ann.id);
    const lower = { headers: { Authorization: `bearer   ${studio.token}` } };
    await kit.lyceum.as(lower).get(status).expect(200);
  });

  it('counts for nothing outside of its routes', async () => {
    const studio = await kit.studio(kit.admin);
    for (const route of ['svc/host/v1/users/me', 'svc/modules/v1/modules', `${root}/connections`]) {
      const { body } = await kit.lyceum.as(studio).get(route).expect(401);
      expect(body.code).to.equal('rest_forbidden');
    }
  });

  it('tells of itself, of its user and of what he may', async () => {
    const ann = await editor();
    const studio = await kit.studio(ann);
    const { body } = await kit.lyceum.as(studio).get(status).expect(200);
    expect(body.capabilities).to.deep.equal({
      edit_pages: true,
      publish_pages: true,
      edit_others_pages: true,
    });
    expect(body).to.deep.include({ success: true, platform: null, app_version: null });
    expect(Math.abs(Date.parse(body.server_time) - Date.now())).to.be.below(10_000);
    expect(Date.parse(body.last_used_at)).to.be.at.least(Date.parse(body.created_at));
    const old = await kit.lyceum.as(studio).get(`${root}/status`).expect(200);
    expect(old.headers.deprecation).to.equal('true');
    expect(old.body).to.deep.equal({
      success: true,
      connected: true,
      connection_id: studio.connection_id,
      site_url: body.site.site_url,
      site_name: body.site.title,
      user: { id: ann.id, displayName: ann.login },
      version: 'v1',
    });
  });

  it('notes its use once a minute', async () => {
    const studio = await kit.studio(await editor());
    const used = async () => (await kit.lyceum.as(studio).get(status).expect(200)).body.last_used_at;
    const first = await used();
    expect(await used()).to.equal(first);
    await kit
      .knex('studio_connections')
      .where({ connection_id: studio.connection_id })
      .update({ last_used_at: kit.knex.raw("now() - interval '61 seconds'") });
    expect(Date.parse(await used())).to.be.at.least(Date.parse(first));
  });

  it('ends by its own word, and by no other', async () => {
    const [studio, other] = [await kit.studio(await editor()), await kit.studio(await editor())];
    const as = kit.lyceum.as(studio);
    const wrong = await as.post(disconnect, { connection_id: other.connection_id }).expect(403);
    expect(wrong.body.code).to.equal('studio_sync_connection_mismatch');
    const absent = await as.post(disconnect, {}).expect(400);
    expect(absent.body).to.deep.include({ code: 'studio_sync_bad_disconnect_request' });
    expect(absent.body.data.params).to.deep.equal(['connection_id']);
    for (const connection_id of [5, '', null, []]) {
      const { body } = await as.post(disconnect, { connection_id }).expect(400);
      expect(body.code).to.equal('studio_sync_bad_disconnect_request');
      expect(body.data.params).to.have.all.keys('connection_id');
    }
    await as.get(status).expect(200);
    const { connection_id } = studio;
    const { body } = await as.post(disconnect, { connection_id }).expect(200);
    expect(body).to.deep.equal({ success: true, connection_id, status: 'revoked' });
    for (const route of [status, items, `${root}/sites`, `${root}/sync/posts/1`]) {
      const { body: said } = await as.get(route).expect(403);
      expect(said.code).to.equal('studio_sync_connection_revoked');
    }
    const again = await as.post(disconnect, { connection_id }).expect(403);
    expect(again.body.code).to.equal('studio_sync_connection_revoked');
    expect((await kit.audited('disconnect')).slice(-1)[0]).to.deep.include({
      subject: `connection:${connection_id}`,
    });
    await kit.lyceum.as(other).get(status).expect(200);
  });

  it('follows the role of its user at the next request', async () => {
    const ann = await editor();
    const studio = await kit.studio(ann);
    const membership = kit.knex('memberships').where({ blog_id: 1, user_id: ann.id });
    await kit.lyceum.as(studio).get(items).expect(200);
    await membership.clone().update({ role: 'subscriber' });
    const { body } = await kit.lyceum.as(studio).get(items).expect(403);
    expect(body.code).to.equal('studio_sync_insufficient_permissions');
    const shown = await kit.lyceum.as(studio).get(status).expect(200);
    expect(shown.body.capabilities.edit_pages).to.equal(false);
    expect((await kit.lyceum.as(studio).get(`${root}/sites`).expect(200)).body.sites).to.deep.equal([]);
    await membership.clone().delete();
    await kit.lyceum.as(studio).get(items).expect(403);
  });

  it('ends after long silence, for good', async () => {
    const studio = await kit.studio(await editor());
    const silent = (days: number) =>
      kit
        .knex('studio_connections')
        .where({ connection_id: studio.connection_id })
        .update({ last_used_at: kit.knex.raw('now() - make_interval(days => ?)', [days]) });
    await silent(179);
    await kit.lyceum.as(studio).get(status).expect(200);
    await silent(400);
    await kit.lyceum.make.settings('studio_sync', { connection_idle_days: 0 });
    await kit.lyceum.as(studio).get(status).expect(200);
    await kit.lyceum.make.settings('studio_sync', { connection_idle_days: 180 });
    await silent(181);
    expect((await code({ ...studio.headers }, status, 403)).code).to.equal('studio_sync_connection_revoked');
    await kit.lyceum.make.settings('studio_sync', { connection_idle_days: 0 });
    await silent(0);
    await kit.lyceum.as(studio).get(status).expect(403);
    await kit.lyceum.make.settings('studio_sync', { connection_idle_days: 180 });
  });

  it('is of nobody once its user is deleted', async () => {
    const ann = await editor();
    const studio = await kit.studio(ann);
    await kit.lyceum.as(kit.admin).delete(`svc/host/v1/users/${ann.id}?reassign=${kit.admin.id}`).expect(200);
    expect(await code({ ...studio.headers })).to.deep.equal(invalid);
    const row = await kit.knex('studio_connections').where({ connection_id: studio.connection_id }).first();
    expect(row.revoked_at).to.be.a('string');
  });

  it('is good on the sites of its network where its user edits pages, and unknown elsewhere', async () => {
    const one = await kit.lyceum.make.site();
    const two = await kit.lyceum.make.site();
    const closed = await kit.lyceum.make.site();
    const network = await kit.lyceum.make.network();
    const ann = await editor({ site: one.blog_id });
    const join = (blog_id: number, role: string) =>
      kit.knex('memberships').insert({ blog_id, user_id: ann.id, role });
    await join(1, 'author');
    await join(closed.blog_id, 'administrator');
    await join(network.blog_id, 'administrator');
    await kit.knex('sites').where({ blog_id: closed.blog_id }).update({ archived: 1 });
    const studio = await kit.studio(ann, one);
    const listed = await kit.lyceum.as(studio, one).get(`${root}/sites`).expect(200);
    expect(listed.body.sites.map(({ blog_id }: { blog_id: number }) => blog_id)).to.deep.equal([one.blog_id]);
    expect(listed.body.sites[0].current).to.equal(true);
    await join(two.blog_id, 'editor');
    const more = await kit.lyceum.as(studio, two).get(`${root}/sites`).expect(200);
    expect(more.body.sites).to.have.length(2);
    expect(more.body.sites.map(({ current }: { current: boolean }) => current)).to.deep.equal([false, true]);
    const post = await kit.post({}, kit.admin, two);
    for (const [site, query] of [
      [two, ''],
      [one, `?blog_id=${two.blog_id}`],
    ] as const) {
      const { body } = await kit.lyceum.as(studio, site).get(`${items}${query}`).expect(200);
      expect(body.items).to.deep.include({
        post_id: post.id,
        post_type: 'page',
        slug: post.slug,
        editor: 'block',
        hash: hashes.hello,
        title: 'A page',
        status: 'publish',
      });
    }
    await kit.lyceum.as(studio).get(items).expect(403);
    await kit.lyceum.as(studio, one).get(`${items}?blog_id=1`).expect(403);
    await kit.lyceum.as(studio, closed).get(items).expect(410);
    await kit.lyceum.as(studio, one).get(`${items}?blog_id=${closed.blog_id}`).expect(410);
    await kit.lyceum.as(studio, one).get(`${items}?blog_id=${network.blog_id}`).expect(404);
    await kit.lyceum.as(studio, one).get(`${items}?blog_id=0`).expect(400);
    const { body } = await kit.lyceum.as(studio, network).get(items).expect(401);
    expect(body.code).to.equal('studio_sync_invalid_token');
  });

  it('of a super admin opens closed sites, one of others does not, whoever their cookie names', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await editor({ site: site.blog_id });
    const [own, all] = [await kit.studio(ann, site), await kit.studio(kit.admin)];
    await kit.knex('sites').where({ blog_id: site.blog_id }).update({ spam: 1 });
    await kit.lyceum.as(all, site).get(items).expect(200);
    const { signed } = await kit.lyceum.make.session(kit.admin.id);
    for (const headers of [{}, own.headers, { ...signed.headers, ...own.headers }, signed.headers]) {
      const { body } = await kit.lyceum.as({ headers }, site).get(items).expect(410);
      expect(body.code).to.equal('site_unavailable');
    }
    const listed = await kit.lyceum.as(all).get(`${root}/sites`).expect(200);
    expect(listed.body.sites.map(({ blog_id }: { blog_id: number }) => blog_id)).not.to.include(site.blog_id);
  });

  it('answers an unknown token as one that was never drawn', async () => {
    const studio = bearerOf('', `sst_${'A'.repeat(43)}`);
    expect(await code({ ...studio.headers })).to.deep.equal(invalid);
    for (const token of ['sst_', 'ж', `sst_${'A'.repeat(10_000)}`]) {
      const headers = { Authorization: `Bearer ${encodeURIComponent(token)}` };
      expect(await code(headers)).to.deep.equal(invalid);
    }
  });
});

describe('studio_sync: on a single site', () => {
  it('lists the one site, and knows no other', async () => {
    const kit = await StudioKit.start({ config: { multisite: 'off' } });
    const ann = await kit.lyceum.make.user({ role: 'editor' });
    const studio = await kit.studio(ann);
    const { body } = await kit.lyceum.as(studio).get(`${root}/sites`).expect(200);
    expect(body.sites).to.have.length(1);
    await kit.lyceum.as(studio).get(`${items}?blog_id=1`).expect(200);
    await kit.lyceum.as(studio).get(`${items}?blog_id=2`).expect(400);
    await kit.lyceum.stop();
  });
});
