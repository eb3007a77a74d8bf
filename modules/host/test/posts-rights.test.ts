import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

describe('host: rights on posts', () => {
  let lyceum: TestHost;
  let admin: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    admin = lyceum.as(await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  const someone = async (role: string | null, site?: number) => {
    const user = await lyceum.make.user({ role, ...(site === undefined ? {} : { site }) });
    return { id: user.id, client: lyceum.as(user) };
  };
  const make = async (body: object, client = admin): Promise<number> =>
    (await client.post(posts, body).expect(201)).body.id;
  const seen = async (client: Client, query: string): Promise<number[]> =>
    (await client.get(`${posts}?per_page=100&${query}`).expect(200)).body.map(
      (post: { id: number }) => post.id,
    );

  it('lets nobody in, and nobody without a role', async () => {
    const id = await make({ title: 'Public', status: 'publish' });
    const { client: stranger } = await someone(null);
    for (const [method, route] of [
      ['get', posts],
      ['post', posts],
      ['get', `${posts}/${id}`],
      ['patch', `${posts}/${id}`],
      ['delete', `${posts}/${id}`],
    ] as const) {
      const refused = await lyceum.anonymous[method](route).expect(401);
      expect(refused.body.code).to.equal('rest_forbidden');
      const forbidden = await stranger[method](route).expect(403);
      expect(forbidden.body.code).to.equal('rest_forbidden');
    }
  });

  it("hides an author's draft from another author, not from an editor", async () => {
    const author = await someone('author');
    const other = await someone('author');
    const editor = await someone('editor');
    const id = await make({ title: 'Draft' }, author.client);
    await author.client.get(`${posts}/${id}`).expect(200);
    const hidden = await other.client.get(`${posts}/${id}`).expect(404);
    const unknown = await other.client.get(`${posts}/999999`).expect(404);
    expect(hidden.body).to.deep.equal(unknown.body);
    expect(hidden.body.code).to.equal('post_not_found');
    await editor.client.get(`${posts}/${id}`).expect(200);
    await lyceum.anonymous.get(`${posts}/${id}`).expect(401);
    await other.client.patch(`${posts}/${id}`, { title: 'Mine' }).expect(404);
    await other.client.delete(`${posts}/${id}`).expect(404);
    expect(await seen(author.client, 'status=draft')).to.include(id);
    expect(await seen(other.client, 'status=any')).not.to.include(id);
    expect(await seen(editor.client, 'status=draft,private')).to.include(id);
  });

  it('shows private pages to those who may read them, private posts to those who may edit them', async () => {
    const page = await make({ type: 'page', title: 'Inner', status: 'private' });
    const post = await make({ title: 'Inner', status: 'private' });
    const author = await someone('author');
    const editor = await someone('editor');
    for (const [id, type] of [
      [page, 'page'],
      [post, 'post'],
    ] as const) {
      await author.client.get(`${posts}/${id}`).expect(404);
      await editor.client.get(`${posts}/${id}`).expect(200);
      expect(await seen(author.client, `type=${type}&status=private`)).not.to.include(id);
      expect(await seen(editor.client, `type=${type}&status=private`)).to.include(id);
    }
  });

  it('gives each role what it may make', async () => {
    const allowed: Readonly<Record<string, readonly [string, string][]>> = {
      subscriber: [],
      contributor: [
        ['post', 'draft'],
        ['post', 'pending'],
      ],
      author: [
        ['post', 'draft'],
        ['post', 'pending'],
        ['post', 'publish'],
        ['post', 'private'],
      ],
      editor: ['post', 'page', 'modal'].flatMap((type) =>
        ['draft', 'pending', 'publish', 'private'].map((status): [string, string] => [type, status]),
      ),
    };
    for (const [role, pairs] of Object.entries(allowed)) {
      const { client } = await someone(role);
      for (const type of ['post', 'page', 'modal']) {
        for (const status of ['draft', 'pending', 'publish', 'private']) {
          const may = pairs.some((pair) => pair[0] === type && pair[1] === status);
          const answer = await client.post(posts, { type, status, title: 'x' });
          expect(answer.status, `${role} ${type} ${status}`).to.equal(may ? 201 : 403);
        }
      }
    }
  });

  it('asks for the right to publish when a record comes out, not when it stays out', async () => {
    const contributor = await someone('contributor');
    const id = await make({ title: 'Mine' }, contributor.client);
    for (const status of ['publish', 'private', 'future']) {
      const created_at = '2090-01-01T00:00:00Z';
      await contributor.client.patch(`${posts}/${id}`, { status, created_at }).expect(403);
    }
    expect((await admin.get(`${posts}/${id}`)).body.status).to.equal('draft');
    await admin.patch(`${posts}/${id}`, { status: 'publish' }).expect(200);
    const { body } = await contributor.client
      .patch(`${posts}/${id}`, { status: 'publish', title: 'New' })
      .expect(200);
    expect(body.title).to.equal('New');
    await contributor.client.patch(`${posts}/${id}`, { status: 'private' }).expect(403);
  });

  it("lets an author change and delete his own, and only see others' published ones", async () => {
    const author = await someone('author');
    const id = await make({ title: 'Theirs', status: 'publish' });
    await author.client.get(`${posts}/${id}`).expect(200);
    const refused = await author.client.patch(`${posts}/${id}`, { title: 'Mine' }).expect(403);
    expect(refused.body.code).to.equal('rest_forbidden');
    await author.client.delete(`${posts}/${id}`).expect(403);
    await author.client.delete(`${posts}/${id}?force=true`).expect(403);
    expect((await admin.get(`${posts}/${id}`)).body).to.include({ title: 'Theirs', status: 'publish' });
    const own = await make({ title: 'Own', status: 'publish' }, author.client);
    await author.client.delete(`${posts}/${own}`).expect(200);
  });

  it('lets only those who edit others write in their name', async () => {
    const author = await someone('author');
    const editor = await someone('editor');
    const elsewhere = await lyceum.make.site();
    const stranger = await someone('author', elsewhere.blog_id);
    await author.client.post(posts, { title: 'x', author_id: editor.id }).expect(403);
    await author.client.post(posts, { title: 'x', author_id: author.id }).expect(201);
    const { body } = await editor.client.post(posts, { title: 'x', author_id: author.id }).expect(201);
    expect(body.author_id).to.equal(author.id);
    const foreign = await editor.client.patch(`${posts}/${body.id}`, { author_id: stranger.id }).expect(400);
    expect(foreign.body.data.params).to.have.property('author_id');
    await author.client.patch(`${posts}/${body.id}`, { author_id: editor.id }).expect(403);
  });

  it('keeps sites apart', async () => {
    const site = await lyceum.make.site();
    const editorThere = await lyceum.make.user({ role: 'editor', site: site.blog_id });
    const there = lyceum.as(editorThere, site);
    const id = await make({ title: 'Here', status: 'publish' });
    const unknown = await there.get(`${posts}/999999`).expect(404);
    for (const method of ['get', 'patch', 'delete'] as const) {
      const answer = await there[method](`${posts}/${id}`).expect(404);
      expect(answer.body).to.deep.equal(unknown.body);
    }
    await lyceum.as(editorThere).get(`${posts}/${id}`).expect(403);
    await lyceum.as(editorThere).get(`${posts}?blog_id=${site.blog_id}`).expect(200);
    await there.get(`${posts}?blog_id=1`).expect(403);
    expect(await seen(there, 'status=any')).to.deep.equal([]);
    const network = await lyceum.make.network();
    const foreign = await admin.get(`${posts}?blog_id=${network.blog_id}`).expect(404);
    expect(foreign.body.code).to.equal('unknown_blog');
    await admin.get(`${posts}?blog_id=0`).expect(400);
    const parent = await make({ type: 'page', title: 'Parent' });
    await there.post(posts, { type: 'page', title: 'Child', parent_id: parent }).expect(400);
  });

  it('answers an id that can be none as an unknown one', async () => {
    for (const id of ['0', '-1', '1.5', 'abc', '99999999999', '2147483648', '1%27']) {
      const answer = await admin.get(`${posts}/${id}`).expect(404);
      expect(answer.body.code, id).to.be.oneOf(['post_not_found', 'rest_no_route']);
    }
  });
});
