import path from 'node:path';
import { startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { PostKit } from './post-kit.ts';

const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
);

describe('post_duplicator: on another site', () => {
  let lyceum: TestHost;
  let kit: PostKit;
  let there: TestSite;

  before(async () => {
    lyceum = await startTestHost({
      modules: ['post_duplicator', 'lms', 'test_cards'],
      folders: [path.join(import.meta.dirname, 'packages')],
    });
    kit = new PostKit(lyceum, await lyceum.make.admin());
  });
  beforeEach(async () => {
    there = await lyceum.make.site();
  });
  after(() => lyceum.stop());

  const home = () => lyceum.host.addresses.site({ domain: 'localhost', path: '/' });
  const target = () => ({ target_blog_id: there.blog_id });

  it('has files of its own, and names them instead of those of the source', async () => {
    const featured = await kit.media('featured.png', { alt: 'Alt', caption: 'Words', title: 'Titled' });
    const used = await kit.media('used.jpg', {}, undefined, jpeg);
    const page = await kit.create({ type: 'page', title: 'Files', featured_media: featured.id });
    const own = await kit.media('own.txt', { parent_id: page.id }, undefined, Buffer.from('own words'));
    const other = await kit.media('other.txt', {}, undefined, Buffer.from('of nobody'));
    const content =
      `<!-- wp:image {"id":${used.id},"x":${other.id}} --><img class="wp-image-${used.id}" src="${used.url}">\r\n` +
      `<a href="${home()}about/">page</a> <a href="${String(own.url).replaceAll('/', '\\/')}">own</a> `;
    await kit.on().patch(`svc/host/v1/posts/${page.id}`, { content }).expect(200);
    const before = await kit.read(page.id);

    const { body, headers } = await kit.duplicate(page.id, target()).expect(201);
    expect(body).to.deep.include({
      blog_id: there.blog_id,
      slug: 'files',
      title: 'Files (copy)',
      attachments: 3,
    });
    expect(new URL(String(headers.location)).pathname).to.equal(
      `${there.path}api/svc/host/v1/posts/${body.post_id}`,
    );
    expect(body.edit_url).to.contain(there.path);
    const copy = await kit.read(body.post_id, there);
    const attachments = await kit.attachments(there);
    expect(attachments).to.have.length(3);
    const named = (title: string) => attachments.find((attachment) => attachment.title === title);
    const [pictured, file] = [named('used'), named('own')];
    expect(copy.content).to.equal(
      `<!-- wp:image {"id":${pictured?.id},"x":${other.id}} --><img class="wp-image-${pictured?.id}" src="${pictured?.url}">\r\n` +
        `<a href="${home()}about/">page</a> <a href="${String(file?.url).replaceAll('/', '\\/')}">own</a> `,
    );
    expect(String(pictured?.url)).to.contain(`${there.path}files/`);
    expect(copy.featured_media).to.equal(named('Titled')?.id);
    expect(named('Titled')).to.deep.include({
      alt: 'Alt',
      caption: 'Words',
      parent_id: 0,
      bytes: featured.bytes,
    });
    expect(file).to.deep.include({ parent_id: copy.id });
    for (const [mine, theirs] of [
      [featured, named('Titled')],
      [used, pictured],
      [own, file],
    ] as const) {
      expect((await kit.bytes(theirs?.url)).equals(await kit.bytes(mine.url))).to.equal(true);
    }
    expect(await kit.read(page.id)).to.deep.equal(before);
    const [row] = await lyceum.host.db.knex('audit_log').where({ action: 'post.duplicate' });
    expect(row).to.deep.include({
      ...{ blog_id: there.blog_id, user_id: 1 },
      from: { blog_id: 1, post_id: page.id },
      to: { blog_id: there.blog_id, post_id: copy.id },
    });
  });

  it('has one attachment for the same bytes within a request', async () => {
    const [one, two] = [await kit.media('one.png'), await kit.media('two.png')];
    const parent = await kit.create({ type: 'page', title: 'Parent', featured_media: one.id });
    await kit.create({ type: 'page', title: 'Child', featured_media: two.id, parent_id: parent.id });
    const wish = { blog_ids: [there.blog_id], count: 2, copy_children: true };
    const { body } = await kit.batch(parent.id, wish).expect(200);
    expect(body.failed).to.deep.equal([]);
    const [attachment, ...more] = await kit.attachments(there);
    expect(more).to.deep.equal([]);
    const { body: pages } = await kit.on(there).get('svc/host/v1/posts?type=page&status=draft').expect(200);
    expect(pages.map((page: { featured_media: number }) => page.featured_media)).to.deep.equal(
      Array(4).fill(attachment?.id),
    );
    await kit.copy(parent.id, target());
    expect(await kit.attachments(there)).to.have.length(2);
  });

  it('goes without a file that is missing in the source, and without one that the caller may not read', async () => {
    const gone = await kit.media('gone.jpg', {}, undefined, jpeg);
    const { knex } = lyceum.host.db;
    await knex('attachments').where({ post_id: gone.id }).update({ file_key: 'sites/1/media/none/none.png' });
    const page = await kit.create({
      title: 'Gone',
      featured_media: gone.id,
      content: `<img src="${gone.url}">`,
    });
    const copy = await kit.copy(page.id, target());
    expect(copy).to.deep.include({ attachments: 0 });
    const shown = await kit.read(copy.post_id, there);
    expect(shown).to.deep.include({ featured_media: 0, content: `<img src="${gone.url}">` });

    const hidden = await kit.media('hidden.png');
    await kit.on().patch(`svc/host/v1/media/${hidden.id}`, { status: 'private' }).expect(200);
    await kit.on().patch(`svc/host/v1/media/${hidden.id}`, { status: 'private' }).expect(200);
    const author = await lyceum.make.user({ role: 'author' });
    await knex('memberships').insert({ user_id: author.id, blog_id: there.blog_id, role: 'author' });
    const writer = new PostKit(lyceum, author);
    const mine = await writer.create({ title: 'Mine', content: `<img class="wp-image-${hidden.id}">` });
    expect(await writer.copy(mine.id, target())).to.deep.include({ attachments: 0 });
    expect(await kit.copy(mine.id, target())).to.deep.include({ attachments: 1 });
  });

  it('has the terms of the same slug, and missing ones where the caller may make them, once', async () => {
    const top = await kit.term({ taxonomy: 'category', name: 'Top' });
    const news = await kit.term({
      ...{
        taxonomy: 'category',
        name: 'News',
        slug: 'news',
        parent_id: top.id,
        icon: 'star',
        names: { ru: 'Новости' },
      },
    });
    const tag = await kit.term({ taxonomy: 'tag', name: 'Known' });
    const known = await kit.term({ taxonomy: 'tag', name: 'Called otherwise', slug: 'known' }, there);
    const post = await kit.create({ title: 'Terms', terms: { category: [news.id], tag: [tag.id] } });

    const user = await lyceum.make.user({ role: 'contributor', site: there.blog_id });
    await lyceum.host.db.knex('memberships').insert({ user_id: user.id, blog_id: 1, role: 'editor' });
    const contributor = new PostKit(lyceum, user);
    const without = await contributor.copy(post.id, target());
    expect(without.terms).to.equal(1);
    expect((await kit.read(without.post_id, there)).terms).to.deep.include({ category: [], tag: [known.id] });

    const copies = await Promise.all([1, 2, 3].map(() => kit.copy(post.id, target())));
    expect(copies.map(({ terms }) => terms)).to.deep.equal([2, 2, 2]);
    const { body: made } = await kit.on(there).get('svc/host/v1/terms?taxonomy=category').expect(200);
    expect(made).to.have.length(2);
    const madeTop = made.find(({ slug }: { slug: string }) => slug === 'top');
    const madeNews = made.find(({ slug }: { slug: string }) => slug === 'news');
    expect(madeNews).to.deep.include({
      name: 'News',
      icon: 'star',
      names: { ru: 'Новости' },
      parent: madeTop.id,
    });
    for (const copy of copies) {
      const { terms } = await kit.read(copy.post_id, there);
      expect(terms).to.deep.include({ category: [madeNews.id], tag: [known.id] });
    }
    expect(await kit.copy(post.id, { ...target(), copy_terms: false })).to.deep.include({ terms: 0 });
  });

  it('keeps of registered meta only references that have a counterpart, and of other meta all but addresses', async () => {
    const image = await kit.media('meta.png');
    const parent = await kit.create({ type: 'test_card', title: 'Card' });
    const child = await kit.create({ type: 'test_card', title: 'Child', parent_id: parent.id });
    const stranger = await kit.create({ type: 'test_card', title: 'Stranger' });
    const meta = {
      ...{ serial: 'A-1', temporary: 'no', keeper: 1, label: 99, picture: image.id },
      linked: [stranger.id, child.id],
      markup: `<img class="wp-image-${image.id}" src="${image.url}">`,
      free: { id: image.id, url: image.url, text: `wp-image-${image.id}` },
    };
    const content = `<!-- wp:x {"postId":${child.id}} --><!-- wp:y {"postId":${stranger.id}} --><img src="${image.url}">`;
    await kit.on().patch(`svc/host/v1/posts/${parent.id}`, { meta, content }).expect(200);
    await kit
      .on()
      .patch(`svc/host/v1/posts/${child.id}`, { meta: { linked: parent.id } })
      .expect(200);

    const copy = await kit.copy(parent.id, { ...target(), copy_children: true });
    expect(copy).to.deep.include({ children: 1, attachments: 1 });
    const [attachment] = await kit.attachments(there);
    const { body: below } = await kit
      .on(there)
      .get(`svc/host/v1/posts?type=test_card&status=draft&parent_id=${copy.post_id}&include=meta`)
      .expect(200);
    const shown = await kit.read(copy.post_id, there);
    expect(shown.meta).to.deep.equal({
      ...{ keeper: 1, picture: attachment?.id, linked: [below[0].id] },
      markup: `<img class="wp-image-${attachment?.id}" src="${attachment?.url}">`,
      free: { id: image.id, url: attachment?.url, text: `wp-image-${image.id}` },
    });
    expect(shown.content).to.equal(
      `<!-- wp:x {"postId":${below[0].id}} --><!-- wp:y {"postId":${stranger.id}} --><img src="${attachment?.url}">`,
    );
    expect(below[0].meta).to.deep.equal({ linked: copy.post_id });
  });

  it('stays in its editor, its document under a new hash where an address in it changed', async () => {
    const image = await kit.media('built.png');
    const link = { id: image.id, url: image.url };
    const element = { id: 'abc1234', elType: 'container', settings: { image: link }, elements: [] };
    const document = ` ${JSON.stringify([element])}\r\n`;
    const meta = { editor: 'pagebuilder', pagebuilder_data: document };
    const page = await kit.create({ type: 'page', title: 'Built', meta });
    const copy = await kit.read((await kit.copy(page.id, { ...target(), copy_meta: false })).post_id, there);
    const [attachment] = await kit.attachments(there);
    const replaced = document
      .replace(`"id":${image.id}`, `"id":${attachment?.id}`)
      .replace(String(image.url), String(attachment?.url));
    expect(copy.meta).to.deep.equal({ editor: 'pagebuilder', pagebuilder_data: replaced });
    expect(copy.hash).to.not.equal(page.hash);
    expect((await kit.batch(page.id, { blog_ids: [there.blog_id] })).body.succeeded).to.have.length(1);
  });

  it('follows the settings of the site where it goes, and none of the source', async () => {
    await lyceum.make.settings(
      'post_duplicator',
      { title_suffix: 'Kopie', default_status: 'private' },
      there.blog_id,
    );
    const page = await kit.create({ type: 'page', title: 'Set' });
    expect(await kit.copy(page.id, target())).to.deep.include({ title: 'Set Kopie', status: 'private' });
    expect(await kit.copy(page.id)).to.deep.include({ title: 'Set (copy)', status: 'draft' });
    await kit
      .on(there)
      .put('svc/modules/v1/modules/post_duplicator', { enabled: false, scope: 'site' })
      .expect(200);
    await kit.copy(page.id, target());
    const { body } = await kit
      .on(there)
      .post(`svc/post-duplicator/v1/posts/${page.id}/duplicate`, {})
      .expect(404);
    expect(body.code).to.equal('rest_no_route');
  });

  it('has no parent unless one of its site is wanted', async () => {
    const parent = await kit.create({ type: 'page', title: 'Above' });
    const page = await kit.create({ type: 'page', title: 'Below', parent_id: parent.id });
    expect(await kit.copy(page.id, target())).to.deep.include({ parent_id: 0 });
    const above = await kit.create({ type: 'page', title: 'Above there' }, there);
    expect(await kit.copy(page.id, { ...target(), parent_id: above.id })).to.deep.include({
      parent_id: above.id,
    });
    const { body } = await kit.duplicate(page.id, { ...target(), parent_id: parent.id }).expect(404);
    expect(body).to.deep.include({ code: 'post_not_found' });
    expect(body.data.params).to.have.property('parent_id');
  });

  it('may come from a site that blog_id names', async () => {
    const page = await kit.create({ type: 'page', title: 'From there' }, there);
    const path = `svc/post-duplicator/v1/posts/${page.id}/duplicate?blog_id=${there.blog_id}`;
    const stayed = (await kit.on().post(path, {}).expect(201)).body;
    expect(stayed).to.deep.include({ blog_id: there.blog_id, source_blog_id: there.blog_id });
    const came = (await kit.on().post(path, { target_blog_id: 1 }).expect(201)).body;
    expect(came).to.deep.include({ blog_id: 1, source_blog_id: there.blog_id });
  });
});
