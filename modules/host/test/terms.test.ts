import { type Client, startTestHost, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';

const terms = 'svc/host/v1/terms';

describe('host: terms', () => {
  let lyceum: TestHost;
  let editor: Client;
  before(async () => {
    lyceum = await startTestHost({ modules: [] });
    editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
  });
  after(() => lyceum.stop());

  const make = async (body: object, client = editor) =>
    (await client.post(terms, { taxonomy: 'category', ...body }).expect(201)).body;
  const list = async (query: string): Promise<{ id: number; name: string; count: number }[]> =>
    (await editor.get(`${terms}?per_page=100&${query}`).expect(200)).body;
  const post = async (body: object): Promise<number> =>
    (await editor.post('svc/host/v1/posts', { title: 'x', ...body }).expect(201)).body.id;
  const bad = async (body: object, name: string) => {
    const answer = await editor.post(terms, { taxonomy: 'category', name: 'Bad', ...body }).expect(400);
    expect(answer.body.code, JSON.stringify(body).slice(0, 80)).to.equal('rest_invalid_param');
    expect(Object.keys(answer.body.data.params)).to.deep.equal([name]);
  };

  it('creates with every field', async () => {
    const answer = await editor
      .post(terms, {
        taxonomy: 'category',
        name: 'Охрана труда',
        icon: 'shield',
        order: 7,
        names: { en: 'Safety' },
        meta: { colour: 'red' },
      })
      .expect(201);
    const { id, ...rest } = answer.body;
    expect(rest).to.deep.equal({
      blog_id: 1,
      taxonomy: 'category',
      name: 'Охрана труда',
      slug: 'ohrana-truda',
      parent: 0,
      order: 7,
      icon: 'shield',
      names: { en: 'Safety' },
      count: 0,
      meta: { colour: 'red' },
    });
    expect(answer.headers.location).to.match(new RegExp(`/api/${terms}/${id}$`));
  });

  it('refuses bad values by name', async () => {
    const { body: missing } = await editor.post(terms, {}).expect(400);
    expect(missing.code).to.equal('rest_missing_callback_param');
    expect(missing.data.params).to.deep.equal(['taxonomy', 'name']);
    await bad({ taxonomy: 'nonsense' }, 'taxonomy');
    await bad({ taxonomy: 'site_category' }, 'taxonomy');
    await bad({ name: '' }, 'name');
    await bad({ name: ' \t ' }, 'name');
    await bad({ name: 'x'.repeat(201) }, 'name');
    await bad({ icon: 'x'.repeat(101) }, 'icon');
    await bad({ order: 1.5 }, 'order');
    await bad({ order: '1' }, 'order');
    await bad({ parent_id: 999_999 }, 'parent_id');
    await bad({ parent_id: -1 }, 'parent_id');
    await bad({ names: { 'not a language': 'x' } }, 'names');
    await bad({ names: { en: '' } }, 'names');
    await bad({ names: ['x'] }, 'names');
    await bad({ meta: { _private: 1 } }, 'meta._private');
    const category = await make({ name: 'Of another taxonomy' });
    await bad({ taxonomy: 'course_section', parent_id: category.id }, 'parent_id');
    await bad({ taxonomy: 'tag', name: 'Flat', parent_id: category.id }, 'parent_id');
    for (const query of ['taxonomy=nonsense', 'taxonomy=site_status', 'taxonomy=tag&page=1001']) {
      await editor.get(`${terms}?${query}`).expect(400);
    }
    const none = await editor.get(terms).expect(400);
    expect(none.body.data.params).to.deep.equal(['taxonomy']);
  });

  it('holds slugs unique in the taxonomy and names among siblings', async () => {
    const news = await make({ name: 'News' });
    for (const body of [
      { name: 'NEWS' },
      { name: ' news ' },
      { name: 'Other', slug: 'News' },
      { name: 'News!' },
    ]) {
      const answer = await editor.post(terms, { taxonomy: 'category', ...body }).expect(409);
      expect(answer.body.code).to.equal('term_exists');
      expect(answer.body.data.term_id, JSON.stringify(body)).to.equal(news.id);
    }
    const below = await make({ name: 'News', slug: 'inner-news', parent_id: news.id });
    expect(below).to.include({ parent: news.id, slug: 'inner-news' });
    expect((await make({ taxonomy: 'tag', name: 'News' })).slug).to.equal('news');
    const moved = await editor.patch(`${terms}/${below.id}`, { parent_id: 0 }).expect(409);
    expect(moved.body.data.term_id).to.equal(news.id);
    const renamed = await editor.patch(`${terms}/${below.id}`, { slug: 'NEWS' }).expect(409);
    expect(renamed.body.data.term_id).to.equal(news.id);
    await editor.patch(`${terms}/${news.id}`, { name: 'news' }).expect(200);
    const late = await editor.patch(`${terms}/${news.id}`, { slug: 'inner news' }).expect(409);
    expect(late.body.data.term_id).to.equal(below.id);
  });

  it('lets sections share a name, with a slug of its own and a place at the end for each', async () => {
    const made = [];
    for (let index = 0; index < 3; index += 1)
      made.push(await make({ taxonomy: 'course_section', name: 'Intro' }));
    expect(made.map(({ slug }) => slug)).to.deep.equal(['intro', 'intro-2', 'intro-3']);
    expect(made.map(({ order }) => order)).to.deep.equal([1, 2, 3]);
    const listed = await list('taxonomy=course_section&search=INT');
    expect(listed.map(({ id }) => id)).to.deep.equal(made.map(({ id }) => id));
  });

  it('names a term without a letter after its taxonomy', async () => {
    expect((await make({ name: '!!!' })).slug).to.equal('category');
    expect((await make({ name: '???' })).slug).to.equal('category-2');
  });

  it('makes one term of ten parallel wishes, and ten sections', async () => {
    const ask = (taxonomy: string) =>
      Promise.all(Array.from({ length: 10 }, () => editor.post(terms, { taxonomy, name: 'Parallel' })));
    const categories = await ask('category');
    expect(categories.filter(({ status }) => status === 201)).to.have.length(1);
    expect(categories.filter(({ body }) => body.code === 'term_exists')).to.have.length(9);
    const sections = await ask('course_section');
    expect(sections.every(({ status }) => status === 201)).to.equal(true);
    expect(new Set(sections.map(({ body }) => body.slug)).size).to.equal(10);
  });

  it('lists by order and id, filtered', async () => {
    const parent = await make({ name: 'List parent' });
    const late = await make({ name: 'Late', parent_id: parent.id, order: 2 });
    const early = await make({ name: 'Early', parent_id: parent.id, order: 1 });
    const also = await make({ name: '100%_sure', parent_id: parent.id, order: 2 });
    const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id);
    expect(ids(await list(`taxonomy=category&parent_id=${parent.id}`))).to.deep.equal([
      early.id,
      late.id,
      also.id,
    ]);
    expect(ids(await list('taxonomy=category&search=%25_'))).to.deep.equal([also.id]);
    const published = await post({ status: 'publish', terms: { category: [late.id] } });
    await post({ terms: { category: [late.id, early.id] } });
    const trashed = await post({ terms: { category: [late.id] } });
    await editor.delete(`svc/host/v1/posts/${trashed}`).expect(200);
    const counted = await list(`taxonomy=category&parent_id=${parent.id}`);
    expect(
      counted.map(({ count }) => count),
      'trash does not count',
    ).to.deep.equal([1, 2, 0]);
    expect(ids(await list(`taxonomy=category&post_id=${published}`))).to.deep.equal([late.id]);
    expect(ids(await list('taxonomy=category&post_id=999999'))).to.deep.equal([]);
    const paged = await editor
      .get(`${terms}?taxonomy=category&parent_id=${parent.id}&per_page=2&page=2`)
      .expect(200);
    expect(ids(paged.body)).to.deep.equal([also.id]);
    expect(paged.headers['x-svc-total']).to.equal('3');
  });

  it('hides the terms of a post from who may not read it', async () => {
    const term = await make({ name: 'Hidden' });
    const draft = await post({ terms: { category: [term.id] } });
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    const answer = await author.get(`${terms}?taxonomy=category&post_id=${draft}`).expect(200);
    expect(answer.body).to.deep.equal([]);
  });

  it('changes given keys, merges meta, replaces names', async () => {
    const made = await make({ name: 'Change', names: { ru: 'Смена' }, meta: { a: 1, b: 2 } });
    const { body: same } = await editor.patch(`${terms}/${made.id}`, {}).expect(200);
    expect(same).to.deep.equal(made);
    const { body } = await editor
      .patch(`${terms}/${made.id}`, {
        name: 'Changed',
        names: { de: 'Wechsel' },
        meta: { a: null, c: 3 },
        order: -2,
      })
      .expect(200);
    expect(body).to.deep.equal({
      ...made,
      name: 'Changed',
      names: { de: 'Wechsel' },
      meta: { b: 2, c: 3 },
      order: -2,
    });
    await editor.patch(`${terms}/${made.id}`, { slug: '---' }).expect(400);
    await editor.patch(`${terms}/${made.id}`, { name: '' }).expect(400);
    await editor.patch(`${terms}/${made.id}`, { name: null }).expect(400);
    await editor.put(`${terms}/${made.id}`, { icon: 'star' }).expect(200);
  });

  it('makes no circle, however the changes meet', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await make({ name: `A ${round}` }), await make({ name: `B ${round}` })];
      const own = await editor.patch(`${terms}/${a.id}`, { parent_id: a.id }).expect(400);
      expect(own.body.data.params).to.have.property('parent_id');
      const answers = await Promise.all([
        editor.patch(`${terms}/${a.id}`, { parent_id: b.id }),
        editor.patch(`${terms}/${b.id}`, { parent_id: a.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    }
  });

  it('deletes: children move up, one whose name is taken there too, assignments go', async () => {
    const top = await make({ name: 'Del top' });
    const middle = await make({ name: 'Del middle', parent_id: top.id });
    const child = await make({ name: 'Del child', parent_id: middle.id });
    const twin = await make({ name: 'Del middle', slug: 'twin', parent_id: middle.id });
    const other = await make({ name: 'Sibling', parent_id: top.id });
    const double = await make({ name: 'Sibling', slug: 'double', parent_id: middle.id });
    const id = await post({ terms: { category: [middle.id, top.id] } });
    const answer = await editor.delete(`${terms}/${middle.id}`).expect(200);
    expect(answer.body).to.deep.equal({ deleted: true, id: middle.id });
    await editor.delete(`${terms}/${middle.id}`).expect(404);
    const children = await list(`taxonomy=category&parent_id=${top.id}`);
    expect(children.map((term) => term.id)).to.have.members([child.id, twin.id, other.id, double.id]);
    expect((await editor.get(`svc/host/v1/posts/${id}`)).body.terms.category).to.deep.equal([top.id]);
    // The name is free again for nobody: a further namesake is refused as before.
    const again = await editor.post(terms, { taxonomy: 'category', name: 'Del middle', parent_id: top.id });
    expect(again.body.code).to.equal('term_exists');
  });

  it('asks for the right to manage categories', async () => {
    const { id } = await make({ name: 'Guarded' });
    const author = lyceum.as(await lyceum.make.user({ role: 'author' }));
    await author.get(`${terms}?taxonomy=category`).expect(200);
    await author.post(terms, { taxonomy: 'category', name: 'Mine' }).expect(403);
    await author.patch(`${terms}/${id}`, { name: 'Mine' }).expect(403);
    await author.delete(`${terms}/${id}`).expect(403);
    await lyceum.anonymous.get(`${terms}?taxonomy=category`).expect(401);
    await lyceum.anonymous.post(terms, { taxonomy: 'category', name: 'Mine' }).expect(401);
    const stranger = lyceum.as(await lyceum.make.user());
    await stranger.get(`${terms}?taxonomy=category`).expect(403);
  });

  it('keeps sites apart, and networks', async () => {
    const { id } = await make({ name: 'Here' });
    const site = await lyceum.make.site();
    const there = lyceum.as(await lyceum.make.user({ role: 'editor', site: site.blog_id }), site);
    expect((await make({ name: 'Here' }, there)).blog_id).to.equal(site.blog_id);
    const unknown = await there.patch(`${terms}/999999`, { name: 'x' }).expect(404);
    expect(unknown.body.code).to.equal('term_not_found');
    expect((await there.patch(`${terms}/${id}`, { name: 'x' }).expect(404)).body).to.deep.equal(unknown.body);
    expect((await there.delete(`${terms}/${id}`).expect(404)).body).to.deep.equal(unknown.body);
    await there.post(terms, { taxonomy: 'category', name: 'Child', parent_id: id }).expect(400);
    const general = await lyceum.host.db.knex('terms').where({ taxonomy: 'site_category' }).first('id');
    const admin = lyceum.as(await lyceum.make.admin());
    await admin.patch(`${terms}/${general.id}`, { name: 'x' }).expect(404);
    await admin.delete(`${terms}/${general.id}`).expect(404);
    for (const none of ['0', 'x', '1.5', '99999999999'])
      await editor.patch(`${terms}/${none}`, {}).expect(404);
  });
});
