import { samples, startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';
import { type Media, otherJpg, ReplaceKit, route } from './replace-kit.ts';

const search = { replace_type: 'replace_and_search' };
const none = { posts: 0, terms: 0, options: 0 };

describe('enable_media_replace: another file with all that names it', () => {
  let lyceum: TestHost;
  let user: TestUser;
  let kit: ReplaceKit;
  let photo: Media;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['enable_media_replace'] });
    user = await lyceum.make.user({ superAdminOf: 1 });
    kit = new ReplaceKit(lyceum, user);
    photo = await kit.upload(samples.jpg, 'photo.jpg');
  });
  afterEach(() => lyceum.stop());

  const renamed = (text: string): string => text.replaceAll('photo.jpg', 'new.png');

  it('is under its own name, and the old address is gone', async () => {
    const content = [
      `<img src="${photo.url}" srcset="${photo.url} 2x">`,
      `<a href="${new URL(photo.url).pathname}">`,
      `<!-- wp:image {"url":"${photo.url.replaceAll('/', '\\/')}"} -->`,
      `<a href="/go?u=${encodeURIComponent(photo.url)}">`,
    ].join('\n');
    const page = await kit.page({ title: 'P', content });
    const other = await kit.page({ title: 'Q', content: 'nothing' });
    expect((await kit.info(photo.id)).references).to.deep.equal({ ...none, posts: 1 });

    const { body } = await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect(body).to.include({ url: renamed(photo.url), previous_url: photo.url, filename: 'new.png' });
    expect(body).to.include({ mime_type: 'image/png', width: 30, height: 20 });
    expect(body.references_updated).to.deep.equal({ ...none, posts: 1 });

    expect((await kit.open(photo.url)).status).to.equal(404);
    const open = await kit.open(body.url);
    expect(open).to.include({ status: 200, type: 'image/png' });
    expect(open.bytes.equals(samples.png)).to.equal(true);
    const after = await kit.post(page.id);
    expect(after.content).to.equal(renamed(content));
    // The hash of what an editor edits is that of the new text; nothing else of the record changed.
    expect(after.hash).not.to.equal(page.hash);
    expect(after).to.deep.equal({ ...page, content: renamed(content), hash: after.hash });
    expect(await kit.post(other.id)).to.deep.equal(other);
    expect((await kit.info(photo.id)).references).to.deep.equal({ ...none, posts: 1 });
  });

  it('leaves what only looks like the address, and keeps tails', async () => {
    const content = `${photo.url}.webp ${photo.url}?w=2 ${photo.url}#a ${photo.url}2`;
    const page = await kit.page({ title: 'P', content });
    await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    const url = renamed(photo.url);
    expect((await kit.post(page.id)).content).to.equal(`${photo.url}.webp ${url}?w=2 ${url}#a ${photo.url}2`);
  });

  it('follows in excerpts, meta, terms, options and the trash', async () => {
    const json = JSON.stringify({ image: { url: photo.url }, n: 1 }).replaceAll('/', '\\/');
    const page = await kit.page({
      title: 'P',
      excerpt: photo.url,
      meta: { picture: photo.url, deep: { list: [1, { a: `x ${photo.url}` }] }, text: json },
    });
    const named = await kit.page({ title: 'N', meta: { pagebuilder_data: `[{"src":"${photo.url}"}]` } });
    const trashed = await kit.page({ title: 'T', content: photo.url });
    await kit.client.delete(`svc/host/v1/posts/${trashed.id}`).expect(200);
    const caption = await kit.client
      .patch(`svc/host/v1/media/${photo.id}`, { caption: `see ${photo.url}` })
      .expect(200);
    expect(caption.body.caption).to.include(photo.url);
    const { body: term } = await kit.client
      .post('svc/host/v1/terms', {
        ...{ taxonomy: 'category', name: 'C', icon: new URL(photo.url).pathname },
        meta: { cover: photo.url },
      })
      .expect(201);
    await lyceum.host.db.knex('site_options').insert([
      { blog_id: 1, name: 'theme', value: JSON.stringify({ logo: photo.url, other: [true, null, 3] }) },
      { blog_id: 1, name: 'module:away:key', value: JSON.stringify({ sealed: photo.url }) },
    ]);
    await lyceum.host.db
      .knex('posts')
      .where({ id: page.id })
      .update({ private_meta: JSON.stringify({ _thumb: photo.url }) });

    expect((await kit.info(photo.id)).references).to.deep.equal({ posts: 4, terms: 1, options: 1 });
    const { body } = await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect(body.references_updated).to.deep.equal({ posts: 4, terms: 1, options: 1 });

    const after = await kit.post(page.id);
    expect(after.excerpt).to.equal(renamed(photo.url));
    const url = renamed(photo.url);
    expect(after.meta).to.deep.equal({
      picture: url,
      deep: { list: [1, { a: `x ${url}` }] },
      text: renamed(json),
    });
    expect(JSON.parse(after.meta.text).image.url).to.equal(url);
    expect((await kit.post(named.id)).meta.pagebuilder_data).to.equal(`[{"src":"${url}"}]`);
    const row = await lyceum.host.db.knex('posts').where({ id: page.id }).first('private_meta');
    expect(row.private_meta).to.deep.equal({ _thumb: url });
    const lost = await lyceum.host.db.knex('posts').where({ id: trashed.id }).first('content');
    expect(lost.content).to.equal(url);
    expect(await kit.media(photo.id)).to.include({ caption: `see ${url}`, slug: photo.slug });
    const terms = (await kit.client.get('svc/host/v1/terms?taxonomy=category').expect(200)).body;
    expect(terms[0]).to.deep.equal({
      ...term,
      icon: new URL(url).pathname,
      meta: { cover: url },
    });
    const options = await lyceum.host.db.knex('site_options').where({ blog_id: 1 }).orderBy('name');
    expect(options.map(({ name, value }) => [name, value])).to.deep.include.members([
      ['theme', { logo: url, other: [true, null, 3] }],
      ['module:away:key', { sealed: photo.url }],
    ]);
  });

  it('is announced to every process where a setting names it', async () => {
    const settings = { default_replace_type: 'replace' };
    await lyceum.make.settings('host', { description: 'x' });
    const before = await lyceum.host.db.knex('installation').first('revision');
    await kit.replace(photo.id, samples.png, 'a.png', { ...search, title: settings.default_replace_type });
    const between = await lyceum.host.db.knex('installation').first('revision');
    expect(between).to.deep.equal(before);
    const { url } = await kit.media(photo.id);
    await lyceum.host.db
      .knex('site_options')
      .insert({ blog_id: 1, name: 'logo', value: JSON.stringify(url) });
    await kit.replace(photo.id, samples.png, 'b.png', search).expect(200);
    const after = await lyceum.host.db.knex('installation').first('revision');
    expect(after.revision).to.equal(before.revision + 1);
    const option = await lyceum.host.db.knex('site_options').where({ name: 'logo' }).first('value');
    expect(option.value).to.equal(url.replace('a.png', 'b.png'));
  });

  it('takes a name that is free on the site', async () => {
    await kit.upload(samples.png, 'new.png');
    const second = await kit.upload(samples.png, 'second.png');
    const { body } = await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect(body.filename).to.equal('new-2.png');
    expect(body.url).to.match(/\/new-2\.png$/);
    const third = await kit.replace(second.id, samples.png, 'New.PNG', search).expect(200);
    expect(third.body.filename).to.equal('new-3.png');
    const site = await lyceum.make.site();
    const there = new ReplaceKit(lyceum, user, site);
    const alone = await there.upload(samples.png, 'x.png');
    expect(
      (await there.replace(alone.id, samples.png, 'new.png', search).expect(200)).body.filename,
    ).to.equal('new.png');
  });

  it('searches nothing when the name is the same', async () => {
    const page = await kit.page({ title: 'P', content: photo.url });
    const { body } = await kit.replace(photo.id, otherJpg, 'PHOTO.jpg', search).expect(200);
    expect(body).to.include({ url: photo.url, previous_url: photo.url, filename: 'photo.jpg' });
    expect(body.references_updated).to.deep.equal(none);
    expect(await kit.post(page.id)).to.deep.equal(page);
    expect((await kit.open(photo.url)).bytes.equals(otherJpg)).to.equal(true);
  });

  it('makes a name of any that a client gives', async () => {
    const names: readonly (readonly [string, string])[] = [
      ['../../x.png', 'x.png'],
      ['....', 'file.png'],
      ['Отчёт 2026.PNG', 'otchyot-2026.png'],
      [`${'a'.repeat(300)}.png`, `${'a'.repeat(146)}.png`],
      ['a\u0000b.png', 'ab.png'],
    ];
    for (const [given, name] of names) {
      const { body } = await kit.replace(photo.id, samples.png, given, search).expect(200);
      expect(body.filename, given).to.equal(name);
      expect(new URL(body.url).pathname.split('/').at(-1)).to.equal(name);
      expect((await kit.open(body.url)).status).to.equal(200);
    }
  });

  it('leaves other sites as they are, also those with the same path or below the main one', async () => {
    const site = await lyceum.make.site('lab');
    const lab = new ReplaceKit(lyceum, user, site);
    const below = photo.url.replace('/files/', '/lab/files/');
    const texts = { title: 'P', content: `${photo.url} ${below}` };
    const there = await lab.page(texts);
    const here = await kit.page(texts);
    const option = { name: 'logo', value: JSON.stringify(photo.url) };
    await lyceum.host.db.knex('site_options').insert({ blog_id: site.blog_id, ...option });
    const { body } = await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect(body.references_updated).to.deep.equal({ ...none, posts: 1 });
    expect(await lab.post(there.id)).to.deep.equal(there);
    expect((await kit.post(here.id)).content).to.equal(`${renamed(photo.url)} ${below}`);
    const kept = await lyceum.host.db
      .knex('site_options')
      .where({ blog_id: site.blog_id, name: 'logo' })
      .first();
    expect(kept.value).to.equal(photo.url);
    const own = await lab.upload(samples.jpg, 'photo.jpg');
    const named = await lab.page({ title: 'O', content: `${own.url} ${new URL(own.url).pathname}` });
    await lab.replace(own.id, samples.png, 'new.png', search).expect(200);
    expect((await lab.post(named.id)).content).to.equal(renamed(String(named.content)));
  });

  it('keeps featured media and parents, which name it by its id', async () => {
    const page = await kit.page({ title: 'P', featured_media: photo.id });
    await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect((await kit.post(page.id)).featured_media).to.equal(photo.id);
  });

  it('is found by the words of the new address, and long texts come in batches', async () => {
    const long = `${'word '.repeat(200_000)} ${photo.url}`;
    const pages = [];
    for (let at = 0; at < 5; at += 1) pages.push(await kit.page({ title: `L${at}`, content: long }));
    const { body } = await kit.replace(photo.id, samples.png, 'zebra.png', search).expect(200);
    expect(body.references_updated.posts).to.equal(5);
    for (const page of pages) expect((await kit.post(page.id)).content.endsWith('/zebra.png')).to.equal(true);
  });

  it('changes nothing when more than 50,000 records name it', async () => {
    const insert = (many: number) =>
      lyceum.host.db.knex.raw(
        `insert into terms (blog_id, taxonomy, name, name_key, slug, meta)
         select 1, 'tag', 'n' || n, 'n' || n, 's' || n, jsonb_build_object('url', ?::text)
         from generate_series(1, ?) n`,
        [photo.url, many],
      );
    const page = await kit.page({ title: 'P', content: photo.url });
    await insert(50_000);
    const { body } = await kit.replace(photo.id, samples.png, 'new.png', search).expect(400);
    expect(body.code).to.equal('too_many_references');
    expect(await kit.post(page.id)).to.deep.equal(page);
    expect(await kit.media(photo.id)).to.deep.equal(photo);
    expect((await kit.open(photo.url)).bytes.equals(samples.jpg)).to.equal(true);
    await kit.client.delete(`svc/host/v1/posts/${page.id}?force=true`).expect(200);
    const answer = await kit.replace(photo.id, samples.png, 'new.png', search).expect(200);
    expect(answer.body.references_updated).to.deep.equal({ posts: 0, terms: 50_000, options: 0 });
  }).timeout(60_000);

  it('tells before what it would meet', async () => {
    const info = await kit.info(photo.id);
    expect(info).to.deep.include({
      attachment_id: photo.id,
      blog_id: 1,
      title: 'photo',
      filename: 'photo.jpg',
      url: photo.url,
      mime_type: 'image/jpeg',
      bytes: samples.jpg.length,
      width: 30,
      height: 20,
      duration: null,
      created_at: photo.created_at,
      modified_at: photo.modified_at,
      replaced_at: null,
      replaced_count: 0,
      max_bytes: 2 * 1024 ** 3,
      timestamp_replace: 2,
      replace_type: 'replace',
      references: none,
      playback_artifacts: {
        present: false,
        folders: { sources: 0, subtitles: 0, chapters: 0, thumbnails: 0, stills: 0 },
        poster: false,
        queue_keys: [],
      },
    });
    const [stay, follow] = info.replace_types;
    expect(stay).to.deep.equal({ type: 'replace', mime_types: ['image/jpeg'] });
    expect(follow.type).to.equal('replace_and_search');
    expect(follow.mime_types).to.include.members(['image/png', 'video/mp4', 'application/pdf']);
    await lyceum.make.settings('host', { upload_filetypes: ['jpg', 'svg', 'html', 'xyz'] });
    expect((await kit.info(photo.id)).replace_types[1].mime_types).to.deep.equal(['image/jpeg']);
    const answer = await kit.client.get(`${route}/${photo.id}/replace-info`).expect(200);
    await kit.client
      .get(`${route}/${photo.id}/replace-info`)
      .set('If-None-Match', answer.headers.etag ?? '')
      .expect(304);
  });
});
