import { Database, Terms } from '@lyceum/core';
import type { Client } from '@lyceum/core/testing';
import { expect } from 'chai';
import { Courses } from '../api.ts';
import { type CourseHost, posts, startWithCourses } from './lyceum.ts';

const modules = 'svc/modules/v1/modules';

describe('lms: links of courses', () => {
  let host: CourseHost;
  let admin: Client;
  beforeEach(async () => {
    host = await startWithCourses();
    admin = host.lyceum.as(await host.lyceum.make.admin());
  });
  afterEach(() => host.lyceum.stop());

  const owner = { blog_id: 1 };
  const course = (body: object = {}) => host.make({ type: 'course', title: 'Course', ...body });
  const section = async (courseId: number): Promise<number> => {
    const { body } = await host.editor
      .post('svc/host/v1/terms', { taxonomy: 'course_section', name: 'Section' })
      .expect(201);
    const terms = host.lyceum.host.services.host(Terms);
    await host.lyceum.host.services
      .host(Database)
      .transaction((trx) => terms.setMeta(trx, owner, body.id, 'course_id', courseId));
    return body.id;
  };
  const linkOf = async (id: number): Promise<unknown> =>
    (await host.lyceum.host.services.host(Terms).find(owner, id))?.meta.course_id;
  const courses = (): Courses => {
    const spec = host.lyceum.host.modules.get('lms')?.spec;
    if (!spec) throw new Error('lms is not loaded');
    return host.lyceum.host.services.resolve(spec)(Courses);
  };

  it('stay while a course is in the trash, where it is no course for others', async () => {
    const id = await course({ status: 'publish', meta: { course_id: 'C-1' } });
    const linked = await section(id);
    expect(await courses().get(1, id)).to.deep.equal({
      id,
      title: 'Course',
      slug: 'course',
      status: 'publish',
      lang: 'en',
      course_id: 'C-1',
      course_comment: '',
      api_type: 'local',
      version: 1,
      export_mode: 'package',
      page_ids: [],
    });
    await host.editor.delete(`${posts}/${id}`).expect(200);
    expect(await courses().get(1, id)).to.equal(null);
    expect((await courses().list(1, '', { page: 1, per_page: 10 })).items).to.deep.equal([]);
    expect(await linkOf(linked)).to.equal(id);
    await host.editor.patch(`${posts}/${id}`, { status: 'draft' }).expect(200);
    expect((await courses().get(1, id))?.status).to.equal('draft');
  });

  it('go when a course is deleted for good, counted in the audit', async () => {
    const [id, other] = [await course(), await course()];
    const linked = [await section(id), await section(id), await section(other)];
    await host.editor.delete(`${posts}/${id}?force=true`).expect(200);
    expect(await Promise.all(linked.map(linkOf))).to.deep.equal([undefined, undefined, other]);
    const rows = await host.lyceum.host.db.knex('audit_log').where({ action: 'course.delete' });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ module: 'lms', subject: `course:${id}`, blog_id: 1 });
    expect(rows[0].from).to.deep.equal({ title: 'Course', links: 2, builds: 0 });
  });

  it('cannot be written by clients', async () => {
    const id = await course();
    const linked = await section(id);
    const route = `svc/host/v1/terms/${linked}`;
    const answer = await host.editor.patch(route, { meta: { course_id: id + 1 } }).expect(400);
    expect(answer.body.data.params).to.have.property('meta.course_id');
    await host.editor.patch(route, { meta: { course_id: null } }).expect(400);
    await host.editor.patch(route, { name: 'New', meta: { course_id: id } }).expect(200);
    expect(await linkOf(linked)).to.equal(id);
  });

  it('lose a page that is deleted for good, and keep one that is in the trash', async () => {
    const pages = [];
    for (let index = 0; index < 3; index += 1) pages.push(await host.make({ type: 'page' }));
    const [first, second, third] = pages as [number, number, number];
    const [id, other] = [
      await course({ meta: { page_ids: [third, second, first] } }),
      await course({ meta: { page_ids: [second] } }),
    ];
    await host.editor.delete(`${posts}/${second}`).expect(200);
    expect((await host.read(id)).meta.page_ids).to.deep.equal([third, second, first]);
    await host.editor.patch(`${posts}/${id}`, { title: 'May be edited meanwhile' }).expect(200);
    await host.editor.delete(`${posts}/${second}?force=true`).expect(200);
    expect((await host.read(id)).meta.page_ids).to.deep.equal([third, first]);
    expect((await host.read(other)).meta.page_ids).to.deep.equal([]);
  });

  it('never name a page that went at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const page = await host.make({ type: 'page' });
      const [made] = await Promise.all([
        host.editor.post(posts, { type: 'course', title: 'Race', meta: { page_ids: [page] } }),
        host.editor.delete(`${posts}/${page}?force=true`).expect(200),
      ]);
      expect(made.status).to.be.oneOf([201, 400]);
      if (made.status === 201) expect((await host.read(made.body.id)).meta.page_ids).to.deep.equal([]);
    }
  });

  it('are found by title, content and course_id', async () => {
    const id = await course({ title: 'Zebra', content: '<p>Stripes</p>', meta: { course_id: 'LMS-77' } });
    const last = await course({ title: 'zz', meta: { course_id: 'Other' } });
    const found = async (search: string): Promise<number[]> =>
      (await courses().list(1, search, { page: 1, per_page: 10 })).items.map((item) => item.id);
    expect(await found('')).to.deep.equal([id, last]);
    expect(await found('stripes zeb')).to.deep.equal([id]);
    expect(await found('LMS-7')).to.deep.equal([id]);
    const { items, total } = await courses().list(1, '', { page: 2, per_page: 1 });
    expect([items.map((item) => item.id), total]).to.deep.equal([[last], 2]);
    expect(await courses().get(2, id), 'another site').to.equal(null);
    expect(await courses().get(1, await host.make({ type: 'page' })), 'another type').to.equal(null);
  });

  it('are told alive from those that count as none, and held while a link is written', async () => {
    const { db } = host.lyceum.host;
    const [id, trashed] = [await course(), await course()];
    await host.editor.delete(`${posts}/${trashed}`).expect(200);
    const page = await host.make({ type: 'page' });
    const all = [id, trashed, page, 999_999];
    expect([...(await courses().alive(1, all))]).to.deep.equal([id]);
    expect([...(await courses().alive(2, all))]).to.deep.equal([]);
    const held = await db.transaction(async (trx) => {
      const found = [];
      for (const one of all) found.push(await courses().hold(trx, 1, one));
      return found;
    });
    expect(held).to.deep.equal([true, false, false, false]);
    const linked = await section(trashed);
    const waiting = async (): Promise<boolean> => {
      const { rows } = await db.knex.raw(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    const gone = await db.transaction(async (trx) => {
      expect(await courses().hold(trx, 1, id)).to.equal(true);
      const answer = host.editor.delete(`${posts}/${id}?force=true`).then(({ status }) => status);
      while (!(await waiting())) await new Promise(setImmediate);
      await host.lyceum.host.services.host(Terms).setMeta(trx, owner, linked, 'course_id', id);
      return { answer };
    });
    expect(await gone.answer).to.equal(200);
    expect(await linkOf(linked), 'the deletion found the link').to.equal(undefined);
    await admin.put(`${modules}/lms`, { enabled: false }).expect(200);
    const other = await db.transaction((trx) => courses().hold(trx, 1, id));
    expect([other, (await courses().alive(1, [id])).size]).to.deep.equal([false, 0]);
  });

  it('are out of sight while the module is off, and back afterwards', async () => {
    const id = await course({ meta: { course_id: 'C-1' } });
    const linked = await section(id);
    const page = await host.make({ type: 'page', title: 'Page' });
    await admin.put(`${modules}/lms`, { enabled: false }).expect(200);
    const list = await host.editor.get(`${posts}?type=course`).expect(400);
    expect(list.body.code).to.equal('rest_invalid_param');
    expect(list.body.data.params).to.have.property('type');
    await host.editor.post(posts, { type: 'course', title: 'x' }).expect(400);
    for (const method of ['get', 'patch', 'delete'] as const) {
      const answer = await host.editor[method](`${posts}/${id}`).expect(404);
      expect(answer.body.code).to.equal('post_not_found');
    }
    expect(await courses().get(1, id)).to.equal(null);
    expect((await courses().list(1, '', { page: 1, per_page: 10 })).total).to.equal(0);
    await host.editor.get(`${posts}/${page}`).expect(200);
    await admin.put(`${modules}/lms`, { enabled: true }).expect(200);
    expect((await host.read(id)).meta.course_id).to.equal('C-1');
    expect((await courses().get(1, id))?.course_id).to.equal('C-1');
    expect(await linkOf(linked)).to.equal(id);
  });

  it('are off for one site alone', async () => {
    const site = await host.lyceum.make.site();
    const there = host.lyceum.as(
      await host.lyceum.make.user({ role: 'administrator', site: site.blog_id }),
      site,
    );
    const id = await host.make({ type: 'course' }, there);
    await there.put(`${modules}/lms`, { enabled: false, scope: 'site' }).expect(200);
    await there.get(`${posts}/${id}`).expect(404);
    expect(await courses().get(site.blog_id, id)).to.equal(null);
    await course();
  });
});
