import { probe, startTestHost, type TestHost, testModules } from '@lyceum/core/testing';
import { expect } from 'chai';

const route = 'svc/host/v1/users';

describe('deleting users', () => {
  let lyceum: TestHost;
  let second: TestHost;
  before(async () => {
    const options = { modules: ['probe'], folders: [testModules] };
    lyceum = await startTestHost(options);
    second = await startTestHost({ ...options, beside: lyceum });
  });
  after(async () => {
    await second.stop();
    await lyceum.stop();
  });

  const asAdmin = async () => lyceum.as(await lyceum.make.admin());

  async function postOf(author: number, blogId = 1): Promise<number> {
    const { knex } = lyceum.host.db;
    const [row] = (await knex('posts')
      .insert({
        blog_id: blogId,
        type: 'post',
        status: 'trash',
        slug: `of-${author}-on-${blogId}`,
        lang: 'en',
        hash: '',
        search: knex.raw(`to_tsvector('simple', '')`),
        author_id: author,
      })
      .returning('id')) as { id: number }[];
    return row?.id ?? 0;
  }

  it('removes the account with all that proves it, and tells the modules', async () => {
    const ann = await lyceum.make.user({ role: 'editor' });
    const { signed } = await lyceum.make.session(ann.id);
    const admin = await asAdmin();
    // Other tests of this process delete users, too.
    probe.listener.told.splice(0);
    const answer = await admin.delete(`${route}/${ann.id}`).expect(200);
    expect(answer.body).to.deep.equal({ deleted: true, id: ann.id });
    expect(probe.listener.told).to.deep.equal([ann.id]);
    for (const dead of [signed, ann]) await second.as(dead).get(`${route}/me`).expect(401);
    const gone = await admin.get(`${route}/${ann.id}`).expect(404);
    expect(gone.body.code).to.equal('user_not_found');
    await admin.delete(`${route}/${ann.id}`).expect(404);
    for (const table of ['memberships', 'sessions', 'application_passwords']) {
      expect(await lyceum.host.db.knex(table).where({ user_id: ann.id })).to.deep.equal([]);
    }
    const row = await lyceum.host.db
      .knex('audit_log')
      .where({ subject: `user:${ann.id}` })
      .first();
    expect(row).to.deep.include({
      module: 'host',
      action: 'user.delete',
      user_id: 1,
      blog_id: null,
      from: { login: ann.login, email: ann.email },
    });
  });

  it('keeps the account when a module objects', async () => {
    const ann = await lyceum.make.user();
    const post = await postOf(ann.id);
    probe.listener.refuses = true;
    try {
      const answer = await (await asAdmin()).delete(`${route}/${ann.id}?reassign=1`).expect(409);
      expect(answer.body.code).to.equal('probe_refused');
    } finally {
      probe.listener.refuses = false;
    }
    await lyceum.as(ann).get(`${route}/me`).expect(200);
    const row = await lyceum.host.db.knex('posts').where({ id: post }).first('author_id');
    expect(row.author_id).to.equal(ann.id);
  });

  it('asks who gets the posts, and gives them to him on every site', async () => {
    const site = await lyceum.make.site();
    const [ann, heir] = [await lyceum.make.user(), await lyceum.make.user()];
    const posts = [await postOf(ann.id), await postOf(ann.id, site.blog_id)];
    const admin = await asAdmin();
    const missing = await admin.delete(`${route}/${ann.id}`).expect(400);
    expect(missing.body.code).to.equal('rest_missing_callback_param');
    expect(missing.body.data.params).to.deep.equal(['reassign']);
    for (const reassign of [999_999, ann.id]) {
      const bad = await admin.delete(`${route}/${ann.id}?reassign=${reassign}`).expect(400);
      expect(bad.body.code).to.equal('rest_invalid_param');
      expect(bad.body.data.params).to.have.all.keys(['reassign']);
    }
    await admin.delete(`${route}/${ann.id}?reassign=x`).expect(400);
    await admin.delete(`${route}/${ann.id}`, { reassign: '5' }).expect(400);
    await admin.delete(`${route}/${ann.id}`, { reassign: heir.id }).expect(200);
    const rows = await lyceum.host.db.knex('posts').whereIn('id', posts).select('author_id');
    expect(rows).to.deep.equal([{ author_id: heir.id }, { author_id: heir.id }]);
    await admin.delete(`${route}/${heir.id}?reassign=1`).expect(200);
  });

  it('takes no heir from another network', async () => {
    const other = await lyceum.make.network();
    const stranger = await lyceum.make.user({
      role: 'editor',
      site: other.blog_id,
      network: other.network_id,
    });
    const ann = await lyceum.make.user();
    await postOf(ann.id);
    await (await asAdmin()).delete(`${route}/${ann.id}?reassign=${stranger.id}`).expect(400);
  });

  it('refuses oneself, and unknown users', async () => {
    const admin = await asAdmin();
    for (const id of ['me', 1]) {
      const answer = await admin.delete(`${route}/${id}`).expect(400);
      expect(answer.body.code).to.equal('user_self_delete');
    }
    for (const id of [999_999, 'abc', '0']) {
      expect((await admin.delete(`${route}/${id}`).expect(404)).body.code).to.equal('user_not_found');
    }
  });
});

