import { createHash } from 'node:crypto';
import { startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit } from './copy-kit.ts';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

describe('site_duplicator: what a copy is', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  let lab: TestSite;
  let home: string;
  let slugs = 0;

  before(async () => {
    lyceum = await startTestHost({ modules: ['site_duplicator', 'lms'], config: { workers: 'inline' } });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
  });
  beforeEach(async () => {
    slugs += 1;
    lab = await lyceum.make.site(`lab${slugs}`);
    home = `${lyceum.host.addresses.site(lab)}`;
  });
  after(() => lyceum.stop());

  it('has all that the source has, under other ids, with equal files under other keys', async () => {
    const pages = [];
    for (const title of ['One', 'Two', 'Three']) {
      pages.push(await kit.post(lab, { type: 'page', title, status: 'publish', menu_order: pages.length }));
    }
    for (const name of ['First', 'Second']) await kit.term(lab, { taxonomy: 'course_section', name });
    const image = await kit.media(lab, 'picture.png', { alt: 'A square' });
    const { body: job, headers } = await kit.client
      .post(`svc/site-duplicator/v1/sites/${lab.blog_id}/duplicate`, { slug: `copy${slugs}` })
      .expect(202);
    expect(headers.location).to.equal(
      `${lyceum.host.addresses.site({ domain: 'localhost', path: '/' })}api/svc/site-duplicator/v1/jobs/${job.job_id}`,
    );
    expect(job).to.deep.include({
      type: 'site_duplicator.duplicate',
      status: 'pending',
      network_id: 1,
      user_id: 1,
    });
    const ended = await kit.end(job.job_id);
    expect(ended).to.deep.include({ status: 'completed', phase: 'finish', error: null });
    expect(ended.progress).to.deep.equal({ percent: 100, current: 6, total: 6 });
    const { result } = ended;
    expect(result?.copied).to.deep.include({ posts: 3, terms: 2, attachments: 1, files: 1, users: 0 });
    expect(result?.copied.bytes).to.equal(image.bytes);
    expect(result?.site_url).to.equal(home.replace(`lab${slugs}`, `copy${slugs}`));

    const copy = { blog_id: result?.blog_id ?? 0, path: `/copy${slugs}/`, domain: 'localhost' };
    const copied = await kit.posts(copy, 'page');
    expect(
      copied.map(({ title, slug, menu_order, status }) => ({ title, slug, menu_order, status })),
    ).to.deep.equal(
      pages.map(({ title, slug, menu_order, status }) => ({ title, slug, menu_order, status })),
    );
    expect(copied.map(({ id }) => id)).to.not.include.members(pages.map(({ id }) => id));
    expect(await kit.terms(copy, 'course_section')).to.have.length(2);
    const [shown] = await kit.attachments(copy);
    expect(shown).to.deep.include({
      alt: 'A square',
      bytes: image.bytes,
      width: 30,
      height: 20,
      filename: 'picture.png',
    });
    expect(shown?.url).to.equal(String(image.url).replace(home, result?.site_url ?? ''));
    const bytes = await Promise.all(
      [image.url, shown?.url].map(async (url) => {
        const answer = await fetch(`${lyceum.origin}${new URL(String(url)).pathname}`);
        expect(answer.status).to.equal(200);
        return sha256(Buffer.from(await answer.arrayBuffer()));
      }),
    );
    expect(bytes[0]).to.equal(bytes[1]);
    const [from, to] = [await kit.filesOf(lab.blog_id), await kit.filesOf(copy.blog_id)];
    expect(to).to.have.length(1);
    expect(to[0]?.split('/').slice(2)).to.not.deep.equal(from[0]?.split('/').slice(2));
    expect(await lyceum.host.db.knex('site_copy_map').count()).to.deep.equal([{ count: 0 }]);
  });

  it('names itself wherever the source named itself, and no other site', async () => {
    const other = await lyceum.make.site(`lab${slugs}2`);
    const escaped = home.replaceAll('/', '\\/');
    const parts = [
      `<a href="${home}p">`,
      `<a href="${home.replace('http:', '')}p">`,
      `{"u":"${escaped}p"}`,
      `?u=${encodeURIComponent(home)}p`,
      home.replace('localhost', '127.0.0.1'),
      lyceum.host.addresses.site(other),
      'https://a.example/lab/',
    ];
    const content = parts.join(' | ');
    const document = JSON.stringify([{ url: `${home}p`, text: `See ${home}.` }]).replaceAll('/', '\\/');
    const page = await kit.post(lab, {
      type: 'page',
      title: 'Links',
      content,
      excerpt: `At ${home}p`,
      meta: { free: { deep: [`${home}x`, 1.5] }, editor: 'block', note: 'nothing' },
    });
    const built = await kit.post(lab, {
      type: 'page',
      title: 'Built',
      meta: { editor: 'pagebuilder', pagebuilder_data: document },
    });
    await lyceum.host.db
      .knex('posts')
      .where({ id: page.id })
      .update({ private_meta: JSON.stringify({ _hidden: `${home}y` }) });
    await kit.term(lab, { taxonomy: 'category', name: 'News', meta: { link: home } });
    const { site, result } = await kit.copy(lab.blog_id, { slug: `link${slugs}` });
    const moved = (text: string): string =>
      text
        .replaceAll(`lab${slugs}/`, `link${slugs}/`)
        .replaceAll(`lab${slugs}\\/`, `link${slugs}\\/`)
        .replaceAll(`lab${slugs}%2F`, `link${slugs}%2F`);
    const [links, pagebuilder] = await kit.posts(site, 'page');
    expect(links?.content).to.equal(moved(content));
    expect(links?.content)
      .to.include(lyceum.host.addresses.site(other))
      .and.include('https://a.example/lab/');
    expect(links?.excerpt).to.equal(moved(`At ${home}p`));
    expect(links?.meta.free).to.deep.equal({ deep: [moved(`${home}x`), 1.5] });
    expect(links?.hash).to.equal(sha256(moved(content)));
    expect(pagebuilder?.meta.pagebuilder_data).to.equal(moved(document));
    expect(pagebuilder?.hash)
      .to.equal(sha256(moved(document)))
      .and.not.equal(built.hash);
    expect((await kit.terms(site, 'category'))[0]?.meta).to.deep.equal({ link: moved(home) });
    const row = await lyceum.host.db.knex('posts').where({ id: links?.id }).first('private_meta');
    expect(row.private_meta).to.deep.equal({ _hidden: moved(`${home}y`) });
    expect(result.replaced_urls).to.equal(5 + 1 + 1 + 2 + 1 + 1);
    // What did not change is what it was, its search included.
    const found = await kit.on(site).get('svc/host/v1/posts?type=page&status=any&search=links').expect(200);
    expect(found.body).to.have.length(1);
  });

  it('follows ids in content, documents and registered meta, and keeps numbers that are none', async () => {
    const image = await kit.media(lab, 'a.png');
    const child = await kit.post(lab, { type: 'page', title: 'Child' });
    const parent = await kit.post(lab, { type: 'page', title: 'Parent', featured_media: image.id });
    await kit.on(lab).patch(`svc/host/v1/posts/${child.id}`, { parent_id: parent.id }).expect(200);
    const content = (id: number, page: number): string =>
      `<!-- wp:image {"id":${id}} --><img class="wp-image-${id}"> [gallery ids="${id},999999"] ` +
      `<!-- wp:block {"ref":${page}} /--> the number ${id}`;
    const built = (id: number): string => `[{"image":{"url":"x","id":${id}},"size":${id}}]`;
    await kit.post(lab, { type: 'post', title: 'With image', content: content(image.id, parent.id) });
    await kit.post(lab, {
      type: 'page',
      title: 'Built',
      meta: { editor: 'pagebuilder', pagebuilder_data: built(image.id), other: { url: 'x', id: image.id } },
    });
    const section = await kit.term(lab, { taxonomy: 'course_section', name: 'Section' });
    const below = await kit.term(lab, { taxonomy: 'course_section', name: 'Below', parent_id: section.id });
    const course = await kit.post(lab, {
      type: 'course',
      title: 'Course',
      meta: { course_id: 'C-1', page_ids: [child.id, parent.id] },
      terms: { course_section: [below.id] },
    });
    await lyceum.host.db
      .knex('terms')
      .where({ id: section.id })
      .update({ meta: JSON.stringify({ course_id: course.id }) });

    const { site } = await kit.copy(lab.blog_id, { slug: `ids${slugs}` });
    const pages = await kit.posts(site, 'page');
    const [childCopy, parentCopy, builtCopy] = ['Child', 'Parent', 'Built'].map((title) =>
      pages.find((page) => page.title === title),
    );
    const [imageCopy] = await kit.attachments(site);
    expect(childCopy?.parent_id).to.equal(parentCopy?.id);
    expect(parentCopy?.featured_media).to.equal(imageCopy?.id);
    const [post] = await kit.posts(site, 'post');
    const numberOf = `the number ${image.id}`;
    expect(post?.content).to.equal(
      content(imageCopy?.id ?? 0, parentCopy?.id ?? 0).replace(`the number ${imageCopy?.id}`, numberOf),
    );
    expect(builtCopy?.meta).to.deep.include({
      pagebuilder_data: built(imageCopy?.id ?? 0).replace(`"size":${imageCopy?.id}`, `"size":${image.id}`),
      // Nobody registered this key: nothing is known of its numbers.
      other: { url: 'x', id: image.id },
    });
    const [courseCopy] = await kit.posts(site, 'course');
    expect(courseCopy?.meta).to.deep.include({ course_id: 'C-1', page_ids: [childCopy?.id, parentCopy?.id] });
    const sections = await kit.terms(site, 'course_section');
    const named = (name: string) => sections.find((term) => term.name === name);
    expect(named('Section')?.meta).to.deep.equal({ course_id: courseCopy?.id });
    expect(named('Below')?.parent).to.equal(named('Section')?.id);
    expect(courseCopy?.terms).to.deep.include({ course_section: [named('Below')?.id] });
  });

  it('has no trash, and loses what named records in it', async () => {
    const gone = await kit.post(lab, { type: 'page', title: 'Gone' });
    const page = await kit.post(lab, { type: 'page', title: 'Stays', parent_id: gone.id });
    await kit.post(lab, { type: 'course', title: 'Course', meta: { page_ids: [gone.id, page.id] } });
    await kit.on(lab).delete(`svc/host/v1/posts/${gone.id}`).expect(200);
    const { site, result } = await kit.copy(lab.blog_id, { slug: `trash${slugs}` });
    expect(result.copied.posts).to.equal(2);
    const [copied] = await kit.posts(site, 'page');
    expect(copied).to.deep.include({ title: 'Stays', parent_id: 0 });
    expect((await kit.posts(site, 'course'))[0]?.meta.page_ids).to.deep.equal([copied?.id]);
  });

  it('leaves to other sites of a main site what is theirs', async () => {
    const main = { blog_id: 1, path: '/', domain: 'localhost' };
    const root = lyceum.host.addresses.site(main);
    const content = `${root}p ${root}lab${slugs}/ ${root}lab${slugs} ${root}`;
    const post = await kit.post(main, { type: 'post', title: 'Main', content });
    const { site } = await kit.copy(1, { slug: `main${slugs}` });
    const copied = (await kit.posts(site, 'post')).find(({ slug }) => slug === post.slug);
    const now = `${root}main${slugs}/`;
    expect(copied?.content).to.equal(`${now}p ${root}lab${slugs}/ ${root}lab${slugs} ${now}`);
  });

  it('leaves the source as it was, to the last column', async () => {
    await kit.post(lab, { type: 'post', title: 'A', content: `${home}x`, status: 'publish' });
    await kit.media(lab, 'a.png');
    const { knex } = lyceum.host.db;
    const read = () =>
      Promise.all(
        ['sites', 'posts', 'terms', 'attachments', 'site_options', 'memberships'].map((table) =>
          knex(table).where('blog_id', lab.blog_id).orderBy(1).select('*'),
        ),
      );
    const [before, keys] = [await read(), await kit.filesOf(lab.blog_id)];
    await kit.copy(lab.blog_id, { slug: `same${slugs}`, copy_users: true });
    expect(await read()).to.deep.equal(before);
    expect(await kit.filesOf(lab.blog_id)).to.deep.equal(keys);
  });
});
