import { expect } from 'chai';
import { type CourseHost, posts, startWithCourses } from './lyceum.ts';

describe('lms: course_id', () => {
  let host: CourseHost;
  before(async () => {
    host = await startWithCourses();
  });
  after(() => host.lyceum.stop());

  const course = (course_id: string, more: object = {}) => ({
    type: 'course',
    title: 'C',
    meta: { course_id },
    ...more,
  });

  it('is unique on its site, and only there', async () => {
    const first = await host.make(course('C-1'));
    const second = await host.editor.post(posts, course('C-1')).expect(409);
    expect(second.body.code).to.equal('course_id_exists');
    expect(second.body.data).to.deep.equal({ post_id: first, status: 409 });
    await host.editor.post(posts, course(' C-1 ')).expect(409);
    const other = await host.make(course('C-2'));
    const renamed = await host.editor
      .patch(`${posts}/${other}`, { meta: { course_id: 'C-1' }, title: 'Lost' })
      .expect(409);
    expect(renamed.body.data.post_id).to.equal(first);
    expect((await host.editor.get(`${posts}/${other}`)).body.title, 'nothing is written').to.equal('C');
    const site = await host.lyceum.make.site();
    const there = host.lyceum.as(await host.lyceum.make.user({ role: 'editor', site: site.blog_id }), site);
    await host.make(course('C-1'), there);
    await host.editor.patch(`${posts}/${first}`, { meta: { course_id: 'C-1' } }).expect(200);
  });

  it('may be empty as often as you like', async () => {
    await host.make(course(''));
    await host.make(course(''));
    await host.make({ type: 'course' });
  });

  it('goes to one of ten parallel creations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => host.editor.post(posts, course('Ten'))),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    const winner = answers.find(({ status }) => status === 201)?.body.id;
    for (const { status, body } of answers) {
      if (status === 201) continue;
      expect([status, body.code, body.data.post_id]).to.deep.equal([409, 'course_id_exists', winner]);
    }
  });

  it('goes to one of ten parallel changes', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_none, index) => host.make(course(`Own ${index}`))),
    );
    const answers = await Promise.all(
      ids.map((id) => host.editor.patch(`${posts}/${id}`, { meta: { course_id: 'Shared' }, slug: 'shared' })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ body }) => body.code === 'course_id_exists')).to.have.length(9);
  });

  it('is free while its course is in the trash, and asked for again when it leaves', async () => {
    const first = await host.make(course('Bin'));
    await host.editor.delete(`${posts}/${first}`).expect(200);
    const second = await host.make(course('Bin'));
    const back = await host.editor.patch(`${posts}/${first}`, { status: 'draft' }).expect(409);
    expect(back.body.data.post_id).to.equal(second);
    expect((await host.editor.get(`${posts}/${first}`)).body.status).to.equal('trash');
    await host.editor
      .patch(`${posts}/${first}`, { status: 'draft', meta: { course_id: 'Bin 2' } })
      .expect(200);
    await host.editor.delete(`${posts}/${second}?force=true`).expect(200);
    await host.editor.patch(`${posts}/${first}`, { meta: { course_id: 'Bin' } }).expect(200);
  });

  it('may be required of published courses', async () => {
    const admin = host.lyceum.as(await host.lyceum.make.admin());
    const require = (value: boolean) =>
      admin
        .patch('svc/modules/v1/modules/lms/settings', { settings: { require_course_id: value } })
        .expect(200);
    const old = await host.make({ type: 'course', status: 'publish' });
    await require(true);
    const refused = async (body: object) => {
      const answer = await host.editor.post(posts, { type: 'course', title: 'x', ...body });
      expect(answer.status).to.equal(400);
      expect(answer.body.code).to.equal('rest_invalid_param');
      expect(answer.body.data.params).to.have.property('meta.course_id');
    };
    await refused({ status: 'publish' });
    await refused({ status: 'publish', meta: { course_id: ' ' } });
    await refused({ status: 'future', created_at: '2090-01-01T00:00:00Z' });
    const id = await host.make({ type: 'course', status: 'draft' });
    const publish = await host.editor.patch(`${posts}/${id}`, { status: 'publish' }).expect(400);
    expect(publish.body.data.params).to.have.property('meta.course_id');
    await host.editor.patch(`${posts}/${id}`, { status: 'draft', title: 'Still' }).expect(200);
    await host.editor.patch(`${posts}/${id}`, { status: 'publish', meta: { course_id: 'R-1' } }).expect(200);
    await host.editor.patch(`${posts}/${id}`, { meta: { course_id: null } }).expect(400);
    await host.editor.patch(`${posts}/${old}`, { title: 'Published before the rule' }).expect(200);
    const site = await host.lyceum.make.site();
    await admin
      .post(`${posts}?blog_id=${site.blog_id}`, { type: 'course', title: 'x', status: 'publish' })
      .expect(201);
    await require(false);
    await host.make({ type: 'course', status: 'publish' });
  });
});
