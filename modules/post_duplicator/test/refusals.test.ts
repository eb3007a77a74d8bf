import path from 'node:path';
import { startTestHost, type TestHost, type TestSite, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit, posts, route } from './post-kit.ts';

describe('post_duplicator: who may copy what, and where', () => {
  let lyceum: TestHost;
  let kit: PostKit;
  let there: TestSite;

  before(async () => {
    lyceum = await startTestHost({
      modules: ['post_duplicator', 'lms', 'test_cards'],
      folders: [path.join(import.meta.dirname, 'packages')],
    });
    kit = new PostKit(lyceum, await lyceum.make.admin());
    there = await lyceum.make.site();
  });
  after(() => lyceum.stop());

  const knex = () => lyceum.host.db.knex;
  const rows = async () => Number((await knex()('posts').count({ n: '*' }).first())?.n);
  const join = (user: TestUser, role: string, site = there) =>
    knex()('memberships').insert({ user_id: user.id, blog_id: site.blog_id, role });
  const refused = async (request: ReturnType<PostKit['duplicate']>, status: number, code: string) => {
    const before = await rows();
    const { body } = await request.expect(status);
    expect(body.code).to.equal(code);
    expect(body.data.status).to.equal(status);
    expect(await rows()).to.equal(before);
    return body;
  };

  it('refuses what is not there, in the trash, or of a type that is not duplicated', async () => {
    const page = await kit.create({ type: 'page', title: 'Page' });
    const elsewhere = await kit.create({ type: 'page', title: 'Elsewhere' }, there);
    for (const send of [kit.duplicate.bind(kit), kit.batch.bind(kit)]) {
      for (const id of [999_999, 0, -1, 'x', '1.5', '99999999999', elsewhere.id]) {
        await refused(send(id), 404, 'post_not_found');
      }
      const image = await kit.media('a.png');
      await refused(send(image.id), 400, 'post_type_not_duplicable');
      const stone = await kit.create({ type: 'test_stone', title: 'Stone' });
      await refused(send(stone.id), 400, 'post_type_not_duplicable');
    }
    await kit.on().delete(`${posts}/${page.id}`).expect(200);
    await refused(kit.duplicate(page.id), 409, 'post_in_trash');
    await refused(kit.batch(page.id, { blog_ids: [there.blog_id, 999] }), 409, 'post_in_trash');
  });

  it('refuses fields of the wrong form', async () => {
    const page = await kit.create({ type: 'page', title: 'Form' });
    const common = [
      { title: '' },
      { title: 'x'.repeat(501) },
      { title: 1 },
      { status: 'trash' },
      { status: 'future' },
      { status: 'inherit' },
      { slug: 'x'.repeat(201) },
      { parent_id: '1' },
      { parent_id: 1.5 },
      { copy_meta: 'yes' },
      { copy_terms: 1 },
      { copy_children: null },
      { copy_attachments: 0 },
      { copy_author: 'no' },
      { copy_date: [] },
    ];
    for (const body of [...common, { target_blog_id: '2' }, { target_blog_id: 1.5 }]) {
      const { data } = await refused(kit.duplicate(page.id, body), 400, 'rest_invalid_param');
      expect(Object.keys(data.params)).to.deep.equal(Object.keys(body));
    }
    const many = Array.from({ length: 51 }, (_none, at) => at + 1);
    const batch = [
      ...common,
      ...[0, 51, '3', 1.5].map((count) => ({ count })),
      ...[[], [1, 1], many, ['1'], [0], 1].map((blog_ids) => ({ blog_ids })),
    ];
    for (const body of batch) {
      const { data } = await refused(kit.batch(page.id, body), 400, 'rest_invalid_param');
      expect(Object.keys(data.params)[0]).to.match(new RegExp(`^${Object.keys(body)[0]}`));
    }
    const { data } = await refused(
      kit.batch(page.id, { blog_ids: [1, there.blog_id, 999], count: 34 }),
      ...([400, 'rest_invalid_param'] as const),
    );
    expect(Object.keys(data.params)).to.deep.equal(['count']);
  });

  it('refuses sites that are none of the network, and closed ones', async () => {
    const page = await kit.create({ type: 'page', title: 'Where' });
    const network = await lyceum.make.network();
    for (const target_blog_id of [999, network.blog_id, 99_999_999_999]) {
      await refused(kit.duplicate(page.id, { target_blog_id }), 404, 'unknown_blog');
    }
    for (const target_blog_id of [0, -1]) {
      await refused(kit.duplicate(page.id, { target_blog_id }), 400, 'invalid_blog');
    }
    const closed = await lyceum.make.site();
    await knex()('sites').where('blog_id', closed.blog_id).update({ archived: 1 });
    const editor = await lyceum.make.user({ role: 'editor' });
    await join(editor, 'editor', closed);
    const writer = new PostKit(lyceum, editor);
    const target = { target_blog_id: closed.blog_id };
    await refused(writer.duplicate(page.id, target), 410, 'site_unavailable');
    await kit.copy(page.id, target);
  });

  it('says of each copy of a batch what became of it', async () => {
    const page = await kit.create({ type: 'page', title: 'Batch', slug: 'batch' });
    const closed = await lyceum.make.site();
    await knex()('sites').where('blog_id', closed.blog_id).update({ archived: 1 });
    const foreign = await lyceum.make.site();
    const plain = await lyceum.make.site();
    await lyceum.make.settings('post_duplicator', { post_types: ['post'] }, plain.blog_id);
    const editor = await lyceum.make.user({ role: 'editor' });
    for (const site of [there, closed, plain]) await join(editor, 'editor', site);
    const ids = [999, there.blog_id, closed.blog_id, 1, foreign.blog_id, plain.blog_id];
    const writer = new PostKit(lyceum, editor);
    const { body } = await writer.batch(page.id, { blog_ids: ids, count: 2 }).expect(200);
    expect(body).to.deep.include({ total: 12, processed: 12 });
    expect(body.succeeded.map(({ blog_id, slug }: Record<string, unknown>) => [blog_id, slug])).to.deep.equal(
      [
        [there.blog_id, 'batch'],
        [there.blog_id, 'batch-2'],
        [1, 'batch-2'],
        [1, 'batch-3'],
      ],
    );
    const failures = [
      ...[999, 'unknown_blog', closed.blog_id, 'site_unavailable'],
      ...[foreign.blog_id, 'rest_forbidden', plain.blog_id, 'post_type_not_duplicable'],
    ];
    const expected = [];
    for (let at = 0; at < failures.length; at += 2) {
      for (const index of [1, 2]) expected.push({ blog_id: failures[at], index, code: failures[at + 1] });
    }
    const { failed } = body;
    expect(failed.map(({ message: _message, ...rest }: Record<string, unknown>) => rest)).to.deep.equal(
      expected,
    );
    for (const { message } of failed) expect(message).to.be.a('string').that.is.not.empty;
    const acceptance = await kit.batch(page.id, { blog_ids: [there.blog_id, 999] }).expect(200);
    expect(acceptance.body.failed).to.deep.equal([
      { blog_id: 999, index: 1, code: 'unknown_blog', message: failed[0].message },
    ]);
  });

  it('refuses a batch the parents that are not on its sites, one by one', async () => {
    const parent = await kit.create({ type: 'page', title: 'Parent' });
    const page = await kit.create({ type: 'page', title: 'Page' });
    const wish = { blog_ids: [1, there.blog_id], parent_id: parent.id };
    const { body } = await kit.batch(page.id, wish).expect(200);
    expect(body.succeeded).to.have.length(1);
    expect(body.failed[0]).to.deep.include({ blog_id: there.blog_id, index: 1, code: 'post_not_found' });
  });

  it('is for those who may edit the source, and write there', async () => {
    const post = await kit.create({ title: 'Words' });
    const page = await kit.create({ type: 'page', title: 'Page' });
    const target = { target_blog_id: there.blog_id };
    const { body } = await lyceum.anonymous.post(`${route}/${post.id}/duplicate`, {}).expect(401);
    expect(body.code).to.equal('rest_forbidden');
    await lyceum.anonymous.post(`${route}/${post.id}/duplicate-batch`, {}).expect(401);
    for (const role of ['subscriber', 'contributor', 'author', null] as const) {
      const user = new PostKit(lyceum, await lyceum.make.user({ role }));
      await refused(user.duplicate(post.id), 403, 'rest_forbidden');
      await refused(user.batch(page.id), 403, 'rest_forbidden');
    }
    const editor = await lyceum.make.user({ role: 'editor' });
    const writer = new PostKit(lyceum, editor);
    await refused(writer.duplicate(post.id, target), 403, 'rest_forbidden');
    await join(editor, 'contributor');
    await writer.copy(post.id, target);
    await refused(writer.duplicate(page.id, target), 403, 'rest_forbidden');
    await refused(writer.duplicate(post.id, { ...target, status: 'publish' }), 403, 'rest_forbidden');
    const image = await kit.media('b.png');
    await kit.on().patch(`${posts}/${post.id}`, { featured_media: image.id }).expect(200);
    await refused(writer.duplicate(post.id, target), 403, 'rest_forbidden');
    await writer.copy(post.id);
    expect(await kit.attachments(there)).to.deep.equal([]);
  });

  it('lets a contributor copy what is his, but neither publish it nor have his own attachments of it', async () => {
    const contributor = await lyceum.make.user({ role: 'contributor' });
    const writer = new PostKit(lyceum, contributor);
    const post = await writer.create({ title: 'Mine' });
    for (const status of ['publish', 'private']) {
      await refused(writer.duplicate(post.id, { status }), 403, 'rest_forbidden');
    }
    expect(await writer.copy(post.id, { status: 'pending', copy_attachments: true })).to.deep.include({
      ...{ status: 'pending', attachments: 0 },
    });
    await kit.media('c.png', { parent_id: post.id });
    await refused(writer.duplicate(post.id, { copy_attachments: true }), 403, 'rest_forbidden');
    await lyceum.make.settings('post_duplicator', { default_status: 'private' });
    await refused(writer.duplicate(post.id), 403, 'rest_forbidden');
    await lyceum.make.settings('post_duplicator', { default_status: null });
    const other = await lyceum.make.user({ role: 'author' });
    await knex()('posts').where('id', post.id).update({ author_id: other.id });
    const author = new PostKit(lyceum, other);
    const copy = await author.copy(post.id, { copy_author: true });
    expect((await kit.read(copy.post_id)).author_id).to.equal(other.id);
  });

  it('makes the caller the author where he may not write for others, without a word', async () => {
    const [source, writer] = [
      await lyceum.make.user({ role: 'author' }),
      await lyceum.make.user({ role: 'editor' }),
    ];
    const post = await new PostKit(lyceum, source).create({ title: 'Of another' });
    await join(writer, 'author');
    const editor = new PostKit(lyceum, writer);
    const here = await editor.copy(post.id, { copy_author: true });
    expect((await kit.read(here.post_id)).author_id).to.equal(source.id);
    const away = await editor.copy(post.id, { copy_author: true, target_blog_id: there.blog_id });
    expect((await kit.read(away.post_id, there)).author_id).to.equal(writer.id);
  });

  it('takes no child that the caller may not edit', async () => {
    const editor = await lyceum.make.user({ role: 'editor' });
    const { body: parent } = await lyceum.as(editor).post(posts, { type: 'page', title: 'His' }).expect(201);
    await kit.create({ type: 'page', title: 'Not his', parent_id: parent.id });
    const writer = new PostKit(lyceum, editor);
    await writer.copy(parent.id, { copy_children: true });
    await knex()('posts').where('id', parent.id).update({ author_id: editor.id, type: 'post', parent_id: 0 });
    await knex()('posts').where('parent_id', parent.id).update({ type: 'post' });
    await knex()('memberships').where('user_id', editor.id).update({ role: 'author' });
    await refused(writer.duplicate(parent.id, { copy_children: true }), 403, 'rest_forbidden');
    await writer.copy(parent.id);
  });

  it('knows no type of a module that is off: at the source it is not there, at the target not duplicated', async () => {
    const card = await kit.create({ type: 'test_card', title: 'Card' });
    const cards = (site?: TestSite) => (enabled: boolean) =>
      kit.on(site).put('svc/modules/v1/modules/test_cards', { enabled, scope: 'site' }).expect(200);
    await cards(there)(false);
    await refused(kit.duplicate(card.id, { target_blog_id: there.blog_id }), 400, 'post_type_not_duplicable');
    await cards()(false);
    await refused(kit.duplicate(card.id), 404, 'post_not_found');
    await cards()(true);
    await kit.copy(card.id);
  });

  it('stays on its one site where there is only one', async () => {
    const single = await startTestHost({ modules: ['post_duplicator'], config: { multisite: 'off' } });
    try {
      const alone = new PostKit(single, await single.make.user({ role: 'administrator' }));
      const page = await alone.create({ type: 'page', title: 'Alone' });
      await alone.copy(page.id, { target_blog_id: 1 });
      expect((await alone.batch(page.id, { blog_ids: [1] }).expect(200)).body.succeeded).to.have.length(1);
      for (const request of [
        alone.duplicate(page.id, { target_blog_id: 2 }),
        alone.duplicate(999_999, { target_blog_id: 2 }),
        alone.batch(page.id, { blog_ids: [1, 2] }),
      ]) {
        expect((await request.expect(400)).body.code).to.equal('invalid_blog');
      }
    } finally {
      await single.stop();
    }
  });
});