describe('who may delete users', () => {
  let lyceum: TestHost;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
  });
  after(() => lyceum.stop());

  it('is who manages the users of the network, and never over somebody who is more', async () => {
    const ann = await lyceum.make.user();
    await lyceum.anonymous.delete(`${route}/${ann.id}`).expect(401);
    for (const role of ['subscriber', 'administrator']) {
      await lyceum
        .as(await lyceum.make.user({ role }))
        .delete(`${route}/${ann.id}`)
        .expect(403);
    }
    const other = await lyceum.make.network();
    const boss = await lyceum.make.user({ superAdminOf: other.network_id });
    const there = lyceum.as(boss, other);
    await lyceum.as(boss).delete(`${route}/${ann.id}`).expect(403);
    await there.delete(`${route}/${ann.id}`).expect(404);
    await lyceum.host.db
      .knex('memberships')
      .insert({ blog_id: other.blog_id, user_id: 1, role: 'subscriber' });
    const lastOne = await there.delete(`${route}/1`).expect(409);
    expect(lastOne.body.code).to.equal('last_super_admin');
    await lyceum.make.user({ superAdminOf: 1 });
    await there.delete(`${route}/1`).expect(403);
    const last = await lyceum.make.user({ superAdminOf: other.network_id });
    await there.delete(`${route}/${last.id}`).expect(200);
  });

  it('keeps one super admin of a network, also when two delete each other', async () => {
    const network = await lyceum.make.network();
    const [one, two] = [
      await lyceum.make.user({ superAdminOf: network.network_id, network: network.network_id }),
      await lyceum.make.user({ superAdminOf: network.network_id, network: network.network_id }),
    ];
    const answers = await Promise.all([
      lyceum.as(one, network).delete(`${route}/${two.id}`),
      lyceum.as(two, network).delete(`${route}/${one.id}`),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).to.equal(200);
    // The second spoke of the last one, or for somebody who was gone already.
    expect(statuses[1]).to.be.oneOf([401, 403, 409]);
    const left = await lyceum.host.db.knex('super_admins').where({ network_id: network.network_id });
    expect(left).to.have.length(1);
  });

  it('is a user manager on a single site', async () => {
    const single = await startTestHost({ modules: [], config: { multisite: 'off' } });
    try {
      const administrator = await single.make.user({ role: 'administrator' });
      const client = single.as(administrator);
      const made = await client
        .post(route, { login: 'solo', email: 'solo@example.com', role: 'administrator' })
        .expect(201);
      const listed = await client.get(`${route}?network=true`).expect(200);
      expect(listed.body.map(({ id }: { id: number }) => id)).to.include(made.body.id);
      await client.patch(`${route}/${made.body.id}`, { display_name: 'Solo' }).expect(200);
      await client.patch(`${route}/${made.body.id}`, { super_admin: true }).expect(403);
      await client.delete(`${route}/${made.body.id}`).expect(200);
      // The super admin is more than an administrator, also here.
      await client.patch(`${route}/1`, { password: 'taken over' }).expect(403);
      expect((await client.delete(`${route}/1`).expect(409)).body.code).to.equal('last_super_admin');
      await single
        .as(await single.make.user({ role: 'editor' }))
        .get(`${route}?network=true`)
        .expect(403);
      expect((await client.get(`${route}?blog_id=2`).expect(400)).body.code).to.equal('invalid_blog');
      await client.get(`${route}?blog_id=1`).expect(200);
    } finally {
      await single.stop();
    }
  });
});
