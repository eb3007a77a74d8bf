import { expect } from 'chai';
import { type CourseHost, posts, startWithCourses } from './lyceum.ts';

describe('lms: course records', () => {
  let host: CourseHost;
  before(async () => {
    host = await startWithCourses();
  });
  after(() => host.lyceum.stop());

  const course = (body: object = {}) => ({ type: 'course', title: 'Course', ...body });
  const refused = async (body: object, name: string) => {
    const answer = await host.editor.post(posts, course(body)).expect(400);
    expect(answer.body.code, JSON.stringify(body).slice(0, 100)).to.equal('rest_invalid_param');
    expect(Object.keys(answer.body.data.params)).to.deep.equal([name]);
    return String(answer.body.data.params[name]);
  };

  it('is made with its fields, the others shown with their defaults', async () => {
    const pages = [await host.make({ type: 'page' }), await host.make({ type: 'page', status: 'publish' })];
    const answer = await host.editor
      .post(posts, { type: 'course', title: 'Safety', meta: { course_id: 'C-1', page_ids: pages } })
      .expect(201);
    const { body } = await host.editor.get(`${posts}/${answer.body.id}`).expect(200);
    expect(body.meta).to.deep.equal({
      course_id: 'C-1',
      course_comment: '',
      api_type: 'local',
      version: 1,
      export_mode: 'package',
      page_ids: pages,
    });
    const [listed] = (await host.editor.get(`${posts}?type=course&status=any&include=meta&search=c-1`)).body;
    expect(listed.meta).to.deep.equal(body.meta);
  });

  it('keeps the page order, and takes what the fields allow', async () => {
    const pages = [];
    for (let index = 0; index < 3; index += 1) pages.push(await host.make({ type: 'page' }));
    const id = await host.make(course({ meta: { page_ids: pages.toReversed() } }));
    expect((await host.read(id)).meta.page_ids).to.deep.equal(pages.toReversed());
    const meta = {
      course_id: '  ID 7 \u00a0',
      course_comment: 'c'.repeat(5000),
      api_type: '',
      version: 9999,
      export_mode: 'live',
    };
    await host.editor.patch(`${posts}/${id}`, { meta }).expect(200);
    expect((await host.read(id)).meta).to.include({
      course_id: 'ID 7',
      api_type: 'local',
      version: 9999,
      export_mode: 'live',
    });
    await host.editor.patch(`${posts}/${id}`, { meta: { version: null, page_ids: [] } }).expect(200);
    expect((await host.read(id)).meta).to.deep.include({ version: 1, page_ids: [] });
  });

  it('refuses bad values by key, and writes nothing', async () => {
    const count = async () => Number((await host.lyceum.host.db.knex('posts').count({ n: '*' }).first())?.n);
    const before = await count();
    for (const course_id of ['a\nb', 'trailing\n', 'tab\t', 'x'.repeat(501), 5])
      await refused({ meta: { course_id } }, 'meta.course_id');
    for (const version of [0, 1.5, '2', 10_000, -1]) await refused({ meta: { version } }, 'meta.version');
    for (const api_type of ['foo', 1, 'LOCAL']) await refused({ meta: { api_type } }, 'meta.api_type');
    for (const export_mode of ['', 'zip']) await refused({ meta: { export_mode } }, 'meta.export_mode');
    await refused({ meta: { course_comment: 'c'.repeat(5001) } }, 'meta.course_comment');
    await refused({ meta: { favourite_build_id: 1 } }, 'meta.favourite_build_id');
    await refused({ parent_id: 1 }, 'parent_id');
    expect(await count()).to.equal(before);
  });

  it('takes only distinct pages of the site that are not in the trash', async () => {
    const page = await host.make({ type: 'page' });
    const post = await host.make({ type: 'post' });
    const trashed = await host.make({ type: 'page' });
    await host.editor.delete(`${posts}/${trashed}`).expect(200);
    const site = await host.lyceum.make.site();
    const there = host.lyceum.as(await host.lyceum.make.user({ role: 'editor', site: site.blog_id }), site);
    const foreign = await host.make({ type: 'page' }, there);
    const id = await host.make(course({ meta: { page_ids: [page] } }));
    const before = await host.read(id);
    for (const page_ids of [
      [page, page],
      [999_999],
      [page, foreign],
      [post],
      [trashed],
      ['1'],
      [0],
      'x',
      [[page]],
    ]) {
      const message = await refused({ meta: { page_ids } }, 'meta.page_ids');
      const changed = await host.editor.patch(`${posts}/${id}`, { meta: { page_ids } }).expect(400);
      expect(changed.body.data.params).to.have.property('meta.page_ids');
      if (JSON.stringify(page_ids).includes(String(foreign)))
        expect(message).to.contain(String(foreign)).and.not.contain(`${page},`);
    }
    expect(await host.read(id)).to.deep.equal(before);
  });

  it('takes 2,000 pages, checked by one query, and no more', async () => {
    const rows = Array.from({ length: 2_001 }, (_none, index) => ({
      blog_id: 1,
      type: 'page',
      status: 'draft',
      slug: `bulk-${index}`,
      author_id: 1,
      lang: 'en',
      hash: '',
      search: '',
    }));
    const made = (await host.lyceum.host.db.knex('posts').insert(rows).returning('id')) as { id: number }[];
    const ids = made.map(({ id }) => id);
    let queries = 0;
    const count = () => {
      queries += 1;
    };
    const create = (page_ids: readonly number[]) => async () => {
      host.lyceum.host.db.knex.on('query', count);
      await host.make(course({ meta: { page_ids } }));
      host.lyceum.host.db.knex.removeListener('query', count);
    };
    await create(ids.slice(0, 1))();
    const forOne = queries;
    queries = 0;
    await create(ids.slice(0, 2_000))();
    expect(queries).to.equal(forOne);
    await refused({ meta: { page_ids: ids } }, 'meta.page_ids');
    const started = performance.now();
    await refused(
      { meta: { page_ids: Array.from({ length: 1_000_000 }, (_none, index) => index + 1) } },
      'meta.page_ids',
    );
    expect(performance.now() - started).to.be.below(3_000);
  });

  it('follows default_api_type of the site', async () => {
    const id = await host.make(course());
    const admin = host.lyceum.as(await host.lyceum.make.admin());
    const set = (value: string | null) =>
      admin
        .patch('svc/modules/v1/modules/lms/settings', { settings: { default_api_type: value } })
        .expect(200);
    await set('cmi5');
    expect((await host.read(id)).meta.api_type).to.equal('cmi5');
    await host.editor.patch(`${posts}/${id}`, { meta: { api_type: '' } }).expect(200);
    expect((await host.read(id)).meta.api_type, 'the empty word is local').to.equal('local');
    await set(null);
  });

  it('belongs to those who may edit pages', async () => {
    const contributor = host.lyceum.as(await host.lyceum.make.user({ role: 'contributor' }));
    const author = host.lyceum.as(await host.lyceum.make.user({ role: 'author' }));
    await contributor.post(posts, course()).expect(403);
    await author.post(posts, course()).expect(403);
    const id = await host.make(course());
    await author.get(`${posts}/${id}`).expect(404);
    const draft = (await author.get(`${posts}?type=course&status=draft`).expect(200)).body;
    expect(draft).to.deep.equal([]);
    await host.editor.patch(`${posts}/${id}`, { status: 'publish' }).expect(200);
    await author.get(`${posts}/${id}`).expect(200);
    await author.patch(`${posts}/${id}`, { title: 'Mine' }).expect(403);
    await author.delete(`${posts}/${id}`).expect(403);
  });

  it('is no parent of a page', async () => {
    const id = await host.make(course());
    const answer = await host.editor.post(posts, { type: 'page', title: 'x', parent_id: id }).expect(400);
    expect(answer.body.data.params).to.have.property('parent_id');
  });
});
