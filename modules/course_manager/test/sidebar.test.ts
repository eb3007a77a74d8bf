import { countStatements } from '@lyceum/core/testing';
import { expect } from 'chai';
import { api, posts, refusal, type SectionHost, startWithSections } from './lyceum.ts';

const sidebar = `${api}/sidebar`;
const unknown = '404 svccm_post_not_found';

describe('course_manager: the sidebar and the list', () => {
  let host: SectionHost;
  beforeEach(async () => {
    host = await startWithSections();
  });
  afterEach(() => host.lyceum.stop());

  it('shows sections by order, the page with its own, courses by title and what may be done', async () => {
    const { editor, section, record } = host;
    const [a, b, c] = [
      await section('A', { icon: 'book', order: 5 }),
      await section('B', { order: 1 }),
      await section('C', { order: 5 }),
    ];
    const page = await record({ type: 'page', title: 'Page', terms: { course_section: [c, b] } });
    const [zoo, ant] = [
      await record({ type: 'course', title: 'Zoo', status: 'publish' }),
      await record({ type: 'course', title: 'ant' }),
    ];
    await editor.delete(`${posts}/${await record({ type: 'course', title: 'Gone' })}`).expect(200);
    await editor.put(`${api}/sections/${a}/course`, { courseId: zoo }).expect(200);
    const { body, headers } = await editor.get(`${sidebar}?postId=${page}`).expect(200);
    expect(body).to.deep.equal({
      lang: 'en',
      languages: ['en'],
      sections: [
        { id: b, name: 'B', slug: 'b', count: 1, order: 1, icon: '', courseId: null },
        { id: a, name: 'A', slug: 'a', count: 0, order: 5, icon: 'book', courseId: zoo },
        { id: c, name: 'C', slug: 'c', count: 1, order: 5, icon: '', courseId: null },
      ],
      post: { postId: page, title: 'Page', status: 'draft', type: 'page', sectionIds: [b, c] },
      courses: [
        { id: ant, title: 'ant', status: 'draft' },
        { id: zoo, title: 'Zoo', status: 'publish' },
      ],
      courseLinkAvailable: true,
      can: { rename: true, reorder: true, assign: true, linkCourse: true },
    });
    await editor
      .get(`${sidebar}?postId=${page}`)
      .set('If-None-Match', headers.etag as string)
      .expect(304);
    const without = (await editor.get(sidebar).expect(200)).body;
    expect([without.post, without.can.assign]).to.deep.equal([null, false]);
    const course = (await editor.get(`${sidebar}?postId=${zoo}`).expect(200)).body;
    expect([course.post.type, course.can.assign]).to.deep.equal(['course', false]);
  });

  it('puts a section that is made elsewhere at the end', async () => {
    await host.section('A', { order: 7 });
    await host.section('B');
    expect((await host.sections()).map(({ name, order }) => [name, order])).to.deep.equal([
      ['A', 7],
      ['B', 8],
    ]);
  });

  it('counts posts outside the trash', async () => {
    const a = await host.section('A');
    const put = { terms: { course_section: [a] } };
    const [gone] = [await host.record({ type: 'post', ...put }), await host.record({ type: 'page', ...put })];
    expect((await host.sections())[0]?.count).to.equal(2);
    await host.editor.delete(`${posts}/${gone}`).expect(200);
    expect((await host.sections())[0]?.count).to.equal(1);
  });

  it('knows no post that is in the trash, of another site, or none', async () => {
    const { editor, record, there } = host;
    const trashed = await record({ type: 'page' });
    await editor.delete(`${posts}/${trashed}`).expect(200);
    const foreign = await record({ type: 'page' }, there);
    for (const id of [trashed, foreign, 999_999, 99_999_999_999]) {
      expect(await refusal(editor.get(`${sidebar}?postId=${id}`)), String(id)).to.equal(unknown);
    }
    for (const id of ['0', '-1', '1.5', 'x', '1,2', '9'.repeat(20), '%00']) {
      expect(await refusal(editor.get(`${sidebar}?postId=${id}`)), id).to.equal('400 rest_invalid_param');
    }
  });

  it('is for who may sort sections and write posts on the site, with and without a session', async () => {
    const { lyceum, author, there } = host;
    for (const route of [sidebar, `${api}/sections`]) {
      expect(await refusal(lyceum.anonymous.get(route))).to.equal('401 rest_forbidden');
      expect(await refusal(author.get(route))).to.equal('403 rest_forbidden');
      const stranger = lyceum.as(await lyceum.make.user({ role: 'administrator', site: host.other.blog_id }));
      expect(await refusal(stranger.get(route))).to.equal('403 rest_forbidden');
      await there.get(route).expect(200);
      await host.admin.get(route).expect(200);
    }
    await host.section('Here');
    expect((await there.get(sidebar).expect(200)).body.sections).to.deep.equal([]);
    expect((await there.get(`${api}/sections`).expect(200)).body).to.deep.equal([]);
  });

  it('speaks the language that is asked for, where the site has several', async () => {
    const { editor, section, lyceum } = host;
    await section('Name', { names: { ru: 'Имя' } });
    await section('Own', { names: { en: 'English', fr: 'Français' } });
    const names = async (query: string) => (await host.sections(query)).map(({ name }) => name);
    expect(await names('?lang=xx'), 'one language').to.deep.equal(['Name', 'English']);
    await lyceum.make.settings('host', { languages: ['en', 'ru', 'fr'] });
    expect(await names('')).to.deep.equal(['Name', 'English']);
    expect(await names('?lang=ru')).to.deep.equal(['Имя', 'English']);
    expect(await names('?lang=fr')).to.deep.equal(['Name', 'Français']);
    const { body } = await editor.get(`${sidebar}?lang=ru`).expect(200);
    expect([body.lang, body.languages]).to.deep.equal(['ru', ['en', 'ru', 'fr']]);
    for (const lang of ['de', 'RU', '', '__proto__', 'toString']) {
      const wrong = await editor.get(`${sidebar}?lang=${lang}`).expect(400);
      expect(wrong.body.code).to.equal('rest_invalid_param');
      expect(wrong.body.data.params).to.have.property('lang');
    }
    const found = async (query: string) =>
      (await editor.get(`${api}/sections?${query}`).expect(200)).body.map(
        (one: { name: string }) => one.name,
      );
    expect(await found('lang=ru&search=имя')).to.deep.equal(['Имя']);
    expect(await found('lang=ru&search=name')).to.deep.equal([]);
    expect(await found('lang=ru&search=ENGL')).to.deep.equal(['English']);
    expect(await found('search=own')).to.deep.equal([]);
  });

  it('lists sections page by page', async () => {
    for (const name of ['A', 'B', 'C']) await host.section(name);
    const answer = await host.editor.get(`${api}/sections?per_page=2&page=2`).expect(200);
    expect(answer.body.map(({ name }: { name: string }) => name)).to.deep.equal(['C']);
    expect(answer.body[0]).to.have.all.keys('id', 'name', 'slug', 'count', 'order', 'icon', 'courseId');
    expect(answer.headers['x-svc-total']).to.equal('3');
    for (const query of ['per_page=0', 'per_page=101', 'page=x', `search=${'x'.repeat(201)}`, 'lang=%00']) {
      expect(await refusal(host.editor.get(`${api}/sections?${query}`)), query).to.equal(
        '400 rest_invalid_param',
      );
    }
  });

  it('costs as many queries with a thousand sections and as many posts as with none', async () => {
    const { editor, record } = host;
    const page = await record({ type: 'page' });
    const ask = () => countStatements(() => editor.get(`${sidebar}?postId=${page}`).expect(200));
    const course = await record({ type: 'course', title: 'Course' });
    const first = await host.section('First');
    await editor.put(`${api}/sections/${first}/course`, { courseId: course }).expect(200);
    await ask();
    const few = await ask();
    const { knex } = host.lyceum.host.db;
    await knex.raw(
      `insert into terms (blog_id, taxonomy, name, slug, "order", meta)
       select 1, 'course_section', 'S' || n, 's' || n, n, jsonb_build_object('course_id', ?::int)
       from generate_series(1, 1000) n`,
      [course],
    );
    await knex.raw(
      `insert into post_terms (blog_id, post_id, term_id) select 1, ?::int, id from terms where slug like 's%'`,
      [page],
    );
    expect(await ask()).to.equal(few);
    const shown = await host.sections();
    expect(shown).to.have.length(1001);
    expect(shown.filter(({ courseId, count }) => courseId === course && count === 1)).to.have.length(1000);
  });
});
