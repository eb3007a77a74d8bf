import { type Client, startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { LocalKit, page, root } from './local-kit.ts';

describe('local_sync: requests', () => {
  let kit: LocalKit;
  before(async () => {
    kit = await LocalKit.start();
  });
  after(() => kit.lyceum.stop());

  const send = (body: object, client: Client = kit.client) => client.post(`${root}/sync`, body);
  const good = { project: 'good', pages: [] };

  it('without what is needed are told what', async () => {
    const { body } = await send({}).expect(400);
    expect(body.code).to.equal('rest_missing_callback_param');
    expect(body.data.params).to.have.members(['project', 'pages']);
    expect((await kit.client.post(`${root}/validate`, {}).expect(400)).body.data.params).to.deep.equal([
      'pages',
    ]);
  });

  it('with a bad value are told which', async () => {
    const entry = page('a', 'x');
    const wrong: [string, object][] = [
      ...['', 'A', '-a', 'a_b', 'x'.repeat(65)].map((project): [string, object] => ['project', { project }]),
      ['name', { name: 'x'.repeat(201) }],
      ['dry_run', { dry_run: 'yes' }],
      ['on_conflict', { on_conflict: 'ask' }],
      ['delete_missing', { delete_missing: 1 }],
      ['pages', { pages: {} }],
      ['pages', { pages: Array.from({ length: 501 }, (_none, at) => page(`p${at}`, 'x')) }],
      ['pages[0].hash', { pages: [{ ...entry, hash: 'x'.repeat(64) }] }],
      ['pages[0].title', { pages: [{ ...entry, title: '' }] }],
      ['pages[0].key', { pages: [{ ...entry, key: 'x'.repeat(201) }] }],
      ['pages[0].post_type', { pages: [{ ...entry, post_type: 'post' }] }],
      ['pages[0].status', { pages: [{ ...entry, status: 'trash' }] }],
      ['pages[0].editor', { pages: [{ ...entry, editor: 'word' }] }],
      ['pages[0].content', { pages: [{ ...entry, content: 5 }] }],
      ['pages[0].content', { pages: [{ ...entry, content: 'a\0' }] }],
      ['pages[1]', { pages: [entry, null] }],
      ['files[0]', { files: [null] }],
      ['pages[1].key', { pages: [entry, page('a', 'y')] }],
      ['files[0].sha256', { files: [{ path: 'a.png', sha256: 'x' }] }],
      ['files[0].content_base64', { files: [{ path: 'a', sha256: 'a'.repeat(64), content_base64: '*' }] }],
      ['files[1].path', { files: ['a', 'b'].map((one) => ({ path: 'a.png', sha256: one.repeat(64) })) }],
    ];
    for (const [name, more] of wrong) {
      const { body, status } = await send({ ...good, ...more });
      expect([status, body.code, Object.keys(body.data.params)[0]], name).to.deep.equal([
        400,
        'rest_invalid_param',
        name,
      ]);
    }
    expect(await kit.knex('local_projects')).to.deep.equal([]);
  });

  it('are for those who run the network', async () => {
    const administrator = await kit.lyceum.make.user({ role: 'administrator' });
    const routes: ((client: Client) => ReturnType<Client['get']>)[] = [
      (client) => send(good, client),
      (client) => client.get(`${root}/projects`),
      (client) => client.post(`${root}/validate`, { pages: [] }),
      (client) => client.get(`${root}/projects/good/pages`),
      (client) => client.delete(`${root}/projects/good`),
    ];
    for (const route of routes) {
      const { body } = await route(kit.lyceum.as(administrator)).expect(403);
      expect(body.code).to.equal('rest_forbidden');
      expect((await route(kit.lyceum.anonymous).expect(401)).body.code).to.equal('rest_forbidden');
    }
  });

  it('choose a site of the network by query or body, and none of another', async () => {
    const site = await kit.lyceum.make.site();
    const foreign = await kit.lyceum.make.network();
    const pages = [page('a', 'x')];
    const there = await kit.synced('both', pages, { blog_id: site.blog_id });
    expect(there.blog_id).to.equal(site.blog_id);
    const here = await kit.synced('both', pages);
    expect([here.blog_id, here.pages[0].action]).to.deep.equal([1, 'create']);
    const post = await kit.knex('posts').where({ id: there.pages[0].post_id }).first();
    expect(post.blog_id).to.equal(site.blog_id);
    const listed = await kit.client.get(`${root}/projects?blog_id=${site.blog_id}`).expect(200);
    expect(listed.body.map((one: { blog_id: number }) => one.blog_id)).to.deep.equal([site.blog_id]);

    const refused = async (blog_id: unknown) => {
      const byBody = await send({ ...good, blog_id });
      const byQuery = await kit.client.get(`${root}/projects?blog_id=${blog_id}`);
      expect(byQuery.body.code).to.equal(byBody.body.code);
      return `${byBody.status} ${byBody.body.code}`;
    };
    expect(await refused(foreign.blog_id)).to.equal('404 local_sync_unknown_blog');
    expect(await refused(99_999)).to.equal('404 local_sync_unknown_blog');
    expect(await refused(0)).to.equal('400 local_sync_invalid_blog');
    expect(await refused(-1)).to.equal('400 local_sync_invalid_blog');
    const editor = kit.lyceum.as(await kit.lyceum.make.user({ role: 'editor' }));
    expect((await send({ ...good, blog_id: 99_999 }, editor)).status).to.equal(403);
  });

  it('about projects that are not there are told so', async () => {
    const site = await kit.lyceum.make.site();
    await kit.synced('elsewhere', [page('a', 'x')], {}, site);
    for (const word of ['elsewhere', 'none', 'NONE', '%00', 'x'.repeat(300), '__proto__']) {
      for (const answer of [
        await kit.client.get(`${root}/projects/${word}/pages`),
        await kit.client.delete(`${root}/projects/${word}`),
      ]) {
        expect([answer.status, answer.body.code], word).to.deep.equal([404, 'local_sync_project_not_found']);
      }
    }
  });

  it('list projects by their last sync, found by word and name', async () => {
    const site = await kit.lyceum.make.site();
    for (const [project, name] of [
      ['one', 'Apples'],
      ['two', 'Pears 100%'],
      ['three', 'More apples'],
    ] as const) {
      await kit.synced(project, [], { name }, site);
    }
    await kit.synced('one', [], {}, site);
    const list = async (query: string) => {
      const { body, headers } = await kit.lyceum
        .as(kit.admin, site)
        .get(`${root}/projects?${query}`)
        .expect(200);
      return [body.map((one: { project: string }) => one.project).join(), headers['x-svc-total']];
    };
    expect(await list('')).to.deep.equal(['one,three,two', '3']);
    expect(await list('search=apples')).to.deep.equal(['one,three', '2']);
    expect(await list('search=100%25')).to.deep.equal(['two', '1']);
    expect(await list('per_page=1&page=2')).to.deep.equal(['three', '3']);
  });
});

describe('local_sync: on an installation of a single site', () => {
  it('is for whoever edits pages, on that site', async () => {
    const lyceum = await startTestHost({ modules: ['local_sync'], config: { multisite: 'off' } });
    const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const body = { project: 'p', pages: [page('a', 'x', { status: 'publish' })] };
    expect((await editor.post(`${root}/sync`, body).expect(200)).body.pages[0].action).to.equal('create');
    await author.post(`${root}/sync`, body).expect(403);
    const other = await editor.post(`${root}/sync`, { ...body, blog_id: 2 });
    expect([other.status, other.body.code]).to.deep.equal([400, 'local_sync_invalid_blog']);
    await editor.post(`${root}/sync`, { ...body, blog_id: 1 }).expect(200);
    await lyceum.stop();
  });
});
