import { expect } from 'chai';
import { api, posts, refusal, type SectionHost, startWithSections } from './lyceum.ts';

const assign = `${api}/assign`;

describe('course_manager: sections of a page', () => {
  let host: SectionHost;
  let ids: [number, number, number];
  let page: number;
  beforeEach(async () => {
    host = await startWithSections();
    ids = [await host.section('A'), await host.section('B'), await host.section('C')];
    page = await host.record({ type: 'page', terms: { course_section: [ids[0]] } });
  });
  afterEach(() => host.lyceum.stop());

  const put = (body: object) => host.editor.put(assign, { postId: page, ...body });
  const sectionIds = async (id = page): Promise<number[]> =>
    (await host.editor.get(`${api}/sidebar?postId=${id}`).expect(200)).body.post.sectionIds;
  const counts = async () => (await host.sections()).map(({ count }) => count);

  it('are replaced, added and taken away, by every method that writes', async () => {
    const [a, b, c] = ids;
    const { body } = await put({ sectionIds: [c, b, b] }).expect(200);
    expect(body).to.deep.equal({
      ok: true,
      postId: page,
      sectionIds: [b, c],
      sections: await host.sections(),
    });
    expect(await counts()).to.deep.equal([0, 1, 1]);
    const added = await host.editor
      .patch(assign, { postId: page, sectionIds: [a, b], mode: 'add' })
      .expect(200);
    expect(added.body.sectionIds).to.deep.equal([a, b, c]);
    expect(
      added.body.sections.map((one: { id: number; count: number }) => [one.id, one.count]),
    ).to.deep.equal([[a, 1]]);
    const removed = await host.editor
      .post(assign, { postId: page, sectionIds: [b], mode: 'remove' })
      .expect(200);
    expect(removed.body.sectionIds).to.deep.equal([a, c]);
    expect((await put({ sectionIds: [b], mode: 'remove' }).expect(200)).body.sections).to.deep.equal([]);
    expect((await put({ sectionIds: [] }).expect(200)).body.sectionIds).to.deep.equal([]);
    expect(await counts()).to.deep.equal([0, 0, 0]);
  });

  it('are those that the routes of posts and terms show, whose other terms stay', async () => {
    const tag = (await host.editor.post('svc/host/v1/terms', { taxonomy: 'tag', name: 'Tag' }).expect(201))
      .body;
    await host.editor.patch(`${posts}/${page}`, { terms: { tag: [tag.id] } }).expect(200);
    await put({ sectionIds: [ids[1]] }).expect(200);
    const { body } = await host.editor.get(`${posts}/${page}`).expect(200);
    expect(body.terms).to.deep.equal({ category: [], tag: [tag.id], course_section: [ids[1]] });
    const same = await put({ sectionIds: [ids[1]] }).expect(200);
    expect(same.body.sections).to.deep.equal([]);
    const after = await host.editor.get(`${posts}/${page}`).expect(200);
    expect(after.body.modified_at, 'nothing was written').to.equal(body.modified_at);
    expect(await host.audited('assign')).to.deep.equal([]);
  });

  it('are all of the site, or nothing is changed', async () => {
    const [a, b] = ids;
    const foreign = await host.section('There', {}, host.there);
    const category = (
      await host.editor.post('svc/host/v1/terms', { taxonomy: 'category', name: 'Category' }).expect(201)
    ).body.id;
    for (const mode of ['replace', 'add', 'remove']) {
      for (const wrong of [999_999, foreign, category, 0, -1, 99_999_999_999]) {
        const { body } = await put({ sectionIds: [b, wrong], mode }).expect(404);
        expect(body.code).to.equal('svccm_invalid_section_term');
        expect(body.data.ids).to.deep.equal([wrong]);
      }
    }
    expect(await sectionIds()).to.deep.equal([a]);
  });

  it('are no more than the site allows', async () => {
    await host.lyceum.make.settings('course_manager', { max_sections_per_post: 2 });
    await put({ sectionIds: [ids[0], ids[1]] }).expect(200);
    expect(await refusal(put({ sectionIds: ids }))).to.equal('400 svccm_too_many_sections');
    expect(await refusal(put({ sectionIds: [ids[2]], mode: 'add' }))).to.equal('400 svccm_too_many_sections');
    await put({ sectionIds: [ids[1]], mode: 'add' }).expect(200);
    expect(await sectionIds()).to.deep.equal([ids[0], ids[1]]);
  });

  it('are had by pages and posts of the site outside the trash', async () => {
    const unknown = '404 svccm_post_not_found';
    const post = await host.record({ type: 'post' });
    await put({ postId: post, sectionIds: [ids[0]] }).expect(200);
    const course = await host.record({ type: 'course' });
    expect(await refusal(put({ postId: course, sectionIds: [999_999] }))).to.equal('400 svccm_bad_post_type');
    const foreign = await host.record({ type: 'page' }, host.there);
    await host.editor.delete(`${posts}/${post}`).expect(200);
    for (const postId of [post, foreign, 999_999, 0, -1, 99_999_999_999]) {
      expect(await refusal(put({ postId, sectionIds: [] })), String(postId)).to.equal(unknown);
    }
    expect(await refusal(host.there.put(assign, { postId: page, sectionIds: [] }))).to.equal(unknown);
  });

  it('are refused when the body is wrong', async () => {
    const invalid = '400 rest_invalid_param';
    const wrong: object[] = [
      { sectionIds: ['1'] },
      { sectionIds: 1 },
      { sectionIds: { 0: 1 } },
      { sectionIds: [1.5] },
      { sectionIds: [null] },
      { sectionIds: null },
      { sectionIds: Array.from({ length: 10_000 }, (_none, at) => at + 1) },
      { sectionIds: Array.from({ length: 501 }, () => ids[0]) },
      { sectionIds: [], mode: 'merge' },
      { sectionIds: [], mode: null },
      { sectionIds: [], postId: '1' },
      { sectionIds: [], postId: null },
      { sectionIds: [], postId: 2 ** 53 },
    ];
    for (const body of wrong) expect(await refusal(put(body)), JSON.stringify(body)).to.equal(invalid);
    const { body } = await host.editor.put(assign, {}).expect(400);
    expect([body.code, body.data.params]).to.deep.equal([
      'rest_missing_callback_param',
      ['postId', 'sectionIds'],
    ]);
    await put({ sectionIds: Array.from({ length: 500 }, () => ids[0]) }).expect(200);
  });

  it('are for editors of the site', async () => {
    const body = { postId: page, sectionIds: [] };
    expect(await refusal(host.lyceum.anonymous.put(assign, body))).to.equal('401 rest_forbidden');
    const contributor = host.lyceum.as(await host.lyceum.make.user({ role: 'contributor' }));
    for (const client of [host.author, contributor]) {
      expect(await refusal(client.put(assign, body))).to.equal('403 rest_forbidden');
    }
    expect(await sectionIds()).to.deep.equal([ids[0]]);
  });

  it('are all there after simultaneous additions, and one whole set after simultaneous replacements', async () => {
    const more = await Promise.all(Array.from({ length: 10 }, (_none, at) => host.section(`More ${at}`)));
    const added = await Promise.all(more.map((id) => put({ sectionIds: [id], mode: 'add' })));
    expect(added.map(({ status }) => status)).to.deep.equal(more.map(() => 200));
    expect(await sectionIds()).to.have.members([ids[0], ...more]);
    const sets = more.map((_id, at) => [more[at], more[(at + 1) % 10], more[(at + 3) % 10]] as number[]);
    await Promise.all(sets.map((set) => put({ sectionIds: set }).expect(200)));
    const end = await sectionIds();
    const sorted = (set: readonly number[]) => String([...set].sort((one, other) => one - other));
    expect(sets.map(sorted)).to.include(sorted(end));
  });

  it('never name a section that is deleted at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const section = await host.section(`Short ${round}`);
      const [put1, gone] = await Promise.all([
        put({ sectionIds: [ids[0], section] }),
        host.editor.delete(`svc/host/v1/terms/${section}`),
      ]);
      expect(put1.status).to.be.oneOf([200, 404]);
      expect(gone.status).to.equal(200);
      expect(await sectionIds()).to.deep.equal([ids[0]]);
    }
  });
});
