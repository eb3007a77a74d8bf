import { expect } from 'chai';
import { BuildKit, route } from './build-kit.ts';

const code = (name: string): string => `svclms_static_builder_${name}`;

describe('static_builder: builds of courses', () => {
  let kit: BuildKit;
  let ids: number[];
  before(async () => {
    kit = await BuildKit.start({ config: { workers: 'off' } });
    ids = await kit.pages(2);
  });
  after(() => kit.stop());

  const course = async (title = 'Course'): Promise<number> => {
    const { body } = await kit.admin.post('svc/host/v1/posts', { type: 'course', title }).expect(201);
    return body.id as number;
  };

  it('keep one favourite per course', async () => {
    const one = await course();
    const two = await course();
    const first = await kit.create(ids, { build_course_id: one, favourite: true });
    const second = await kit.create(ids, { build_course_id: one });
    const shown = async (id: number) => (await kit.get(id)) as unknown as { favourite: boolean };
    expect((await shown(first.id)).favourite).to.equal(true);
    await kit.admin.patch(`${route}/builds/${second.id}`, { favourite: true }).expect(200);
    expect((await shown(first.id)).favourite).to.equal(false);
    expect((await shown(second.id)).favourite).to.equal(true);
    const { body: record } = await kit.admin.get(`svc/host/v1/posts/${one}`).expect(200);
    expect(record.meta.favourite_build_id).to.equal(second.id);
    const moved = await kit.admin.patch(`${route}/builds/${second.id}`, { build_course_id: two }).expect(200);
    expect(moved.body).to.deep.include({ favourite: false });
    const { body: left } = await kit.admin.get(`svc/host/v1/posts/${one}`).expect(200);
    expect(left.meta.favourite_build_id).to.equal(undefined);
    const { body } = await kit.admin.get(`${route}/courses/${two}/builds`).expect(200);
    expect(body.builds.map(({ id }: { id: number }) => id)).to.deep.equal([second.id]);
    expect(body).to.include({ blog_id: 1, course_id: two });
    for (const wrong of ['0', 'abc', '999999', String(ids[0])]) {
      const { status, body: refused } = await kit.admin.get(`${route}/courses/${wrong}/builds`);
      expect([status, refused.code], wrong).to.deep.equal([404, code('course_not_found')]);
    }
  });

  it('let builds of a course go when it does', async () => {
    const one = await course();
    const { id } = await kit.create(ids, { build_course_id: one, favourite: true });
    await kit.admin.delete(`svc/host/v1/posts/${one}`).expect(200);
    await kit.admin.get(`${route}/courses/${one}/builds`).expect(404);
    await kit.admin.delete(`svc/host/v1/posts/${one}?force=true`).expect(200);
    const { body } = await kit.admin.get(`${route}/builds/${id}`).expect(200);
    expect([body.config.build_course_id, body.favourite]).to.deep.equal([0, false]);
    const { body: rows } = await kit.admin.get('svc/modules/v1/audit?action=course.delete').expect(200);
    expect(rows[0].from.builds).to.equal(1);
  });

  it('know no courses while these are switched off', async () => {
    const one = await course();
    const { id } = await kit.create(ids, { build_course_id: one });
    await kit.admin.put('svc/modules/v1/modules/lms', { enabled: false }).expect(200);
    try {
      await kit.admin.get(`${route}/courses/${one}/builds`).expect(404);
      await kit.admin.post(`${route}/builds`, { page_ids: ids, build_course_id: one }).expect(404);
      await kit.admin.patch(`${route}/builds/${id}`, { version: 3 }).expect(200);
    } finally {
      await kit.admin.put('svc/modules/v1/modules/lms', { enabled: true }).expect(200);
    }
    await kit.admin.get(`${route}/courses/${one}/builds`).expect(200);
  });

  it('say whether a page of the build is in a section', async () => {
    const { body: term } = await kit.admin
      .post('svc/host/v1/terms', { taxonomy: 'course_section', name: 'A' })
      .expect(201);
    const page = await kit.page('In', 'x', { terms: { course_section: [term.id] } });
    expect(await kit.create([page])).to.include({ use_sections_in_menu: true });
    await kit.lyceum.make.settings('static_builder', { use_sections: false });
    expect(await kit.create([page])).to.include({ use_sections_in_menu: false });
  });
});
