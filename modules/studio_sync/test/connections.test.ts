import { runSchedule } from '@lyceum/core/testing';
import { expect } from 'chai';
import { connections, type Studio, StudioKit, status } from './studio-kit.ts';

describe('studio_sync: managing connections', () => {
  let kit: StudioKit;
  before(async () => {
    kit = await StudioKit.start();
  });
  after(() => kit.lyceum.stop());

  const editor = (more: object = {}) => kit.lyceum.make.user({ role: 'editor', ...more });
  const ids = (list: { connection_id: string }[]) => list.map(({ connection_id }) => connection_id);
  const one = ({ connection_id }: Pick<Studio, 'connection_id'>) => `${connections}/${connection_id}`;

  it('lists the own ones, newest first, without their tokens', async () => {
    const [ann, bob] = [await editor(), await editor()];
    const [first, second] = [await kit.studio(ann), await kit.studio(ann)];
    await kit.studio(bob);
    const { body } = await kit.lyceum.as(ann).get(connections).expect(200);
    expect(ids(body)).to.deep.equal(ids([second, first]));
    expect(body[0]).to.have.all.keys(
      'connection_id',
      'status',
      'user_id',
      'blog_id',
      'device_name',
      'platform',
      'app_version',
      'created_at',
      'last_used_at',
    );
    expect(body[0]).to.deep.include({ status: 'connected', user_id: ann.id, blog_id: 1, last_used_at: null });
    await kit.lyceum.anonymous.get(connections).expect(401);
    await kit.lyceum
      .as(await kit.lyceum.make.user({ role: 'author' }))
      .get(connections)
      .expect(403);
    const paged = await kit.lyceum.as(ann).get(`${connections}?per_page=1&page=2`).expect(200);
    expect(ids(paged.body)).to.deep.equal(ids([first]));
  });

  it('shows administrators those of everybody at their site', async () => {
    const site = await kit.lyceum.make.site();
    const [ann, boss] = [
      await editor({ site: site.blog_id }),
      await kit.lyceum.make.user({ role: 'administrator', site: site.blog_id }),
    ];
    const studio = await kit.studio(ann, site);
    await kit.studio(await editor());
    const { body } = await kit.lyceum.as(boss, site).get(connections).expect(200);
    expect(ids(body)).to.deep.equal(ids([studio]));
  });

  it('ends one at the word of its owner or of an administrator where it was made, once and for all', async () => {
    const site = await kit.lyceum.make.site();
    const ann = await editor({ site: site.blog_id });
    const boss = await kit.lyceum.make.user({ role: 'administrator', site: site.blog_id });
    const stranger = await kit.lyceum.make.user({ role: 'administrator' });
    const [own, other] = [await kit.studio(ann, site), await kit.studio(ann, site)];
    for (const who of [stranger, await editor()]) {
      const { body } = await kit.lyceum.as(who).delete(one(own)).expect(404);
      expect(body.code).to.equal('studio_sync_connection_not_found');
    }
    await kit.lyceum.anonymous.delete(one(own)).expect(401);
    const result = { success: true, connection_id: own.connection_id, status: 'revoked' };
    expect((await kit.lyceum.as(ann, site).delete(one(own)).expect(200)).body).to.deep.equal(result);
    expect((await kit.lyceum.as(ann).delete(one(own)).expect(200)).body).to.deep.equal(result);
    await kit.lyceum.as(boss, site).delete(one(other)).expect(200);
    for (const studio of [own, other]) {
      const { body } = await kit.lyceum.as(studio, site).get(status).expect(403);
      expect(body.code).to.equal('studio_sync_connection_revoked');
    }
    const rows = (await kit.audited('revoke')).filter(
      ({ subject }) => subject === `connection:${own.connection_id}`,
    );
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({ user_id: ann.id, blog_id: site.blog_id });
    const listed = await kit.lyceum.as(ann, site).get(connections).expect(200);
    expect(listed.body.map((row: { status: string }) => row.status)).to.deep.equal(['revoked', 'revoked']);
  });

  it('knows none of another network, and nothing that is no id', async () => {
    const network = await kit.lyceum.make.network();
    const studio = await kit.studio(kit.admin);
    await kit.knex('super_admins').insert({ network_id: network.network_id, user_id: kit.admin.id });
    await kit.lyceum.as(kit.admin, network).delete(one(studio)).expect(404);
    for (const id of ['1', 'nothing', `${studio.connection_id}0`, '..%2f', 'x'.repeat(5_000)]) {
      const { body } = await kit.lyceum.as(kit.admin).delete(`${connections}/${id}`).expect(404);
      expect(body.code).to.equal('studio_sync_connection_not_found');
    }
    await kit.lyceum.as(kit.admin).delete(one(studio)).expect(200);
  });

  it('forgets connect tokens a day after their end, and no connection', async () => {
    const ann = await editor();
    for (let made = 0; made < 3; made += 1) await kit.connectToken(ann);
    const rows = await kit.knex('studio_connect_tokens').where({ user_id: ann.id }).orderBy('id');
    const age = (id: number, hours: number) =>
      kit
        .knex('studio_connect_tokens')
        .where({ id })
        .update({ expires_at: kit.knex.raw('now() - make_interval(hours => ?)', [hours]) });
    await age(rows[0].id, 25);
    await age(rows[1].id, 23);
    const before = await kit.knex('studio_connections').count({ count: '*' }).first();
    await runSchedule(kit.lyceum, 'studio_sync.forget-tokens');
    const left = await kit.knex('studio_connect_tokens').where({ user_id: ann.id }).orderBy('id').pluck('id');
    expect(left).to.deep.equal([rows[1].id, rows[2].id]);
    expect(await kit.knex('studio_connections').count({ count: '*' }).first()).to.deep.equal(before);
  });

  it('is gone with the module, and back with its connections', async () => {
    const studio = await kit.studio(await editor());
    const toggle = (enabled: boolean) =>
      kit.lyceum.as(kit.admin).put('svc/modules/v1/modules/studio_sync', { enabled }).expect(200);
    await toggle(false);
    expect((await kit.lyceum.as(studio).get(status).expect(404)).body.code).to.equal('rest_no_route');
    await toggle(true);
    await kit.lyceum.as(studio).get(status).expect(200);
  });
});
