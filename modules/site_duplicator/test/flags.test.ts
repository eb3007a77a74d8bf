// Over 300 lines: each flag of a copy is asked of the same source site, which takes longer to make than to ask.
import path from 'node:path';
import { Storage } from '@lyceum/core';
import { jobsEnded, mailsTo, startTestHost, type TestHost, type TestSite } from '@lyceum/core/testing';
import { expect } from 'chai';
import { CopyKit } from './copy-kit.ts';

describe('site_duplicator: what a copy takes along', () => {
  let lyceum: TestHost;
  let kit: CopyKit;
  let lab: TestSite;
  let home: string;

  before(async () => {
    lyceum = await startTestHost({
      modules: ['site_duplicator', 'lms', 'test_shelf'],
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers: 'inline' },
    });
    kit = new CopyKit(lyceum, await lyceum.make.admin());
  });
  beforeEach(async () => {
    lab = await lyceum.make.site();
    home = lyceum.host.addresses.site(lab);
  });
  after(() => lyceum.stop());

  const members = (blogId: number) =>
    lyceum.host.db.knex('memberships').where('blog_id', blogId).orderBy('user_id').select('user_id', 'role');

  it('has the caller as its one member, or all members and him', async () => {
    const editor = await lyceum.make.user({ role: 'editor', site: lab.blog_id });
    const author = await lyceum.make.user({ role: 'author', site: lab.blog_id });
    const alone = await kit.copy(lab.blog_id, { slug: 'alone' });
    expect(await members(alone.site.blog_id)).to.deep.equal([{ user_id: 1, role: 'administrator' }]);
    const together = await kit.copy(lab.blog_id, { slug: 'together', copy_users: true, user_id: author.id });
    expect(await members(together.site.blog_id)).to.deep.equal([
      { user_id: editor.id, role: 'editor' },
      { user_id: author.id, role: 'administrator' },
    ]);
    expect(together.result.copied.users).to.equal(2);
    await lyceum.as(editor, together.site).get('svc/host/v1/posts').expect(200);
    await lyceum.as(editor, alone.site).get('svc/host/v1/posts').expect(403);
  });

  it('without files has no attachments, nothing that names them, and the files of the source', async () => {
    const image = await kit.media(lab, 'a.png');
    const content =
      `<!-- wp:image {"id":${image.id},"align":"left"} --><img class="x wp-image-${image.id}" src="${image.url}">` +
      `<a href="${home}p">[gallery ids="${image.id}"]`;
    await kit.post(lab, { type: 'page', title: 'Page', content, featured_media: image.id });
    const { site, result } = await kit.copy(lab.blog_id, { slug: 'bare', copy_files: false });
    expect(result.copied).to.deep.include({ attachments: 0, files: 0, posts: 1 });
    expect(await kit.attachments(site)).to.deep.equal([]);
    const [page] = await kit.posts(site, 'page');
    expect(page?.featured_media).to.equal(0);
    expect(page?.content).to.equal(
      `<!-- wp:image {"align":"left"} --><img class="x" src="${image.url}">` +
        `<a href="${lyceum.host.addresses.site(site)}p">[gallery ids=""]`,
    );
    expect(await kit.filesOf(site.blog_id)).to.deep.equal([]);
  });

  it('without terms drops assignments; without posts has none, nor what modules keep', async () => {
    const tag = await kit.term(lab, { taxonomy: 'tag', name: 'Red' });
    const page = await kit.post(lab, { type: 'post', title: 'A', terms: { tag: [tag.id] } });
    await lyceum.host.db.knex('shelf_books').insert({ blog_id: lab.blog_id, page_id: page.id, title: 'B' });
    const untagged = await kit.copy(lab.blog_id, { slug: 'untagged', copy_terms: false });
    expect(await kit.terms(untagged.site, 'tag')).to.deep.equal([]);
    expect((await kit.posts(untagged.site, 'post'))[0]?.terms).to.deep.include({ tag: [] });
    const empty = await kit.copy(lab.blog_id, { slug: 'empty', copy_posts: false });
    expect(await kit.posts(empty.site, 'post')).to.deep.equal([]);
    expect(await kit.terms(empty.site, 'tag')).to.have.length(1);
    expect(empty.result.copied.modules).to.deep.equal({});
    const unkept = await kit.copy(lab.blog_id, { slug: 'unkept', copy_modules: false });
    expect(unkept.result.copied).to.deep.include({ posts: 1, modules: {} });
  });

  it('has the options of the source, but no secrets and none that are excluded', async () => {
    await lyceum.make.settings('test_shelf', { color: `see ${home}`, code: 'hush', room: 'R1' }, lab.blog_id);
    await lyceum.make.settings(
      'host',
      { timezone: 'Europe/Riga', allowed_origins: [home.slice(0, -1).replace(/\/[^/]*$/, '')] },
      lab.blog_id,
    );
    await lyceum.host.db.knex('site_options').insert([
      { blog_id: lab.blog_id, name: 'module:test_shelf', value: 'false' },
      { blog_id: lab.blog_id, name: 'admin_email', value: '"source@example.test"' },
      { blog_id: lab.blog_id, name: 'module:away:key', value: '{"sealed":"x"}' },
    ]);
    await lyceum.make.settings('site_duplicator', { exclude_options: ['module:test_shelf:ro*'] });
    const owner = await lyceum.make.user();
    const { site, result } = await kit.copy(lab.blog_id, { slug: 'options', user_id: owner.id });
    const read = async (blogId: number) =>
      Object.fromEntries(
        (await lyceum.host.db.knex('site_options').where('blog_id', blogId).select('name', 'value')).map(
          ({ name, value }: { name: string; value: unknown }) => [name, value],
        ),
      );
    expect(await read(site.blog_id)).to.deep.equal({
      admin_email: owner.email,
      timezone: 'Europe/Riga',
      allowed_origins: [home.slice(0, -1).replace(/\/[^/]*$/, '')],
      'module:test_shelf': false,
      'module:test_shelf:color': `see ${lyceum.host.addresses.site(site)}`,
    });
    expect(result.copied.options).to.equal(4);
    await lyceum.make.settings('host', { timezone: 'Europe/Paris' });
    const plain = await kit.copy(lab.blog_id, { slug: 'plain', copy_options: false });
    expect(await read(plain.site.blog_id)).to.deep.equal({
      admin_email: 'admin@example.test',
      timezone: 'Europe/Paris',
    });
    await lyceum.make.settings('site_duplicator', { exclude_options: [] });
  });

  it('leaves out meta keys that are excluded, and those that are of one record alone', async () => {
    await lyceum.make.settings('site_duplicator', { exclude_meta: ['draft_*', 'one'] });
    const page = await kit.post(lab, { type: 'page', title: 'A', meta: { draft_x: 1, one: 2, two: 3 } });
    await lyceum.host.db
      .knex('posts')
      .where({ id: page.id })
      .update({ private_meta: JSON.stringify({ _keep: 1, draft_y: 2 }) });
    const course = await kit.post(lab, { type: 'course', title: 'C' });
    await lyceum.host.db
      .knex('posts')
      .where({ id: course.id })
      .update({ meta: JSON.stringify({ favourite_build_id: 4, version: 2 }) });
    const { site } = await kit.copy(lab.blog_id, { slug: 'meta' });
    expect((await kit.posts(site, 'page'))[0]?.meta).to.deep.equal({ two: 3 });
    const rows = await lyceum.host.db.knex('posts').where('blog_id', site.blog_id).orderBy('id');
    expect(rows[0].private_meta).to.deep.equal({ _keep: 1 });
    expect(rows[1].meta).to.deep.equal({ version: 2 });
    await lyceum.make.settings('site_duplicator', { exclude_meta: [] });
  });

  it('takes fields from the request or the source, and is no template unless asked', async () => {
    const { knex } = lyceum.host.db;
    const [status, one, two] = (await knex('terms')
      .insert([
        { network_id: 1, taxonomy: 'site_status', name: 'S', name_key: lab.path, slug: `s${lab.blog_id}` },
        {
          network_id: 1,
          taxonomy: 'site_category',
          name: 'A',
          name_key: `a${lab.path}`,
          slug: `a${lab.blog_id}`,
        },
        {
          network_id: 1,
          taxonomy: 'site_category',
          name: 'B',
          name_key: `b${lab.path}`,
          slug: `b${lab.blog_id}`,
        },
      ])
      .returning('id')) as { id: number }[];
    await knex('site_terms').insert({ blog_id: lab.blog_id, term_id: one?.id });
    const flags = { archived: 1, spam: 1, mature: 1, deleted: 1, public: 0 };
    await knex('sites')
      .where({ blog_id: lab.blog_id })
      .update({ ...flags, title: 'Source', description: 'D', status_id: status?.id, is_template: true });
    const site = (blogId: number) => knex('sites').where({ blog_id: blogId }).first();
    const job = await kit.begin(lab.blog_id, { slug: 'Fields as it is' });
    expect(job.payload).to.deep.include({
      source_blog_id: lab.blog_id,
      slug: 'fields-as-it-is',
      title: 'Source',
      description: 'D',
      public: 0,
      status_id: status?.id,
      category_ids: [one?.id],
      user_id: 1,
      is_template: false,
      copy_posts: true,
      copy_terms: true,
      copy_options: true,
      copy_files: true,
      copy_modules: true,
      copy_users: false,
    });
    const same = (await kit.end(job.job_id)).result?.blog_id ?? 0;
    expect(job.payload.target_blog_id).to.equal(same);
    expect(await site(same)).to.deep.include({
      ...{ title: 'Source', description: 'D', status_id: status?.id, public: 0, is_template: false },
      ...{ archived: 0, deleted: 0, spam: 0, mature: 0, slug: 'fields-as-it-is', path: '/fields-as-it-is/' },
    });
    const wanted = { title: 'New', description: '', public: 1, status_id: null, category_ids: [two?.id] };
    const other = await kit.copy(lab.blog_id, { slug: 'wanted', ...wanted, is_template: true });
    expect(await site(other.site.blog_id)).to.deep.include({
      ...{ title: 'New', description: '', public: 1, status_id: null, is_template: true },
    });
    expect(await knex('site_terms').where('blog_id', other.site.blog_id).pluck('term_id')).to.deep.equal([
      two?.id,
    ]);
  });

  it('greets its administrator, is written into the audit log, and runs the hooks of modules', async () => {
    await lyceum.make.settings('host', { welcome_email: 'Welcome to BLOG_URL, USERNAME.' });
    const owner = await lyceum.make.user();
    const { site } = await kit.copy(lab.blog_id, { slug: 'greeted', user_id: owner.id });
    await jobsEnded(lyceum);
    expect(await mailsTo(lyceum, owner.email, 1)).to.have.length(1);
    const rows = await lyceum.host.db
      .knex('audit_log')
      .where({ action: 'site.duplicate', blog_id: site.blog_id });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      module: 'site_duplicator',
      subject: `site:${site.blog_id}`,
      user_id: 1,
    });
    expect(rows[0].from).to.deep.equal({ source_blog_id: lab.blog_id });
    expect(rows[0].to).to.deep.include({
      target_blog_id: site.blog_id,
      copy_users: false,
      user_id: owner.id,
    });
    const greeted = await lyceum.host.db.knex('shelf_greetings').where('blog_id', site.blog_id);
    expect(greeted).to.have.length(1);
    await lyceum.make.settings('host', { welcome_email: '' });
  });

  it('tells of a file that the source has lost, and has its record without it', async () => {
    const [lost, kept] = [await kit.media(lab, 'lost.png'), await kit.media(lab, 'kept.png')];
    const { storage, knex } = { storage: lyceum.host.services.host(Storage), knex: lyceum.host.db.knex };
    const keys = await knex('attachments').where('blog_id', lab.blog_id).orderBy('post_id').pluck('file_key');
    await storage.remove(keys[0]);
    const job = await kit.end((await kit.begin(lab.blog_id, { slug: 'lost' })).job_id);
    expect(job.status).to.equal('completed');
    expect(job.result?.skipped_files).to.deep.equal([{ old_id: lost.id, reason: 'missing' }]);
    expect(job.result?.copied).to.deep.include({ attachments: 2, files: 1, bytes: kept.bytes });
    const copied = await kit.attachments({ ...lab, path: '/lost/', blog_id: job.result?.blog_id ?? 0 });
    expect(copied.find(({ filename }) => filename === 'lost.png')?.bytes).to.equal(null);
    const { body: events } = await kit.client
      .get(`svc/site-duplicator/v1/jobs/${job.job_id}/events`)
      .expect(200);
    const warnings = events.filter(({ level }: { level: string }) => level === 'warning');
    expect(warnings).to.have.length(1);
    expect(warnings[0].data).to.deep.equal({ old_id: lost.id, reason: 'missing' });
  });

  it('copies the tables of modules as they declare it', async () => {
    const { knex } = lyceum.host.db;
    const storage = lyceum.host.services.host(Storage);
    const page = await kit.post(lab, { type: 'page', title: 'Bound' });
    const gone = await kit.post(lab, { type: 'page', title: 'Gone' });
    const image = await kit.media(lab, 'cover.png');
    const tag = await kit.term(lab, { taxonomy: 'tag', name: 'Red' });
    await kit.on(lab).delete(`svc/host/v1/posts/${gone.id}`).expect(200);
    const [first, second] = (await knex('shelf_books')
      .insert([
        {
          blog_id: lab.blog_id,
          page_id: page.id,
          title: `See ${home}`,
          cover_id: image.id,
          tag_ids: [tag.id, 999],
        },
        {
          blog_id: lab.blog_id,
          page_id: 0,
          title: 'Second',
          notes: JSON.stringify({ at: [home] }),
          owner_id: 1,
        },
      ])
      .returning('id')) as { id: number }[];
    await knex('shelf_books').where({ id: first?.id }).update({ sequel_id: second?.id });
    const lone = { blog_id: lab.blog_id, title: 'Lone', page_id: gone.id };
    await knex('shelf_books').insert(lone);
    await knex('shelf_loans').insert([
      { blog_id: lab.blog_id, book_id: first?.id, day: '1' },
      { blog_id: lab.blog_id, book_id: first?.id, day: '2' },
    ]);
    await knex('shelf_names').insert({ blog_id: lab.blog_id, name: 'Shelf' });
    await knex('shelf_secrets').insert({ blog_id: lab.blog_id, secret: 'x' });
    const write = (key: string, text: string) =>
      storage.write(
        key,
        (async function* () {
          yield Buffer.from(text);
        })(),
        { limit: 100, contentType: 'text/plain' },
      );
    const own = `sites/${lab.blog_id}/`;
    for (const name of ['index.html', 'deep/er/style.css'])
      await write(`${own}books/${first?.id}/${name}`, name);
    await write(`${own}scans/abc.txt`, 'scan');
    await knex('shelf_books')
      .where({ id: second?.id })
      .update({ scan_key: `${own}scans/abc.txt` });

    const { site, result } = await kit.copy(lab.blog_id, { slug: `shelf${lab.blog_id}` });
    expect(result.copied.modules).to.deep.equal({ test_shelf: 2 + 2 + 1 });
    const books = await knex('shelf_books').where('blog_id', site.blog_id).orderBy('id');
    const [pageCopy] = await kit.posts(site, 'page');
    const [imageCopy] = await kit.attachments(site);
    const [tagCopy] = await kit.terms(site, 'tag');
    const now = lyceum.host.addresses.site(site);
    expect(books).to.have.length(2);
    expect(books[0]).to.deep.include({
      ...{ page_id: pageCopy?.id, title: `See ${now}`, cover_id: imageCopy?.id, tag_ids: [tagCopy?.id] },
      ...{ sequel_id: books[1].id, owner_id: null, scan_key: null },
    });
    expect(books[1]).to.deep.include({
      ...{ page_id: 0, notes: { at: [now] }, owner_id: 1, scan_key: `sites/${site.blog_id}/scans/abc.txt` },
    });
    const loans = await knex('shelf_loans').where('blog_id', site.blog_id).orderBy('day');
    expect(loans.map(({ book_id, day }: Record<string, unknown>) => [book_id, day])).to.deep.equal([
      [books[0].id, '1'],
      [books[0].id, '2'],
    ]);
    expect(await knex('shelf_names').where('blog_id', site.blog_id).pluck('name')).to.deep.equal(['Shelf']);
    expect(await knex('shelf_secrets').where('blog_id', site.blog_id)).to.deep.equal([]);
    expect((await kit.filesOf(site.blog_id)).filter((key) => !key.includes('/media/'))).to.deep.equal([
      `sites/${site.blog_id}/books/${books[0].id}/deep/er/style.css`,
      `sites/${site.blog_id}/books/${books[0].id}/index.html`,
      `sites/${site.blog_id}/scans/abc.txt`,
    ]);
    expect(result.copied.files).to.equal(1 + 3);
  });
});
