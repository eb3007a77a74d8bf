import { expect } from 'chai';
import { BuildKit, route } from './build-kit.ts';

const code = (name: string): string => `svclms_static_builder_${name}`;

describe('static_builder: requests', () => {
  let kit: BuildKit;
  let ids: number[];
  before(async () => {
    kit = await BuildKit.start({ config: { workers: 'off' } });
    ids = await kit.pages(3);
  });
  after(() => kit.stop());

  const course = async (title = 'Course'): Promise<number> => {
    const { body } = await kit.admin.post('svc/host/v1/posts', { type: 'course', title }).expect(201);
    return body.id as number;
  };

  /** What is asked of one build, by path and method. */
  const ofOne = (id: number | string) =>
    [
      ['get', `${route}/builds/${id}`],
      ['patch', `${route}/builds/${id}`],
      ['delete', `${route}/builds/${id}`],
      ['post', `${route}/builds/${id}/run`],
      ['post', `${route}/builds/${id}/stop`],
      ['get', `${route}/builds/${id}/diff?against=1`],
    ] as const;

  it('are for super admins, whoever else asks', async () => {
    const { id } = await kit.create(ids);
    const all = [
      ['get', `${route}/pages`],
      ['get', `${route}/builds`],
      ['post', `${route}/builds`],
      ['get', `${route}/courses/1/builds`],
      ...ofOne(id),
    ] as const;
    const admin = await kit.with('administrator');
    for (const [method, path] of all) {
      expect((await kit.lyceum.anonymous[method](path)).status, path).to.equal(401);
      expect((await admin[method](path)).status, path).to.equal(403);
    }
  });

  it('are for editors where there is a single site', async () => {
    const single = await BuildKit.start({ config: { workers: 'off', multisite: 'off' } });
    try {
      const editor = await single.with('editor');
      await editor.get(`${route}/pages?blog_id=1`).expect(200);
      const other = await editor.get(`${route}/pages?blog_id=2`).expect(400);
      expect(other.body.code).to.equal(code('invalid_blog'));
      const author = await single.with('author');
      await author.get(`${route}/pages`).expect(403);
    } finally {
      await single.stop();
    }
  });

  it('choose a site of the network by blog_id, which the body may name, too', async () => {
    const site = await kit.lyceum.make.site();
    for (const wrong of ['0', '-1', 'abc', '1.5']) {
      const { body } = await kit.admin.get(`${route}/pages?blog_id=${wrong}`).expect(400);
      expect(body.code, wrong).to.equal(code('invalid_blog'));
    }
    const unknown = await kit.admin.get(`${route}/pages?blog_id=999999`).expect(404);
    expect(unknown.body.code).to.equal(code('blog_not_found'));
    const foreign = await kit.lyceum.make.network();
    await kit.admin.get(`${route}/builds?blog_id=${foreign.blog_id}`).expect(404);
    const nobody = await kit.with('editor');
    await nobody.get(`${route}/pages?blog_id=999999`).expect(403);
    const empty = await kit.admin.get(`${route}/pages?blog_id=${site.blog_id}`).expect(200);
    expect(empty.body).to.deep.equal({ blog_id: site.blog_id, pages: [] });
    const there = await kit.admin
      .post(`${route}/builds`, { page_ids: [1], blog_id: site.blog_id })
      .expect(404);
    expect(there.body).to.deep.include({ code: code('page_not_found') });
    expect(there.body.data.page_ids).to.deep.equal([1]);
    for (const wrong of [0, -1, 1.5, '1', String(site.blog_id), null, true]) {
      const { status, body } = await kit.admin.post(`${route}/builds`, { page_ids: ids, blog_id: wrong });
      expect([status, body.code], String(wrong)).to.deep.equal([400, code('invalid_blog')]);
    }
    const { id } = await kit.create(ids);
    for (const [method, path] of ofOne(id)) {
      const at = `${path}${path.includes('?') ? '&' : '?'}blog_id=${site.blog_id}`;
      const { status, body } = await kit.admin[method](at);
      expect([status, body.code], path).to.deep.equal([404, code('not_found')]);
    }
  });

  it('list the pages in the order of menus, unpublished ones too, but none in the trash', async () => {
    const site = await kit.lyceum.make.site();
    const at = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    const make = async (title: string, more: object): Promise<number> =>
      (await at.post('svc/host/v1/posts', { type: 'page', title, ...more }).expect(201)).body.id as number;
    const last = await make('Last', { menu_order: 5, status: 'publish' });
    const first = await make('First', { menu_order: 1, status: 'draft' });
    const second = await make('Second', { menu_order: 1, status: 'private' });
    const gone = await make('Gone', { menu_order: 0 });
    await at.delete(`svc/host/v1/posts/${gone}`).expect(200);
    const { body } = await at.get(`${route}/pages`).expect(200);
    expect(body.pages.map(({ id }: { id: number }) => id)).to.deep.equal([first, second, last]);
    expect(body.pages[0]).to.deep.equal({
      ...{ id: first, title: 'First', slug: 'first', menu_order: 1, status: 'draft' },
    });
  });

  it('refuse what no build can be', async () => {
    const bad = async (body: object, status: number, name: string, path?: string): Promise<void> => {
      const request = path ? kit.admin.patch(path, body) : kit.admin.post(`${route}/builds`, body);
      const answer = await request;
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([status, name]);
    };
    const { id } = await kit.create(ids);
    for (const path of [undefined, `${route}/builds/${id}`]) {
      const page_ids = path ? {} : { page_ids: ids };
      await bad({ page_ids: [] }, 400, code('pages_required'), path);
      await bad({ page_ids: [1, 1] }, 400, code('invalid_page_ids'), path);
      for (const wrong of ['1', [0], ['1'], [1.5], { a: 1 }, 7]) {
        await bad({ page_ids: wrong }, 400, code('invalid_page_ids'), path);
      }
      await bad(
        { page_ids: Array.from({ length: 2001 }, (_none, at) => at + 1) },
        400,
        code('invalid_page_ids'),
        path,
      );
      await bad({ page_ids: [ids[0], 999_999, 2_147_483_648] }, 404, code('page_not_found'), path);
      for (const wrong of ['scorm', 1, null]) {
        await bad({ ...page_ids, api_type: wrong }, 400, code('invalid_api_type'), path);
        await bad({ ...page_ids, export_mode: wrong }, 400, code('invalid_export_mode'), path);
      }
      for (const wrong of [0, 1.5, '2', 10_000, null]) {
        await bad({ ...page_ids, version: wrong }, 400, code('invalid_version'), path);
      }
      await bad({ ...page_ids, course_name: 'x'.repeat(201) }, 400, 'rest_invalid_param', path);
      await bad({ ...page_ids, course_id: 7 }, 400, 'rest_invalid_param', path);
      await bad({ ...page_ids, course_comment: 'x'.repeat(5001) }, 400, 'rest_invalid_param', path);
      await bad({ ...page_ids, favourite: true }, 400, 'rest_invalid_param', path);
      await bad({ ...page_ids, build_course_id: 999_999 }, 404, code('course_not_found'), path);
      await bad({ ...page_ids, build_course_id: ids[0] }, 404, code('course_not_found'), path);
    }
    await bad({}, 400, code('pages_required'));
    for (const wrong of ['0', 'abc', '-1', '1.5']) {
      for (const [method, path] of ofOne(wrong)) {
        const { status, body } = await kit.admin[method](path);
        expect([status, body.code], path).to.deep.equal([400, code('invalid_id')]);
      }
    }
    for (const [method, path] of ofOne(999_999)) {
      const { status, body } = await kit.admin[method](path);
      expect([status, body.code], path).to.deep.equal([404, code('not_found')]);
    }
    await kit.admin.get(`${route}/builds/${id}?wait=31`).expect(400);
  });

  it('make a build with what stands for the rest', async () => {
    const answer = await kit.admin
      .post(`${route}/builds`, { page_ids: ids, api_type: '', export_mode: '' })
      .expect(201);
    const { body } = answer;
    expect(answer.headers.location).to.match(new RegExp(`/${route}/builds/${body.id}$`));
    expect(body.config).to.deep.equal({
      ...{ course_name: 'Page 1', api_type: 'local', course_id: '', build_course_id: 0, version: 1 },
      ...{ course_comment: '', export_mode: 'package' },
    });
    expect(body).to.deep.include({
      ...{ status: 'new', terminal: false, page_ids: ids, main_page_id: ids[0], revision: 0, logs: [] },
      ...{ favourite: false, view_url: null, zip_url: null, blog_id: 1, use_sections_in_menu: false },
      ...{
        disable_auto_addition_data: false,
        not_include_media_files_build: false,
        save_external_files: true,
      },
      progress: { percent: 0, current: 0, total: 0 },
    });
    expect(body.files_url).to.match(new RegExp(`/files/static-builds/${body.id}-[0-9a-f]{32}/$`));
    expect(body.edit_url).to.match(new RegExp(`/console/static-builder/builds/${body.id}$`));
    const live = await kit.create(ids, { export_mode: 'live' });
    expect(live).to.include({ save_external_files: false, not_include_media_files_build: false });
  });

  it('change a build at rest, and write nothing where nothing is new', async () => {
    const { id } = await kit.create(ids);
    const before = (await kit.admin.get(`${route}/builds/${id}`).expect(200)).body;
    const empty = await kit.admin.patch(`${route}/builds/${id}`, {}).expect(200);
    expect(empty.body).to.deep.equal(before);
    const fields = {
      course_name: 'New',
      api_type: 'cmi5',
      version: 7,
      course_id: 'C',
      course_comment: 'why',
    };
    const { body } = await kit.admin
      .patch(`${route}/builds/${id}`, { ...fields, page_ids: [ids[2]], export_mode: 'live' })
      .expect(200);
    expect(body.config).to.deep.include({ ...fields, export_mode: 'live' });
    expect(body).to.deep.include({ page_ids: [ids[2]], status: 'new', revision: 0 });
    const rows = await kit.admin.get(`svc/modules/v1/audit?module=static_builder`).expect(200);
    const own = rows.body.filter(({ subject }: { subject: string }) => subject === `static_build:${id}`);
    expect(own.map(({ action }: { action: string }) => action)).to.deep.equal([
      'static_build.update',
      'static_build.create',
    ]);
    expect(own[0].from.course_name).to.equal('Page 1');
    expect(own[0].to.course_name).to.equal('New');
  });

  it('let one of many writers with one If-Match win', async () => {
    const { id } = await kit.create(ids);
    const { headers } = await kit.admin.get(`${route}/builds/${id}`).expect(200);
    const etag = String(headers.etag);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) =>
        kit.admin.patch(`${route}/builds/${id}`, { course_name: `Name ${at}` }).set('If-Match', etag),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 9 }, () => 412)]);
    expect(answers.find(({ status }) => status === 412)?.body.code).to.equal('precondition_failed');
    const now = await kit.admin.get(`${route}/builds/${id}`).expect(200);
    await kit.admin
      .patch(`${route}/builds/${id}`, { version: 2 })
      .set('If-Match', String(now.headers.etag))
      .expect(200);
    await kit.admin.get(`${route}/builds/${id}`).set('If-None-Match', String(now.headers.etag)).expect(200);
  });

  it('list builds by what is asked for, newest first', async () => {
    const site = await kit.lyceum.make.site();
    const at = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    const page = (await at.post('svc/host/v1/posts', { type: 'page', title: 'P' }).expect(201)).body
      .id as number;
    const made: number[] = [];
    for (const course_name of ['Alpha', 'Beta 50%', 'Gamma']) {
      made.push((await at.post(`${route}/builds`, { page_ids: [page], course_name }).expect(201)).body.id);
    }
    await at.patch(`${route}/builds/${made[0]}`, { version: 2 }).expect(200);
    const list = async (query: string): Promise<number[]> => {
      const { body } = await at.get(`${route}/builds?${query}`).expect(200);
      expect(body.blog_id).to.equal(site.blog_id);
      return body.builds.map(({ id }: { id: number }) => id);
    };
    expect(await list('')).to.deep.equal([made[0], made[2], made[1]]);
    expect(await list('search=50%25')).to.deep.equal([made[1]]);
    expect(await list('status=completed')).to.deep.equal([]);
    expect(await list('status=new,error&per_page=1&page=2')).to.deep.equal([made[2]]);
    expect(await list('build_course_id=0')).to.have.length(3);
    await at.get(`${route}/builds?status=nonsense`).expect(400);
    const { headers } = await at.get(`${route}/builds?per_page=2`).expect(200);
    expect(headers['x-svc-total']).to.equal('3');
  });

  it('leave nothing where the database refuses the row', async () => {
    const { knex } = kit.lyceum.host.db;
    await knex.raw(
      `alter table static_builds add constraint no_luck check (config ->> 'course_name' <> 'Luck')`,
    );
    const { status, body } = await kit.admin.post(`${route}/builds`, { page_ids: ids, course_name: 'Luck' });
    expect([status, body.code]).to.deep.equal([500, code('create_failed')]);
    const { id } = await kit.create(ids);
    const changed = await kit.admin.patch(`${route}/builds/${id}`, { course_name: 'Luck' });
    expect([changed.status, changed.body.code]).to.deep.equal([500, code('update_failed')]);
    expect(await knex('static_builds').whereRaw(`config ->> 'course_name' = 'Luck'`)).to.deep.equal([]);
    await knex.raw('alter table static_builds drop constraint no_luck');
  });

  it('delete a build with its log, its mark and its files', async () => {
    const one = await course();
    const { id } = await kit.create(ids, { build_course_id: one, favourite: true });
    const { body } = await kit.admin.delete(`${route}/builds/${id}`).expect(200);
    expect(body).to.deep.equal({ deleted: true, id });
    await kit.admin.get(`${route}/builds/${id}`).expect(404);
    const { body: record } = await kit.admin.get(`svc/host/v1/posts/${one}`).expect(200);
    expect(record.meta.favourite_build_id).to.equal(undefined);
  });
});
