import {
  countStatements,
  type Identity,
  startTestHost,
  type TestHost,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';

describe('site_manager: people of a site', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  let blogId: number;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  beforeEach(async () => {
    blogId = (await lyceum.make.site()).blog_id;
  });
  after(() => lyceum.stop());

  const path = (): string => `svc/site-manager/v1/sites/${blogId}/users`;
  const put = (body: object, who: Identity = admin) => lyceum.as(who).post(path(), body);
  const roleOf = async (who: TestUser): Promise<string | null> => {
    const row = await lyceum.host.db.knex('memberships').where({ blog_id: blogId, user_id: who.id }).first();
    return row?.role ?? null;
  };
  const audited = async () => (await lyceum.as(admin).get(`svc/modules/v1/audit?blog_id=${blogId}`)).body;

  it('puts a user on the site by id, login or e-mail, and changes his role', async () => {
    const ann = await lyceum.make.user();
    const first = await put({ email: ann.email.toUpperCase(), role: 'editor' }).expect(201);
    expect(first.headers.location).to.match(new RegExp(`${path()}/${ann.id}$`));
    const { registered, ...row } = first.body;
    expect(row).to.deep.equal({
      id: ann.id,
      login: ann.login,
      email: ann.email,
      display_name: ann.login,
      nicename: ann.login,
      role: 'editor',
    });
    expect(registered).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const changed = await put({ login: ann.login, role: 'author' }).expect(200);
    expect(changed.body).to.deep.equal({ ...first.body, role: 'author' });
    expect((await put({ user_id: ann.id }).expect(200)).body.role).to.equal('subscriber');
    await put({ user_id: ann.id, role: 'subscriber' }).expect(200);
    const rows = await audited();
    expect(
      rows.map((entry: { action: string; from: unknown; to: unknown }) => [
        entry.action,
        entry.from,
        entry.to,
      ]),
    ).to.deep.equal([
      ['site.user_role', { role: 'author' }, { role: 'subscriber' }],
      ['site.user_role', { role: 'editor' }, { role: 'author' }],
      ['site.user_add', null, { role: 'editor' }],
    ]);
    expect(rows[0].subject).to.equal(`user:${ann.id}`);
  });

  it('gives the new role with the next request', async () => {
    const ann = await lyceum.make.user();
    const site = await lyceum.host.db.knex('sites').where({ blog_id: blogId }).first();
    await lyceum.as(ann, site).get('svc/host/v1/settings').expect(403);
    await put({ user_id: ann.id, role: 'administrator' }).expect(201);
    await lyceum.as(ann, site).get('svc/host/v1/settings').expect(200);
  });

  it('makes one member of many simultaneous requests', async () => {
    const ann = await lyceum.make.user();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) => put({ user_id: ann.id, role: at % 2 ? 'author' : 'editor' })),
    );
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([...Array(9).fill(200), 201]);
    expect(
      (await audited()).filter((row: { action: string }) => row.action === 'site.user_add'),
    ).to.have.length(1);
  });

  it('refuses none or two names, unknown users and roles', async () => {
    const ann = await lyceum.make.user();
    const wrong = [
      {},
      { user_id: ann.id, login: ann.login },
      { login: ann.login, email: ann.email },
      { user_id: ann.id, role: 'king' },
      { user_id: ann.id, role: null },
      { user_id: String(ann.id) },
      { user_id: 0 },
      { login: '' },
    ];
    for (const body of wrong) {
      expect((await put(body).expect(400)).body.code, JSON.stringify(body)).to.equal('rest_invalid_param');
    }
    for (const body of [{ user_id: 99_999 }, { login: 'nobody' }, { email: 'no@body.test' }]) {
      const answer = await put(body).expect(404);
      expect(answer.body.code).to.equal('user_not_found');
      expect(answer.body.data.params).to.deep.equal(Object.keys(body));
    }
    expect(await roleOf(ann)).to.equal(null);
  });

  it('lists members by id, found by role and parts of their names', async () => {
    const people: TestUser[] = [];
    for (const role of ['editor', 'author', 'author']) {
      people.push(await lyceum.make.user({ role, site: blogId, login: `list_${blogId}_${people.length}` }));
    }
    const list = async (query: string): Promise<number[]> =>
      (await lyceum.as(admin).get(`${path()}?${query}`).expect(200)).body.map(
        (row: { id: number }) => row.id,
      );
    const ids = people.map((who) => who.id);
    expect(await list('')).to.deep.equal(ids);
    expect(await list('role=author')).to.deep.equal(ids.slice(1));
    expect(await list(`search=LIST_${blogId}_1`)).to.deep.equal([ids[1]]);
    expect(await list(`search=_${blogId}_2%40EXAMPLE`)).to.deep.equal([ids[2]]);
    expect(await list('search=list%25')).to.deep.equal([]);
    await lyceum.host.db.knex('users').where({ id: ids[0] }).update({ display_name: 'Zoë Quick' });
    expect(await list('search=quick')).to.deep.equal([ids[0]]);
    const page = await lyceum.as(admin).get(`${path()}?per_page=2&page=2`).expect(200);
    expect(page.body).to.have.length(1);
    expect(page.headers['x-svc-total']).to.equal('3');
    expect(await countStatements(() => list(''))).to.equal(4);
    await lyceum.as(admin).get(`${path()}?role=king`).expect(400);
  });

  it('takes a user off, once', async () => {
    const ann = await lyceum.make.user({ role: 'editor', site: blogId });
    const { body } = await lyceum.as(admin).delete(`${path()}/${ann.id}`).expect(200);
    expect(body).to.deep.equal({ deleted: true, blog_id: blogId, user_id: ann.id });
    expect(await roleOf(ann)).to.equal(null);
    for (const id of [ann.id, 99_999, 0, 'x']) {
      const again = await lyceum.as(admin).delete(`${path()}/${id}`).expect(404);
      expect(again.body.code).to.equal('user_not_found');
    }
    expect((await audited())[0]).to.deep.include({
      action: 'site.user_remove',
      from: { role: 'editor' },
      to: null,
    });
  });

  it('gives his posts of this site to another member, or leaves them', async () => {
    const site = await lyceum.host.db.knex('sites').where({ blog_id: blogId }).first();
    const [ann, bob, heir] = [
      await lyceum.make.user({ role: 'author', site: blogId }),
      await lyceum.make.user({ role: 'author', site: blogId }),
      await lyceum.make.user({ role: 'editor', site: blogId }),
    ];
    await lyceum.host.db.knex('memberships').insert({ blog_id: 1, user_id: ann.id, role: 'author' });
    const write = async (who: TestUser, where?: { path: string; domain: string }): Promise<number> =>
      (await lyceum.as(who, where).post('svc/host/v1/posts', { title: 'Mine' }).expect(201)).body.id;
    const [own, elsewhere, kept] = [await write(ann, site), await write(ann), await write(bob, site)];
    const outsider = await lyceum.make.user();
    for (const reassign of [outsider.id, 99_999]) {
      const answer = await lyceum.as(admin).delete(`${path()}/${ann.id}?reassign=${reassign}`).expect(404);
      expect(answer.body.data.params).to.deep.equal(['reassign']);
    }
    await lyceum.as(admin).delete(`${path()}/${ann.id}?reassign=${ann.id}`).expect(400);
    await lyceum.as(admin).delete(`${path()}/${ann.id}?reassign=x`).expect(400);
    expect(await roleOf(ann)).to.equal('author');
    await lyceum.as(admin).delete(`${path()}/${ann.id}?reassign=${heir.id}`).expect(200);
    await lyceum.as(admin).delete(`${path()}/${bob.id}`).expect(200);
    const rows = await lyceum.host.db
      .knex('posts')
      .whereIn('id', [own, elsewhere, kept])
      .select('id', 'author_id');
    expect(Object.fromEntries(rows.map((row) => [row.id, row.author_id]))).to.deep.equal({
      [own]: heir.id,
      [elsewhere]: ann.id,
      [kept]: bob.id,
    });
  });

  it('takes reassign from the body too', async () => {
    const ann = await lyceum.make.user({ role: 'author', site: blogId });
    const heir = await lyceum.make.user({ role: 'editor', site: blogId });
    await lyceum
      .as(admin)
      .delete(`${path()}/${ann.id}`, { reassign: String(heir.id) })
      .expect(400);
    await lyceum.as(admin).delete(`${path()}/${ann.id}`, { reassign: heir.id }).expect(200);
    expect((await audited())[0].to).to.deep.equal({ reassign: heir.id });
  });

  it('is for those who manage the network', async () => {
    const own = await lyceum.make.user({ role: 'administrator', site: blogId });
    await lyceum.as(own).get(path()).expect(403);
    await put({ user_id: own.id }, own).expect(403);
    await lyceum.as(own).delete(`${path()}/${own.id}`).expect(403);
    await lyceum.anonymous.get(path()).expect(401);
    await lyceum.anonymous.post(path(), { user_id: own.id }).expect(401);
    await lyceum.anonymous.delete(`${path()}/${own.id}`).expect(401);
    const nowhere = 'svc/site-manager/v1/sites/99999/users';
    await lyceum.as(admin).get(nowhere).expect(404);
    await lyceum.as(admin).post(nowhere, { user_id: own.id }).expect(404);
    expect((await lyceum.as(admin).delete(`${nowhere}/${own.id}`).expect(404)).body.code).to.equal(
      'site_not_found',
    );
  });
});
