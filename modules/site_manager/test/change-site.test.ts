import { startTestHost, type TestHost, type TestUser } from '@lyceum/core/testing';
import { expect } from 'chai';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: changing sites', () => {
  let lyceum: TestHost;
  let admin: TestUser;
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'] });
    admin = await lyceum.make.admin();
  });
  after(() => lyceum.stop());

  const patch = (blogId: number | string, body: object) => lyceum.as(admin).patch(`${sites}/${blogId}`, body);
  const read = async (blogId: number) => (await lyceum.as(admin).get(`${sites}/${blogId}`).expect(200)).body;
  const auditOf = async (blogId: number) =>
    (await lyceum.as(admin).get(`svc/modules/v1/audit?blog_id=${blogId}`).expect(200)).body;

  it('changes the given fields and nothing else', async () => {
    const { blog_id } = await lyceum.make.site();
    const before = await read(blog_id);
    const change = {
      title: 'New <i>title</i>',
      description: 'New',
      public: 0,
      archived: 1,
      deleted: 1,
      spam: 1,
      mature: 1,
      is_template: true,
    };
    const { body } = await patch(blog_id, change).expect(200);
    expect(body).to.deep.equal({ ...before, ...change, last_updated: body.last_updated });
    expect(Date.parse(body.last_updated)).to.be.at.least(Date.parse(before.last_updated));
    const [row] = await auditOf(blog_id);
    const { title, description, public: isPublic, archived, deleted, spam, mature, is_template } = before;
    const from = { title, description, public: isPublic, archived, deleted, spam, mature, is_template };
    expect(row).to.deep.include({ action: 'site.update', subject: `site:${blog_id}`, to: change, from });
  });

  it('leaves no trace of an empty body or of values that are there already', async () => {
    const { blog_id } = await lyceum.make.site();
    const before = await read(blog_id);
    expect((await patch(blog_id, {}).expect(200)).body).to.deep.equal(before);
    const same = { title: before.title, slug: before.slug, public: 1, category_ids: [], status_id: null };
    expect((await patch(blog_id, same).expect(200)).body).to.deep.equal(before);
    expect(await auditOf(blog_id)).to.deep.equal([]);
  });

  it('is reached by PUT and POST too', async () => {
    const { blog_id } = await lyceum.make.site();
    const put = await lyceum.as(admin).put(`${sites}/${blog_id}`, { mature: 1 }).expect(200);
    expect(put.body.mature).to.equal(1);
    const post = await lyceum.as(admin).post(`${sites}/${blog_id}`, { mature: 0 }).expect(200);
    expect(post.body.mature).to.equal(0);
  });

  it('moves a site to a new slug at once', async () => {
    const { blog_id, ...old } = await lyceum.make.site('mover');
    const { body } = await patch(blog_id, { slug: 'Moved Here' }).expect(200);
    expect(body).to.deep.include({ slug: 'moved-here', path: '/moved-here/' });
    const index = await lyceum
      .as(admin, { ...old, path: '/moved-here/' })
      .get('')
      .expect(200);
    expect(index.body.blog_id).to.equal(blog_id);
    await lyceum.as(admin, old).get('').expect(404);
    await lyceum.make.site('mover');
  });

  it('refuses a slug that is taken, reserved or nothing, and writes nothing of the body then', async () => {
    const { blog_id } = await lyceum.make.site('keeper');
    await lyceum.make.site('taken');
    const before = await read(blog_id);
    const wrong = [
      ['taken', 409, 'site_exists'],
      ['api', 400, 'site_slug_invalid'],
      ['---', 400, 'site_slug_invalid'],
    ] as const;
    for (const [slug, status, code] of wrong) {
      const answer = await patch(blog_id, { slug, title: 'Other' }).expect(status);
      expect(answer.body.code).to.equal(code);
    }
    expect(await read(blog_id)).to.deep.equal(before);
  });

  it('lets one of many sites have a slug that all want', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => lyceum.make.site()));
    const answers = await Promise.all(made.map(({ blog_id }) => patch(blog_id, { slug: 'wanted' })));
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
  });

  it('keeps both of two simultaneous changes of different fields', async () => {
    const { blog_id } = await lyceum.make.site();
    const fields = [{ title: 'Together' }, { description: 'Both' }, { mature: 1 }, { is_template: true }];
    const answers = await Promise.all(fields.map((body) => patch(blog_id, body)));
    for (const answer of answers) expect(answer.status).to.equal(200);
    expect(await read(blog_id)).to.deep.include(Object.assign({}, ...fields));
  });

  it('replaces categories and status, and takes them away', async () => {
    const make = async (kind: string, name: string): Promise<number> =>
      (await lyceum.as(admin).post(`svc/site-manager/v1/${kind}`, { name }).expect(201)).body.id;
    const [a, b, c] = [
      await make('categories', 'A'),
      await make('categories', 'B'),
      await make('categories', 'C'),
    ];
    const status = await make('statuses', 'Ready');
    const { blog_id } = await lyceum.make.site();
    const first = await patch(blog_id, { category_ids: [b, a], status_id: status }).expect(200);
    expect(first.body.category_ids).to.deep.equal([a, b]);
    expect(first.body.status).to.deep.equal({ id: status, name: 'Ready', slug: 'ready' });
    expect((await patch(blog_id, { category_ids: [c, b] }).expect(200)).body.category_ids).to.deep.equal([
      b,
      c,
    ]);
    expect((await auditOf(blog_id))[0]).to.deep.include({
      from: { category_ids: [a, b] },
      to: { category_ids: [b, c] },
    });
    const none = await patch(blog_id, { category_ids: [], status_id: null }).expect(200);
    expect(none.body).to.deep.include({ category_ids: [], categories: [], status_id: null, status: null });
    const wrong = await patch(blog_id, { category_ids: [status] }).expect(404);
    expect(wrong.body.data.params).to.deep.equal(['category_ids']);
    expect((await patch(blog_id, { status_id: a }).expect(404)).body.code).to.equal('term_not_found');
  });

  it('protects the main site and writes nothing then', async () => {
    const before = await read(1);
    const slug = await patch(1, { slug: 'a', title: 'Other' }).expect(403);
    expect(slug.body.code).to.equal('main_site_slug_forbidden');
    for (const change of [{ public: 0 }, { archived: 1 }, { deleted: 1 }, { spam: 1 }]) {
      const answer = await patch(1, { ...change, title: 'Other' }).expect(403);
      expect(answer.body.code).to.equal('main_site_forbidden');
    }
    expect(await read(1)).to.deep.equal(before);
    const allowed = { slug: '', public: 1, archived: 0, deleted: 0, spam: 0, mature: 1 };
    expect((await patch(1, allowed).expect(200)).body).to.deep.include(allowed);
  });

  it('shows a new title where settings show it, in every process', async () => {
    const second = await startTestHost({ modules: ['site_manager'], beside: lyceum });
    try {
      const site = await lyceum.make.site();
      await second.as(admin, site).get('').expect(200);
      await patch(site.blog_id, { title: 'Renamed', description: 'Anew' }).expect(200);
      const settings = await second.as(admin, site).get('svc/host/v1/settings').expect(200);
      expect(settings.body.site).to.deep.include({ title: 'Renamed', description: 'Anew' });
    } finally {
      await second.stop();
    }
  });

  it('answers 404 for what is no site, and refuses bad bodies and strangers', async () => {
    for (const id of ['99999', '0', '-1', 'x', '1.5', '99999999999']) {
      const answer = await patch(id, { title: 'x' }).expect(404);
      expect(answer.body, id).to.deep.equal({
        code: 'site_not_found',
        message: 'Site not found.',
        data: { status: 404 },
      });
    }
    const { blog_id } = await lyceum.make.site();
    for (const body of [{ title: '' }, { title: null }, { public: '1' }, { slug: 1 }, { status_id: 'x' }]) {
      expect((await patch(blog_id, body).expect(400)).body.code).to.equal('rest_invalid_param');
    }
    await lyceum.anonymous.patch(`${sites}/${blog_id}`, {}).expect(401);
    const own = await lyceum.make.user({ role: 'administrator', site: blog_id });
    await lyceum.as(own).patch(`${sites}/${blog_id}`, {}).expect(403);
  });
});
