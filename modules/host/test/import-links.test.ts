import {
  type Client,
  startTestHost,
  type TestHost,
  type TestSite,
  type TestUser,
} from '@lyceum/core/testing';
import { expect } from 'chai';
import { categoryXml, postOf, postsOf, runImport, type TestItem, termsOf, wxr } from './wxr-kit.ts';

describe('host import: how it hangs together', () => {
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

  it('has terms: declared ones, by slug, with names that repeat', async () => {
    await admin.post('svc/host/v1/terms', { taxonomy: 'category', name: 'Here', slug: 'same' }).expect(201);
    const head = `${categoryXml('b', 'Foo', 'a')}${categoryXml('a', 'Foo')}${categoryXml('c', 'Foo')}
      ${categoryXml('same', 'There')}${categoryXml('x', 'X', 'y')}${categoryXml('y', 'Y', 'x')}
      <wp:term><wp:term_taxonomy>course_section</wp:term_taxonomy><wp:term_slug>intro</wp:term_slug>
      <wp:term_name>Intro</wp:term_name><wp:term_description>What for</wp:term_description></wp:term>
      <wp:term><wp:term_taxonomy>genre</wp:term_taxonomy><wp:term_slug>noir</wp:term_slug></wp:term>
      <wp:term><wp:term_taxonomy>site_status</wp:term_taxonomy><wp:term_slug>open</wp:term_slug></wp:term>`;
    const { result } = await bring([{ id: 1, terms: ['category/!!!/🎭', 'genre/noir/Noir'] }], head);
    const categories = await termsOf(lyceum, site.blog_id, 'category');
    const mask = categories.find(({ name }) => name === '🎭');
    expect(mask?.slug).to.match(/^category-[0-9a-f]{8}$/);
    expect(categories.map(({ slug, parent }) => `${slug} < ${parent}`)).to.have.members([
      'same < null',
      'a < null',
      'b < a',
      'c < null',
      'x < y',
      'y < null',
      `${mask?.slug} < null`,
    ]);
    expect(categories.find(({ slug }) => slug === 'same')).to.include({ name: 'Here' });
    expect(await termsOf(lyceum, site.blog_id, 'course_section')).to.deep.include({
      slug: 'intro',
      name: 'Intro',
      parent: null,
      meta: { description: 'What for' },
    });
    expect(result.created).to.include({ category: 6, course_section: 1 });
    expect(result.existing.category).to.equal(1);
    expect(result.warnings.map(({ code, item }) => `${code} ${item}`)).to.deep.equal([
      'taxonomy_unknown genre:noir',
      'taxonomy_unknown site_status:open',
    ]);
  });

  it('is linked at the end: parents, featured media, and what comes with another file', async () => {
    await bring([
      { id: 1, type: 'page', slug: 'leaf', parent: 2, meta: [['_thumbnail_id', '9']] },
      { id: 2, type: 'page', slug: 'branch', parent: 3 },
      { id: 3, type: 'page', slug: 'root', parent: 1 },
      { id: 4, slug: 'post', parent: 3, meta: [['_thumbnail_id', '2']] },
      { id: 5, type: 'page', slug: 'orphan', parent: 77 },
    ]);
    const link = async (slug: string, type = 'page') => {
      const { parent_id, featured_media } = await postOf(lyceum, site.blog_id, slug, type);
      return { parent_id, featured_media };
    };
    const ids = new Map((await postsOf(lyceum, site.blog_id)).map(({ slug, id }) => [slug, id]));
    expect(await link('leaf')).to.deep.equal({ parent_id: ids.get('branch'), featured_media: 0 });
    expect(await link('branch')).to.deep.equal({ parent_id: ids.get('root'), featured_media: 0 });
    // The last one would close a circle, and a post has no parents.
    expect(await link('root')).to.deep.equal({ parent_id: 0, featured_media: 0 });
    expect(await link('post', 'post')).to.deep.equal({ parent_id: 0, featured_media: 0 });
    const { result } = await bring([
      { id: 9, type: 'attachment', attachmentUrl: 'http://old.example/a.png' },
      { id: 77, type: 'page', slug: 'late' },
    ]);
    expect(result.warnings).to.deep.equal([]);
    const late = await postOf(lyceum, site.blog_id, 'late', 'page');
    expect(await link('orphan')).to.deep.equal({ parent_id: late.id, featured_media: 0 });
    const media = (await postsOf(lyceum, site.blog_id)).find(({ type }) => type === 'attachment');
    expect((await link('leaf')).featured_media).to.equal(media?.id);
  });

  it('has addresses of this site in content and meta, unless that is not wanted', async () => {
    const item: TestItem = {
      id: 1,
      slug: 'one',
      content: '<a href="http://old.example/page/">x</a> <img src="http://old.example/up/a-300x200.png">',
      meta: [
        ['link', 'a:1:{s:1:"u";s:21:"http://old.example/x/";}'],
        ['json', String.raw`{"u":"http:\/\/old.example\/y"}`],
        ['_data', 'http://old.example'],
      ],
    };
    const media: TestItem = { id: 2, type: 'attachment', attachmentUrl: 'http://old.example/up/a.png' };
    await bring([item, media]);
    const url = lyceum.host.addresses.site({ domain: 'localhost', path: '/lab/' });
    const row = await postOf(lyceum, site.blog_id, 'one');
    expect(row.content).to.equal(
      `<a href="${url}page/">x</a> <img src="http://old.example/up/a-300x200.png">`,
    );
    expect(row.meta).to.deep.equal({
      link: { u: `${url}x/` },
      json: `{"u":"${url.replaceAll('/', '\\/')}y"}`,
    });
    expect(row.private_meta).to.deep.equal({ _data: url.slice(0, -1) });
    const other = await lyceum.make.site('other');
    const second = lyceum.as(await lyceum.make.user({ role: 'administrator', site: other.blog_id }), other);
    await runImport(second, wxr({ items: [item, media] }), { rewrite_urls: 'false' });
    expect(await postOf(lyceum, other.blog_id, 'one')).to.include({ content: item.content });
  });

  it('stays as far as it was read when the file is broken', async () => {
    const good = wxr({ items: [{ id: 1, slug: 'one' }, { id: 2, slug: 'two' }, { id: 3 }] });
    const cut = good.slice(0, good.lastIndexOf('<wp:status>'));
    const job = await runImport(admin, cut);
    expect(job).to.deep.include({ status: 'failed', result: null });
    expect(job.error?.code).to.equal('import_bad_xml');
    expect(job.error?.message).to.include(`Line ${cut.split('\n').length}`);
    expect((await postsOf(lyceum, site.blog_id)).map(({ slug }) => slug)).to.deep.equal(['one', 'two']);
    expect((await runImport(admin, good)).result.created.post).to.equal(1);
  });

  it('is nothing when the file is no export, or one that must not be read', async () => {
    const codeOf = async (file: string): Promise<string | undefined> =>
      (await runImport(admin, file)).error?.code;
    expect(await codeOf('<rss><channel><title>Feed</title></channel></rss>')).to.equal('import_not_wxr');
    expect(await codeOf(wxr({ version: '1.3', items: [{ id: 1 }] }))).to.equal('import_not_wxr');
    expect(await codeOf('no xml')).to.equal('import_bad_xml');
    expect(await codeOf('<!DOCTYPE html><html></html>')).to.equal('import_forbidden_xml');
    const laughs = wxr({ items: [{ id: 1 }] }).replace('<rss', '<!DOCTYPE r [<!ENTITY a "b">]><rss');
    expect(await codeOf(laughs)).to.equal('import_forbidden_xml');
    expect(await codeOf(wxr({ items: [{ id: 1 }], head: '<x>&hellip;</x>' }))).to.equal(
      'import_forbidden_xml',
    );
    expect(await postsOf(lyceum, site.blog_id)).to.deep.equal([]);
  });
});
