import { startTestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { api, posts, refusal, type SectionHost, startWithSections, terms } from './lyceum.ts';

const modules = 'svc/modules/v1/modules';
const unknownSection = '404 svccm_invalid_section_term';
const unknownCourse = '400 svclms_invalid_course_term';

describe('course_manager: courses of sections', () => {
  let host: SectionHost;
  let section: number;
  let course: number;
  beforeEach(async () => {
    host = await startWithSections();
    section = await host.section('A');
    course = await host.record({ type: 'course' });
  });
  afterEach(() => host.lyceum.stop());

  const put = (body: object, id: number | string = section) =>
    host.editor.put(`${api}/sections/${id}/course`, body);
  const linked = async () => (await host.sections()).find(({ id }) => id === section)?.courseId;

  it('are linked and let go by every method that writes', async () => {
    const route = `${api}/sections/${section}/course`;
    for (const method of ['put', 'post', 'patch'] as const) {
      const { body } = await host.editor[method](route, { courseId: course }).expect(200);
      expect(body).to.deep.equal({ ok: true, sectionId: section, courseId: course });
      expect(await linked()).to.equal(course);
      const cleared = await host.editor[method](route, { courseId: method === 'put' ? null : 0 }).expect(200);
      expect(cleared.body).to.deep.equal({ ok: true, sectionId: section, courseId: null });
      expect(await linked()).to.equal(null);
    }
  });

  it('have many sections, which have one course each; what is so already is not audited', async () => {
    const [other, second] = [await host.record({ type: 'course' }), await host.section('B')];
    await put({ courseId: course }).expect(200);
    await put({ courseId: course }).expect(200);
    await put({ courseId: course }, second).expect(200);
    await put({ courseId: other }).expect(200);
    expect((await host.sections()).map(({ courseId }) => courseId)).to.deep.equal([other, course]);
    const rows = await host.audited('course_link');
    expect(rows.map(({ subject, from, to }) => ({ subject, from, to }))).to.deep.equal([
      { subject: `section:${section}`, from: { course_id: null }, to: { course_id: course } },
      { subject: `section:${second}`, from: { course_id: null }, to: { course_id: course } },
      { subject: `section:${section}`, from: { course_id: course }, to: { course_id: other } },
    ]);
  });

  it('are courses of the site outside the trash', async () => {
    const trashed = await host.record({ type: 'course' });
    await host.editor.delete(`${posts}/${trashed}`).expect(200);
    const page = await host.record({ type: 'page' });
    const foreign = await host.record({ type: 'course' }, host.there);
    for (const courseId of [trashed, page, foreign, 999_999, 99_999_999_999]) {
      expect(await refusal(put({ courseId })), String(courseId)).to.equal(unknownCourse);
    }
    expect(await linked()).to.equal(null);
  });

  it('are linked to sections of the site', async () => {
    const category = (await host.editor.post(terms, { taxonomy: 'category', name: 'Category' }).expect(201))
      .body.id;
    const foreign = await host.section('There', {}, host.there);
    for (const id of [category, foreign, 999_999, 99_999_999_999]) {
      expect(await refusal(put({ courseId: 999_999 }, id)), String(id)).to.equal(unknownSection);
    }
    for (const id of [0, -1, 'x', '1.5']) {
      expect(await refusal(put({ courseId: course }, id)), String(id)).to.equal('400 rest_invalid_param');
    }
    expect(await refusal(host.there.put(`${api}/sections/${section}/course`, { courseId: 0 }))).to.equal(
      unknownSection,
    );
  });

  it('are judged in one order: the body, the module, the section, the course', async () => {
    const missing = await put({}).expect(400);
    expect([missing.body.code, missing.body.data.params]).to.deep.equal([
      'rest_missing_callback_param',
      ['courseId'],
    ]);
    await host.admin.put(`${modules}/lms`, { enabled: false }).expect(200);
    for (const courseId of ['1', -1, 1.5, true, [], {}, 2 ** 53]) {
      const { body } = await put({ courseId }, 999_999).expect(400);
      expect(body.code).to.equal('rest_invalid_param');
      expect(body.data.params).to.have.property('courseId');
    }
    expect(await refusal(put({}, 999_999))).to.equal('400 rest_missing_callback_param');
    for (const courseId of [course, 999_999, 0, null]) {
      expect(await refusal(put({ courseId }, 999_999))).to.equal('503 svccm_course_link_unavailable');
    }
  });

  it('are out of sight while the module of courses is off, and back afterwards', async () => {
    await put({ courseId: course }).expect(200);
    await host.admin.put(`${modules}/lms`, { enabled: false }).expect(200);
    const { body } = await host.editor.get(`${api}/sidebar`).expect(200);
    expect([
      body.courses,
      body.courseLinkAvailable,
      body.can.linkCourse,
      body.sections[0].courseId,
    ]).to.deep.equal([[], false, false, null]);
    expect(await refusal(host.editor.get(`${api}/sidebar?postId=${course}`))).to.equal(
      '404 svccm_post_not_found',
    );
    await host.admin.put(`${modules}/lms`, { enabled: true }).expect(200);
    expect(await linked()).to.equal(course);
  });

  it('need not be installed', async () => {
    const lyceum = await startTestHost({ modules: ['course_manager'] });
    try {
      const editor = lyceum.as(await lyceum.make.user({ role: 'editor' }));
      const { body } = await editor.post(terms, { taxonomy: 'course_section', name: 'A' }).expect(201);
      const shown = (await editor.get(`${api}/sidebar`).expect(200)).body;
      expect([shown.sections.length, shown.courses, shown.courseLinkAvailable]).to.deep.equal([1, [], false]);
      const answer = editor.put(`${api}/sections/${body.id}/course`, { courseId: 1 });
      expect(await refusal(answer)).to.equal('503 svccm_course_link_unavailable');
    } finally {
      await lyceum.stop();
    }
  });

  it('in the trash count as none, and come back with the course', async () => {
    await put({ courseId: course }).expect(200);
    await host.editor.delete(`${posts}/${course}`).expect(200);
    expect(await linked()).to.equal(null);
    expect((await host.editor.get(`${api}/sidebar`).expect(200)).body.courses).to.deep.equal([]);
    await host.editor.patch(`${posts}/${course}`, { status: 'draft' }).expect(200);
    expect(await linked()).to.equal(course);
    await host.editor.delete(`${posts}/${course}`).expect(200);
    await put({ courseId: null }).expect(200);
    await host.editor.patch(`${posts}/${course}`, { status: 'draft' }).expect(200);
    expect(await linked(), 'let go in the trash').to.equal(null);
  });

  it('are for editors of the site', async () => {
    const route = `${api}/sections/${section}/course`;
    const body = { courseId: course };
    expect(await refusal(host.lyceum.anonymous.put(route, body))).to.equal('401 rest_forbidden');
    expect(await refusal(host.author.put(route, body))).to.equal('403 rest_forbidden');
    expect(await linked()).to.equal(null);
  });

  it('that are deleted at the same moment leave no link behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const doomed = await host.record({ type: 'course' });
      const [second, before] = [await host.section(`Second ${round}`), round % 2 === 0];
      if (before) await put({ courseId: doomed }).expect(200);
      const [one, two, gone] = await Promise.all([
        put({ courseId: doomed }),
        put({ courseId: doomed }, second),
        host.editor.delete(`${posts}/${doomed}?force=true`),
      ]);
      expect([one.status, two.status].every((status) => status === 200 || status === 400)).to.equal(true);
      expect(gone.status).to.equal(200);
      const left = await host.lyceum.host.db
        .knex('terms')
        .whereRaw(`meta -> 'course_id' = to_jsonb(?::int)`, [doomed]);
      expect(left).to.deep.equal([]);
    }
  });

  it('are the one of them after simultaneous links', async () => {
    const courses = await Promise.all(Array.from({ length: 8 }, () => host.record({ type: 'course' })));
    await Promise.all(courses.map((courseId) => put({ courseId }).expect(200)));
    expect(await linked()).to.be.oneOf(courses);
    const chain = await host.audited('course_link');
    for (const [at, { from }] of chain.entries()) {
      expect(from).to.deep.equal(at === 0 ? { course_id: null } : chain[at - 1]?.to);
    }
  });
});
