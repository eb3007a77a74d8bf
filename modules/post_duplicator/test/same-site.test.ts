import { startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit, route } from './post-kit.ts';

describe('post_duplicator: on the same site', () => {
  let lyceum: TestHost;
  let kit: PostKit;

  before(async () => {
    lyceum = await startTestHost({ modules: ['post_duplicator', 'lms'] });
    kit = new PostKit(lyceum, await lyceum.make.admin());
  });
  after(() => lyceum.stop());

  it('makes a draft that is complete, and leaves the original as it was', async () => {
    const tags = [
      await kit.term({ taxonomy: 'tag', name: 'Red' }),
      await kit.term({ taxonomy: 'tag', name: 'Blue' }),
    ];
    const image = await kit.media('a.png');
    const page = await kit.create({
      type: 'page',
      title: 'Intro',
      status: 'publish',
      content: `<!-- wp:image {"id":${image.id}} --><p>Hello</p>\r\n `,
      excerpt: 'In short',
      menu_order: 7,
      lang: 'ru',
      featured_media: image.id,
      terms: { tag: tags.map(({ id }) => id) },
      meta: { one: 1, two: 'b', three: [1, 2], four: { x: null }, five: true },
    });
    await lyceum.host.db
      .knex('posts')
      .where({ id: page.id })
      .update({ private_meta: JSON.stringify({ _kept: 1, _edit_lock: 2, _import_id: 3, _trash_x: 4 }) });
    const row = () => lyceum.host.db.knex('posts').where({ id: page.id }).first();
    const before = await row();
    const { body, headers } = await kit.duplicate(page.id).expect(201);
    expect(body).to.deep.include({
      ...{
        blog_id: 1,
        post_type: 'page',
        title: 'Intro (copy)',
        slug: 'intro-2',
        status: 'draft',
        parent_id: 0,
      },
      ...{ source_post_id: page.id, source_blog_id: 1, children: 0, attachments: 0, terms: 2 },
    });
    expect(new URL(String(headers.location)).pathname).to.equal(`/api/svc/host/v1/posts/${body.post_id}`);
    const copy = await kit.read(body.post_id);
    for (const field of [
      'content',
      'excerpt',
      'menu_order',
      'lang',
      'featured_media',
      'terms',
      'meta',
      'hash',
    ]) {
      expect(copy[field], field).to.deep.equal(page[field]);
    }
    expect(copy).to.deep.include({ author_id: 1, status: 'draft' });
    expect(copy.edit_url).to.equal(body.edit_url);
    expect(await row()).to.deep.equal(before);
    const stored = await lyceum.host.db.knex('posts').where({ id: body.post_id }).first('private_meta');
    expect(stored.private_meta).to.deep.equal({ _kept: 1, _duplicate_of: { blog_id: 1, post_id: page.id } });
    expect(await lyceum.host.db.knex('audit_log').where({ action: 'post.duplicate' })).to.deep.equal([]);

    expect(await kit.copy(page.id)).to.deep.include({ title: 'Intro (copy 2)', slug: 'intro-3' });
    const third = await kit.copy(body.post_id);
    expect(third).to.deep.include({ title: 'Intro (copy 3)', source_post_id: body.post_id });
    const { body: batch } = await kit.batch(page.id, { count: 3 }).expect(200);
    expect(batch).to.deep.include({ total: 3, processed: 3, failed: [] });
    expect(batch.succeeded.map(({ slug }: { slug: string }) => slug)).to.deep.equal([
      'intro-4',
      'intro-5',
      'intro-6',
    ]);
    expect(batch.succeeded.map(({ title }: { title: string }) => title)).to.deep.equal([
      ...['Intro (copy 4)', 'Intro (copy 5)', 'Intro (copy 6)'],
    ]);
  });

  it('keeps documents in their editor, byte for byte', async () => {
    const document = '[ {"id":"abc1234","elType":"container","settings":{},"elements":[]} ]\r\n ';
    const meta = { editor: 'pagebuilder', pagebuilder_data: document, other: 1 };
    const page = await kit.create({ type: 'page', title: 'Built', meta });
    const copy = await kit.read((await kit.copy(page.id)).post_id);
    expect(copy.meta).to.deep.equal(meta);
    expect(copy.hash).to.equal(page.hash);
    const bare = await kit.read((await kit.copy(page.id, { copy_meta: false })).post_id);
    expect(bare.meta).to.deep.equal({ editor: 'pagebuilder', pagebuilder_data: document });
  });

  it('keeps the document whatever the rules say of meta, and readable HTML that is not made of it', async () => {
    const meta = { editor: 'turbo', turbo_html: '<p>Turbo</p>', more: 1 };
    const page = await kit.create({ type: 'page', title: 'Turbo', meta });
    await kit.on().patch(`svc/host/v1/posts/${page.id}`, { content: 'Other words' }).expect(200);
    await lyceum.make.settings('post_duplicator', { exclude_meta: ['*'] });
    const copy = await kit.read((await kit.copy(page.id)).post_id);
    await lyceum.make.settings('post_duplicator', { exclude_meta: [] });
    const { more: _more, ...document } = meta;
    expect(copy).to.deep.include({ content: 'Other words', meta: document, hash: page.hash });
  });

  it('looks for titles outside the trash, and for slugs in it too', async () => {
    const page = await kit.create({ type: 'page', title: 'Again', slug: 'again' });
    await kit.create({ title: 'Again (copy)', slug: 'again-2' });
    const first = await kit.copy(page.id, { slug: '' });
    expect(first).to.deep.include({ title: 'Again (copy)', slug: 'again-2' });
    await kit.on().delete(`svc/host/v1/posts/${first.post_id}`).expect(200);
    expect(await kit.copy(page.id)).to.deep.include({ title: 'Again (copy)', slug: 'again-3' });
    expect(await kit.copy(page.id, { slug: '---' })).to.deep.include({ slug: 'again-copy-2' });
  });

  it('takes title, slug, status, date and author as they are wanted', async () => {
    const author = await lyceum.make.user({ role: 'author' });
    const page = await kit.create({
      type: 'page',
      title: 'Wanted',
      author_id: author.id,
      created_at: '2020-01-02T03:04:05Z',
    });
    const wanted = {
      title: 'Another',
      slug: 'Ünïque Slug',
      status: 'publish',
      copy_author: true,
      copy_date: true,
    };
    const copy = await kit.copy(page.id, wanted);
    expect(copy).to.deep.include({ title: 'Another', slug: 'unique-slug', status: 'publish' });
    expect(await kit.read(copy.post_id)).to.deep.include({
      author_id: author.id,
      created_at: '2020-01-02T03:04:05.000Z',
    });
    const { body } = await kit.batch(page.id, { title: 'Base', slug: 'base', count: 3 }).expect(200);
    expect(body.succeeded.map(({ title, slug }: Record<string, string>) => [title, slug])).to.deep.equal([
      ['Base', 'base'],
      ['Base 2', 'base-2'],
      ['Base 3', 'base-3'],
    ]);
    const long = await kit.create({ type: 'page', title: `${'x'.repeat(492)}🎓${'y'.repeat(6)}` });
    expect((await kit.copy(long.id)).title).to.equal(`${'x'.repeat(492)} (copy)`);
  });

  it('follows its settings', async () => {
    await lyceum.make.settings('post_duplicator', {
      title_suffix: 'Kopie',
      default_status: 'pending',
      exclude_meta: ['secret_*'],
      exclude_taxonomies: ['tag'],
      post_types: ['post'],
    });
    const tag = await kit.term({ taxonomy: 'tag', name: 'Left out' });
    const category = await kit.term({ taxonomy: 'category', name: 'Taken' });
    const terms = { tag: [tag.id], category: [category.id] };
    const post = await kit.create({ title: 'Words Kopie', meta: { secret_a: 1, open: 2 }, terms });
    const copy = await kit.copy(post.id);
    expect(copy).to.deep.include({ title: 'Words Kopie 2', status: 'pending', terms: 1 });
    const shown = await kit.read(copy.post_id);
    expect(shown.meta).to.deep.equal({ open: 2 });
    expect(shown.terms).to.deep.include({ tag: [], category: [category.id] });
    const page = await kit.create({ type: 'page', title: 'Page' });
    expect((await kit.duplicate(page.id).expect(400)).body.code).to.equal('post_type_not_duplicable');
    await lyceum.make.settings('post_duplicator', { title_suffix: '', post_types: null });
    expect((await kit.copy(page.id)).title).to.equal('Page');
    const back = {
      title_suffix: '(copy)',
      default_status: 'draft',
      exclude_meta: [],
      exclude_taxonomies: [],
    };
    await lyceum.make.settings('post_duplicator', back);
  });

  it('takes children along, each once, and its own copies of attachments if wanted', async () => {
    const parent = await kit.create({ type: 'page', title: 'Parent' });
    const children = [];
    for (const title of ['A', 'B', 'C']) {
      children.push(await kit.create({ type: 'page', title, parent_id: parent.id }));
    }
    await kit.create({ type: 'page', title: 'Below A', parent_id: children[0]?.id });
    const trashed = await kit.create({ type: 'page', title: 'Trash', parent_id: parent.id });
    await kit.on().delete(`svc/host/v1/posts/${trashed.id}`).expect(200);
    const image = await kit.media('own.png', { parent_id: parent.id, alt: 'Own' });
    const content = `<img class="wp-image-${image.id}" src="${image.url}">`;
    await kit.on().patch(`svc/host/v1/posts/${parent.id}`, { content }).expect(200);

    const alone = await kit.copy(parent.id);
    expect(alone).to.deep.include({ children: 0, attachments: 0 });
    expect((await kit.read(alone.post_id)).content).to.equal(content);
    const before = (await kit.attachments()).length;
    const copy = await kit.copy(parent.id, {
      copy_children: true,
      copy_attachments: true,
      status: 'publish',
    });
    expect(copy).to.deep.include({ children: 4, attachments: 1 });
    const { body: below } = await kit
      .on()
      .get(`svc/host/v1/posts?type=page&parent_id=${copy.post_id}&orderby=id&order=asc`)
      .expect(200);
    expect(below.map(({ title }: { title: string }) => title)).to.deep.equal(['A', 'B', 'C']);
    const { body: deeper } = await kit
      .on()
      .get(`svc/host/v1/posts?type=page&parent_id=${below[0].id}`)
      .expect(200);
    expect(deeper.map(({ title }: { title: string }) => title)).to.deep.equal(['Below A']);
    const attachments = await kit.attachments();
    expect(attachments).to.have.length(before + 1);
    const own = attachments.find(({ parent_id }) => parent_id === copy.post_id);
    expect(own).to.deep.include({ alt: 'Own', bytes: image.bytes });
    expect(own?.url).to.not.equal(image.url);
    expect((await kit.read(copy.post_id)).content).to.equal(
      `<img class="wp-image-${own?.id}" src="${own?.url}">`,
    );
    expect((await kit.bytes(own?.url)).equals(await kit.bytes(image.url))).to.equal(true);
  });

  it('goes round circles of parents once, and not through more than 500 records', async () => {
    const [a, b] = [
      await kit.create({ type: 'page', title: 'Circle' }),
      await kit.create({ type: 'page', title: 'Round' }),
    ];
    const { knex } = lyceum.host.db;
    await knex('posts').where({ id: a.id }).update({ parent_id: b.id });
    await knex('posts').where({ id: b.id }).update({ parent_id: a.id });
    expect(await kit.copy(a.id, { copy_children: true })).to.deep.include({ children: 1, parent_id: b.id });
    const root = await kit.create({ type: 'page', title: 'Wide' });
    await knex.raw(
      `insert into posts (blog_id, type, status, slug, author_id, parent_id, lang, hash, search)
       select 1, 'page', 'draft', 'wide-' || n, 1, ?, 'en', '', '' from generate_series(1, 500) n`,
      [root.id],
    );
    const { body } = await kit.duplicate(root.id, { copy_children: true }).expect(400);
    expect(body).to.deep.include({ code: 'post_tree_too_large' });
    expect(body.data.total).to.equal(501);
  });

  it('empties what no two courses share, and keeps the pages, one in the trash too', async () => {
    const page = await kit.create({ type: 'page', title: 'Lesson' });
    const gone = await kit.create({ type: 'page', title: 'Gone' });
    const meta = { course_id: 'C-1', page_ids: [gone.id, page.id], version: 3 };
    const course = await kit.create({ type: 'course', title: 'Course', meta });
    await lyceum.host.db.knex('posts').where({ id: gone.id }).update({ status: 'trash' });
    const copy = await kit.read((await kit.copy(course.id)).post_id);
    expect(copy.meta).to.deep.include({ course_id: '', page_ids: [gone.id, page.id], version: 3 });
  });

  it('takes parents that exist, and no others', async () => {
    const [parent, page] = [
      await kit.create({ type: 'page', title: 'P' }),
      await kit.create({ type: 'page', title: 'Q' }),
    ];
    expect((await kit.copy(page.id, { parent_id: parent.id })).parent_id).to.equal(parent.id);
    const child = await kit.create({ type: 'page', title: 'R', parent_id: parent.id });
    expect((await kit.copy(child.id)).parent_id).to.equal(parent.id);
    expect((await kit.copy(child.id, { parent_id: 0 })).parent_id).to.equal(0);
    const post = await kit.create({ title: 'A post' });
    for (const parent_id of [999_999, -1, 99_999_999_999, post.id]) {
      const { body } = await kit.duplicate(page.id, { parent_id }).expect(404);
      expect(body.code).to.equal('post_not_found');
      expect(body.data.params).to.have.key('parent_id');
    }
  });

  it('is not there where the module is off', async () => {
    const page = await kit.create({ type: 'page', title: 'Off' });
    const put = (enabled: boolean) =>
      kit.on().put('svc/modules/v1/modules/post_duplicator', { enabled }).expect(200);
    await put(false);
    expect((await kit.duplicate(page.id).expect(404)).body.code).to.equal('rest_no_route');
    await put(true);
    await kit.on().post(`${route}/${page.id}/duplicate`, {}).expect(201);
  });
});
