import {
  type Client,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import {
  authorXml,
  categoryXml,
  postOf,
  postsOf,
  runImport,
  type TestItem,
  tagXml,
  termsOf,
  wxr,
} from './wxr-kit.ts';

const day = 24 * 60 * 60 * 1000;
const sqlTime = (moment: number): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');

describe('host import: what comes in', () => {
  let lyceum: TestHost;
  let owner: TestUser;
  let site: TestSite;
  let admin: Client;

  beforeEach(async () => {
    lyceum = await startTestHost({ modules: [], config: { workers: 'inline' } });
    site = await lyceum.make.site('lab');
    owner = await lyceum.make.user({ role: 'administrator', site: site.blog_id, login: 'owner' });
    admin = lyceum.as(owner, site);
  });
  afterEach(() => lyceum.stop());

  const bring = (items: readonly TestItem[], head = '', fields = {}) =>
    runImport(admin, wxr({ items, head }), fields);
  const one = async (item: Partial<TestItem>) => {
    await bring([{ id: 1, slug: 'one', ...item }]);
    return postOf(lyceum, site.blog_id, 'one');
  };

  it('is counted by type, and comes in once however often', async () => {
    const head = `${authorXml('owner', 'x@old.example')}${authorXml('ann', 'ann@old.example')}
      ${categoryXml('news', 'News')}${categoryXml('local', 'Local', 'news')}${tagXml('hot', 'Hot')}`;
    const items: TestItem[] = [
      {
        id: 1,
        slug: 'hello',
        terms: ['category/news/News', 'post_tag/hot/Hot', 'post_tag/new/New'],
        comments: 2,
      },
      { id: 2, type: 'page', slug: 'child', parent: 3 },
      { id: 3, type: 'page', slug: 'parent', comments: 1 },
      { id: 4, slug: 'secret', status: 'private' },
      {
        id: 5,
        type: 'attachment',
        status: 'inherit',
        attachmentUrl: 'http://old.example/up/a.png',
        parent: 1,
      },
      { id: 6, type: 'nav_menu_item', terms: ['nav_menu/top/Top'] },
      { id: 7, type: 'nav_menu_item' },
      { id: 8, type: 'revision', status: 'inherit', parent: 1 },
      { id: 9, status: 'auto-draft' },
    ];
    const first = await bring(items, head);
    expect(first.status).to.equal('completed');
    expect(first.progress).to.deep.equal({ percent: 100, current: 9, total: 9 });
    expect(first.result).to.deep.equal({
      created: { post: 2, page: 2, attachment: 1, category: 2, tag: 2, user: 0 },
      existing: { post: 0, page: 0, attachment: 0, category: 0, tag: 0, user: 2 },
      skipped: { nav_menu_item: 2, revision: 1, 'auto-draft': 1 },
      comments: 3,
      warnings: [],
      dry_run: false,
    });
    const before = await postsOf(lyceum, site.blog_id);
    const child = await postOf(lyceum, site.blog_id, 'child', 'page');
    const parent = await postOf(lyceum, site.blog_id, 'parent', 'page');
    expect(child.parent_id).to.equal(parent.id);
    expect(await termsOf(lyceum, site.blog_id, 'category')).to.deep.equal([
      { slug: 'news', name: 'News', parent: null, meta: {} },
      { slug: 'local', name: 'Local', parent: 'news', meta: {} },
    ]);
    const hello = await admin.get('svc/host/v1/posts?slug=hello').expect(200);
    expect(hello.body[0].terms.category).to.have.length(1);
    expect(hello.body[0].terms.tag).to.have.length(2);

    const again = await bring(items, head);
    expect(again.result).to.deep.equal({
      ...first.result,
      created: { post: 0, page: 0, attachment: 0, category: 0, tag: 0, user: 0 },
      existing: { post: 2, page: 2, attachment: 1, category: 2, tag: 2, user: 2 },
    });
    expect(await postsOf(lyceum, site.blog_id)).to.deep.equal(before);
    await lyceum.host.db.knex('posts').where({ id: hello.body[0].id }).delete();
    expect((await bring(items, head)).result.created.post).to.equal(1);
  });

  it('shows its phases in their order', async () => {
    const { job_id } = await bring([{ id: 1 }]);
    const { body } = await admin.get(`svc/host/v1/jobs/${job_id}/events?per_page=500`).expect(200);
    const phases = [...new Set((body as { phase: string }[]).map(({ phase }) => phase))];
    expect(phases).to.deep.equal(['', 'read', 'users', 'terms', 'posts', 'attachments', 'link', 'finish']);
  });

  it('has its status: inherit, password, planned, unknown, trash', async () => {
    const ahead = sqlTime(Date.now() + day);
    const { result } = await bring([
      { id: 1, slug: 'inherit', status: 'inherit' },
      { id: 2, slug: 'password', password: 'enter' },
      { id: 3, slug: 'ahead', status: 'future', date: ahead, dateGmt: ahead },
      { id: 4, slug: 'past', status: 'future', dateGmt: '2020-01-01 00:00:00' },
      { id: 5, slug: 'odd', status: 'wc-paid' },
      { id: 6, slug: 'pending', status: 'pending' },
      { id: 7, slug: 'bin', status: 'trash', meta: [['_wp_trash_meta_status', 'private']] },
    ]);
    const rows = await postsOf(lyceum, site.blog_id);
    expect(rows.map(({ slug, status }) => `${slug} ${status}`)).to.deep.equal([
      'inherit publish',
      'password private',
      'ahead future',
      'past publish',
      'odd draft',
      'pending pending',
      'bin trash',
    ]);
    expect(rows[6]).to.include({ trashed_status: 'private' });
    expect(rows[6]?.trashed_at).to.be.a('string');
    expect(result.warnings.map(({ code, item }) => [code, item])).to.deep.equal([
      ['password_dropped', 'post:2'],
      ['status_unknown', 'post:5'],
    ]);
  });

  it('has its times: in UTC, else on the wall of the site, else now', async () => {
    await lyceum.make.settings('host', { timezone: 'Europe/Riga' }, site.blog_id);
    const zeros = '0000-00-00 00:00:00';
    await bring([
      { id: 1, slug: 'utc', dateGmt: '2020-07-01 10:00:00', date: '2020-07-01 23:00:00' },
      { id: 2, slug: 'summer', dateGmt: zeros, date: '2020-07-01 10:00:00' },
      { id: 3, slug: 'winter', dateGmt: '', date: '2020-01-01 10:00:00' },
      { id: 4, slug: 'none', dateGmt: zeros, date: zeros },
      { id: 5, slug: 'unreal', dateGmt: '2020-02-31 10:00:00', date: 'yesterday' },
    ]);
    const created = (await postsOf(lyceum, site.blog_id)).map((row) => String(row.created_at));
    expect(created.slice(0, 3)).to.deep.equal([
      '2020-07-01T10:00:00.000Z',
      '2020-07-01T07:00:00.000Z',
      '2020-01-01T08:00:00.000Z',
    ]);
    for (const time of created.slice(3)) expect(Date.now() - Date.parse(time)).to.be.within(0, 60_000);
  });

  it('has its slug: decoded, from the title, numbered', async () => {
    await bring([
      { id: 1, title: 'First', slug: '%d0%9f%d1%80%d0%b8%d0%b2%d0%b5%d1%82' },
      { id: 2, title: 'Only a title' },
      { id: 3, title: 'Twice', slug: 'twice' },
      { id: 4, title: 'Twice', slug: 'twice' },
      { id: 5, title: 'Twice', slug: 'twice-2' },
      { id: 6, title: 'Page', slug: 'twice', type: 'page' },
      { id: 7, title: '', slug: '%E0%A4%A' },
    ]);
    const rows = await postsOf(lyceum, site.blog_id);
    expect(rows.map(({ slug }) => slug)).to.deep.equal([
      'privet',
      'only-a-title',
      'twice',
      'twice-3',
      'twice-2',
      'twice',
      'e0-a4-a',
    ]);
    const many = Array.from({ length: 700 }, (_, n) => ({ id: 100 + n, title: 'Same', slug: '' }));
    await bring(many);
    const slugs = (await postsOf(lyceum, site.blog_id)).map(({ slug }) => String(slug));
    expect(new Set(slugs.filter((slug) => slug.startsWith('same')))).to.have.length(700);
    expect(slugs).to.include('same-700');
  });

  it('has its meta: JSON of what PHP serialized, lists of what comes again, private keys kept apart', async () => {
    const row = await one({
      meta: [
        ['plain', '1'],
        ['list', 'a:2:{i:0;s:1:"x";i:1;b:1;}'],
        ['object', 'O:8:"stdClass":0:{}'],
        ['again', 'a'],
        ['again', 'b'],
        ['Two words', 'kept'],
        ['_edit_last', '1'],
        ['_edit_lock', '1'],
        ['_wp_old_slug', 'old'],
        ['_oembed_abc', 'x'],
        ['_layout', 'a:1:{s:1:"w";i:3;}'],
        ['__proto__', 'x'],
        ['constructor', 'y'],
        ['pagebuilder_data', 'a:0:{}'],
      ],
    });
    expect(row.meta).to.deep.equal({
      plain: '1',
      list: ['x', true],
      object: 'O:8:"stdClass":0:{}',
      again: ['a', 'b'],
      Two_words: 'kept',
      constructor: 'y',
    });
    expect(row.private_meta).to.deep.equal({ _layout: { w: 3 } });
  });

  it('has its document, hash and search words like any other record', async () => {
    const data = '[{"elType":"widget","widgetType":"heading","settings":{"title":"Built"}}]';
    const row = await one({
      content: 'old',
      meta: [
        ['editor', 'pagebuilder'],
        ['pagebuilder_data', data],
      ],
    });
    expect(row.content).to.equal('<h2>Built</h2>');
    const found = await admin.get('svc/host/v1/posts?search=buil').expect(200);
    expect(found.body.map(({ slug }: { slug: string }) => slug)).to.deep.equal(['one']);
    const { body } = await admin.get(`svc/host/v1/posts/${row.id}`).expect(200);
    await admin.patch(`svc/host/v1/posts/${row.id}`, { title: 'New', base_hash: body.hash }).expect(200);
  });
});
