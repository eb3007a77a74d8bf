import { createHash } from 'node:crypto';
import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const posts = 'svc/host/v1/posts';

describe('host: writing posts', () => {
  let lyceum: TestHost;
  let editor: Client;
  let editorId: number;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    const user = await lyceum.make.user({ role: 'editor' });
    editor = lyceum.as(user);
    editorId = user.id;
  });
  after(() => lyceum.stop());

  const bad = async (body: object, name: string, client = editor) => {
    const answer = await client.post(posts, { title: 'x', ...body }).expect(400);
    expect(answer.body.code, JSON.stringify(body).slice(0, 100)).to.equal('rest_invalid_param');
    expect(Object.keys(answer.body.data.params)).to.deep.equal([name]);
  };

  it('creates a draft of the caller, with every field', async () => {
    const answer = await editor.post(posts, { title: 'First steps' }).expect(201);
    const { id, hash, created_at, modified_at, ...rest } = answer.body;
    expect(rest).to.deep.equal({
      blog_id: 1,
      type: 'post',
      status: 'draft',
      title: 'First steps',
      slug: 'first-steps',
      content: '',
      excerpt: '',
      author_id: editorId,
      parent_id: 0,
      menu_order: 0,
      lang: 'en',
      featured_media: 0,
      terms: { category: [], tag: [], course_section: [] },
      meta: {},
      permalink: `http://localhost:${lyceum.host.port}/post/first-steps/`,
      edit_url: `http://localhost:${lyceum.host.port}/console/posts/${id}`,
    });
    expect(hash).to.equal(createHash('sha256').digest('hex'));
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(modified_at).to.equal(created_at);
    expect(answer.headers.location).to.equal(`http://localhost:${lyceum.host.port}/api/${posts}/${id}`);
    const shown = await editor.get(`${posts}/${id}`).expect(200);
    expect(shown.body).to.deep.equal(answer.body);
  });

  it('takes its language from the site', async () => {
    const admin = lyceum.as(await lyceum.make.admin());
    const site = await lyceum.make.site();
    await admin
      .patch(`svc/host/v1/settings?blog_id=${site.blog_id}`, {
        site: { default_lang: 'ru', languages: ['ru'] },
      })
      .expect(200);
    const { body } = await admin.post(`${posts}?blog_id=${site.blog_id}`, { title: 'x' }).expect(201);
    expect(body).to.include({ blog_id: site.blog_id, lang: 'ru' });
    expect(body.permalink).to.contain(`${site.path}post/x/`);
  });

  it('makes slugs of titles, of given slugs, and of the id where nothing else is left', async () => {
    const slugOf = async (body: object): Promise<string> =>
      (await editor.post(posts, body).expect(201)).body.slug;
    expect(await slugOf({ title: 'Ünïcode Läb' })).to.equal('unicode-lab');
    expect(await slugOf({ title: 'Ünïcode Läb' })).to.equal('unicode-lab-2');
    expect(await slugOf({ title: 'Other', slug: '  My Slug! ' })).to.equal('my-slug');
    expect(await slugOf({ title: 'Fallback', slug: '---' })).to.equal('fallback');
    expect(await slugOf({ title: 'w'.repeat(500) })).to.equal('w'.repeat(200));
    expect(await slugOf({ title: 'w'.repeat(500) })).to.equal(`${'w'.repeat(198)}-2`);
    const nameless = (await editor.post(posts, { content: '…' }).expect(201)).body;
    expect(nameless.slug).to.equal(`post-${nameless.id}`);
    // Unique per type: a page may bear the slug of a post.
    expect(await slugOf({ type: 'page', title: 'Ünïcode Läb' })).to.equal('unicode-lab');
  });

  it('keeps content byte for byte', async () => {
    const content = '\uFEFF <p>é e\u0301 — \u{1F600}</p>\r\n\t<script>alert(1)</script><?php ?>\r \n ';
    const { body } = await editor.post(posts, { content, excerpt: ' a\r\nb ' }).expect(201);
    const { body: read } = await editor.get(`${posts}/${body.id}`).expect(200);
    expect(read.content).to.equal(content);
    expect(read.excerpt).to.equal(' a\r\nb ');
    expect(read.hash).to.equal(createHash('sha256').update(content).digest('hex'));
  });

  it('takes 5 MiB of content and no more', async () => {
    const most = 5 * 1024 * 1024;
    const words = Array.from({ length: most / 8 }, (_none, index) => index.toString(36).padStart(7, 'x'));
    const full = words.join(' ').padEnd(most, '.');
    const { body } = await editor.post(posts, { title: 'Long', content: full }).expect(201);
    expect((await editor.get(`${posts}/${body.id}`)).body.content.length).to.equal(most);
    const tooLong = await editor.post(posts, { content: `${full}.` }).expect(413);
    expect(tooLong.body.code).to.equal('rest_body_too_large');
  });

  it('asks for a title where there is no content', async () => {
    for (const body of [{}, { type: 'page' }, { title: '' }, { title: '', content: '' }]) {
      const answer = await editor.post(posts, body).expect(400);
      expect(answer.body.code).to.equal('rest_missing_callback_param');
      expect(answer.body.data.params).to.deep.equal(['title']);
    }
  });

  it('refuses bad values by name and writes nothing', async () => {
    const count = async () => Number((await lyceum.host.db.knex('posts').count({ n: '*' }).first())?.n);
    const before = await count();
    await bad({ type: 'attachment' }, 'type');
    await bad({ type: 'revision' }, 'type');
    await bad({ type: 'course' }, 'type');
    await bad({ status: 'trash' }, 'status');
    await bad({ status: 'any' }, 'status');
    await bad({ title: 'x'.repeat(501) }, 'title');
    await bad({ title: 7 }, 'title');
    await bad({ title: null }, 'title');
    await bad({ title: 'a\u0000b' }, 'title');
    await bad({ content: 'a\uD800' }, 'content');
    await bad({ menu_order: 1.5 }, 'menu_order');
    await bad({ menu_order: '1' }, 'menu_order');
    await bad({ menu_order: 2_147_483_648 }, 'menu_order');
    await bad({ parent_id: -1 }, 'parent_id');
    await bad({ type: 'page', parent_id: 999_999 }, 'parent_id');
    await bad({ parent_id: 999_999 }, 'parent_id');
    await bad({ featured_media: 999_999 }, 'featured_media');
    await bad({ author_id: 999_999 }, 'author_id');
    await bad({ lang: 'not a language' }, 'lang');
    await bad({ created_at: '2026-02-30' }, 'created_at');
    await bad({ created_at: 'yesterday' }, 'created_at');
    await bad({ created_at: '2026-02-30T00:00:00Z' }, 'created_at');
    await bad({ created_at: '2026-02-20T00:00:00+99:99' }, 'created_at');
    await bad({ created_at: '0000-01-01T00:00:00Z' }, 'created_at');
    await bad({ created_at: '0001-01-01T00:00:00+01:00' }, 'created_at');
    await bad({ created_at: '9999-12-31T23:59:59-01:00' }, 'created_at');
    await bad({ terms: { category: 5 } }, 'terms');
    await bad({ terms: { category: ['5'] } }, 'terms');
    await bad({ terms: { nonsense: [] } }, 'terms.nonsense');
    await bad({ terms: { site_category: [1] } }, 'terms.site_category');
    await bad({ terms: { category: [999_999] } }, 'terms.category');
    expect(await count()).to.equal(before);
  });

  it('changes given keys only, and nothing where nothing changes', async () => {
    const { body: made } = await editor
      .post(posts, { title: 'Before', content: 'text', excerpt: 'e', menu_order: 3 })
      .expect(201);
    const { body: same } = await editor.patch(`${posts}/${made.id}`, {}).expect(200);
    expect(same).to.deep.equal(made);
    const { body: again } = await editor.patch(`${posts}/${made.id}`, { title: 'Before', menu_order: 3 });
    expect(again.modified_at).to.equal(made.modified_at);
    const { body: changed } = await editor.patch(`${posts}/${made.id}`, { title: 'After' }).expect(200);
    expect(changed).to.include({
      title: 'After',
      slug: 'before',
      content: 'text',
      excerpt: 'e',
      menu_order: 3,
    });
    expect(changed.hash).to.equal(made.hash);
    expect(Date.parse(changed.modified_at)).to.be.greaterThan(Date.parse(made.modified_at) - 1);
    const put = await editor.put(`${posts}/${made.id}`, { slug: 'After!' }).expect(200);
    expect(put.body.slug).to.equal('after');
  });

  it('refuses a bad change as a whole', async () => {
    const { body: made } = await editor.post(posts, { title: 'Whole' }).expect(201);
    await editor.patch(`${posts}/${made.id}`, { title: 'Other', parent_id: 999_999 }).expect(400);
    await editor.patch(`${posts}/${made.id}`, { title: 'Other', meta: { _secret: 1 } }).expect(400);
    await editor.patch(`${posts}/${made.id}`, { base_hash: 'ABC' }).expect(400);
    const { body } = await editor.get(`${posts}/${made.id}`).expect(200);
    expect(body).to.deep.equal(made);
  });

  it('lets one of two writers with one base_hash win', async () => {
    const { body: made } = await editor.post(posts, { title: 'Hash', content: 'old' }).expect(201);
    const write = (content: string) => editor.patch(`${posts}/${made.id}`, { base_hash: made.hash, content });
    const { body: first } = await write('new').expect(200);
    const second = await write('newer').expect(409);
    expect(second.body.code).to.equal('edit_conflict');
    expect(second.body.data).to.deep.equal({ hash: first.hash, status: 409 });
    expect((await editor.get(`${posts}/${made.id}`)).body.content).to.equal('new');
  });

  it('plans only what lies ahead', async () => {
    const ahead = new Date(Date.now() + 86_400_000);
    await bad({ status: 'future' }, 'created_at');
    await bad({ status: 'future', created_at: '2020-01-01T00:00:00Z' }, 'created_at');
    const local = `${new Date(ahead.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`;
    const { body } = await editor
      .post(posts, { title: 'Plan', status: 'future', created_at: local })
      .expect(201);
    expect(body.status).to.equal('future');
    expect(Date.parse(body.created_at)).to.equal(Math.floor(ahead.getTime() / 1000) * 1000);
    const past = await editor
      .patch(`${posts}/${body.id}`, { created_at: '2020-01-01T00:00:00Z' })
      .expect(400);
    expect(past.body.data.params).to.have.property('created_at');
    await editor.patch(`${posts}/${body.id}`, { title: 'Plan B' }).expect(200);
    await editor
      .patch(`${posts}/${body.id}`, { status: 'draft', created_at: '2020-01-01T00:00:00Z' })
      .expect(200);
    await editor.patch(`${posts}/${body.id}`, { status: 'future' }).expect(400);
  });

  it('assigns terms, replacing the sets of the given taxonomies', async () => {
    const term = async (taxonomy: string, name: string): Promise<number> =>
      (await editor.post('svc/host/v1/terms', { taxonomy, name }).expect(201)).body.id;
    const [a, b, tag] = [await term('category', 'A'), await term('category', 'B'), await term('tag', 'T')];
    const { body } = await editor
      .post(posts, { title: 'Sorted', terms: { category: [b, a, b], tag: [tag] } })
      .expect(201);
    expect(body.terms).to.deep.equal({ category: [a, b], tag: [tag], course_section: [] });
    const { body: replaced } = await editor
      .patch(`${posts}/${body.id}`, { terms: { category: [b] } })
      .expect(200);
    expect(replaced.terms).to.deep.equal({ category: [b], tag: [tag], course_section: [] });
    const { body: kept } = await editor
      .patch(`${posts}/${body.id}`, { terms: { category: [b] } })
      .expect(200);
    expect(kept.modified_at).to.equal(replaced.modified_at);
    const { body: none } = await editor.patch(`${posts}/${body.id}`, { terms: { category: [], tag: [] } });
    expect(none.terms).to.deep.equal({ category: [], tag: [], course_section: [] });
    await bad({ terms: { tag: [a] } }, 'terms.tag');
    const site = await lyceum.make.site();
    const there = lyceum.as(await lyceum.make.user({ role: 'editor', site: site.blog_id }), site);
    await bad({ terms: { category: [a] } }, 'terms.category', there);
  });

  it('moves last_updated of the site with what its readers see', async () => {
    const updated = async () =>
      (await lyceum.host.db.knex('sites').where({ blog_id: 1 }).first('last_updated'))
        ?.last_updated as string;
    const moves = async (what: () => Promise<unknown>): Promise<boolean> => {
      const before = await updated();
      await what();
      return before !== (await updated());
    };
    let id = 0;
    const patch = (body: object) => async () => editor.patch(`${posts}/${id}`, body).expect(200);
    expect(
      await moves(async () => {
        id = (await editor.post(posts, { title: 'Draft' }).expect(201)).body.id;
      }),
    ).to.equal(false);
    expect(await moves(patch({ title: 'Draft 2' })), 'a draft changes').to.equal(false);
    expect(await moves(patch({ status: 'publish' })), 'published').to.equal(true);
    expect(await moves(patch({ title: 'Public' })), 'changed while published').to.equal(true);
    expect(await moves(patch({ title: 'Public' })), 'nothing changes').to.equal(false);
    expect(await moves(patch({ status: 'draft' })), 'unpublished').to.equal(true);
    expect(await moves(patch({ status: 'publish' }))).to.equal(true);
    expect(await moves(async () => editor.delete(`${posts}/${id}`)), 'to the trash').to.equal(true);
  });
});
