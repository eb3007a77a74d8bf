import { Storage, StorageFull } from '@lyceum/core';
import { expect } from 'chai';
import { BuildKit, picture, route } from './build-kit.ts';

describe('static_builder: when it goes wrong', () => {
  let kit: BuildKit;
  before(async () => {
    kit = await BuildKit.start({
      modules: ['static_builder', 'lms', 'embed_packages', 'site_manager', 'site_duplicator'],
    });
  });
  after(() => kit.stop());

  /** Lets the storage fail so many times, from its nth write of a build on. */
  function failing(at: number, times: number, error: Error): () => void {
    const storage = kit.lyceum.host.services.host(Storage);
    const whole = storage.write.bind(storage);
    let calls = 0;
    storage.write = async (key, source, options) => {
      if (key.includes('/static-builds/')) calls += 1;
      if (calls >= at && calls < at + times) throw error;
      return whole(key, source, options);
    };
    return () => {
      storage.write = whole;
    };
  }

  const filesOf = async (id: number): Promise<string[]> =>
    (await kit.stored()).filter((key) => key.includes(`/${id}-`));

  it('goes on with the same revision where the disk was full for a moment', async () => {
    const { id } = await kit.create(await kit.pages(3));
    for (const [at, error] of [
      [2, new StorageFull(null)],
      [1, Object.assign(new Error('i/o error'), { code: 'EIO' })],
    ] as const) {
      const restore = failing(at, 1, error);
      const before = (await kit.get(id)).revision;
      const build = await kit.built(id);
      restore();
      expect(build.revision).to.equal(before + 1);
      const { losses } = await kit.lyceum.host.db.knex('static_builds').where({ id }).first('losses');
      expect(losses).to.equal(0);
    }
  }).timeout(120_000);

  it('is an error where it stays full; the old revision is served, nothing else is left, and the next run works', async () => {
    const ids = await kit.pages(2);
    const first = await kit.course(ids);
    await kit.change(ids[0] ?? 0, { content: '<p>news</p>' });
    const restore = failing(1, 100, new StorageFull(null));
    await kit.run(first.id);
    const ended = await kit.ended(first.id);
    restore();
    expect(ended).to.include({ status: 'error', revision: 2, view_url: null });
    expect(ended.logs[0]).to.include({
      level: 'error',
      step: 'storage_full: there is no space for the files',
    });
    expect(await kit.text(first, 'index.html')).to.include('Page 1');
    const end = Date.now() + 10_000;
    while ((await filesOf(first.id)).some((key) => key.includes('/2/')))
      expect(Date.now()).to.be.lessThan(end);
    const rows = await kit.lyceum.host.db
      .knex('static_build_files')
      .where({ build_id: first.id, revision: 2 });
    expect(rows).to.deep.equal([]);
    expect((await kit.built(first.id)).revision).to.equal(3);
  }).timeout(120_000);

  it('takes the files of bound packages along, and copies them once', async () => {
    const space = 'svclms-pro/embed-packages/v1';
    const { body: made } = await kit.admin
      .post(`${space}/packages`, { title: 'Sim', html: '<!doctype html><title>Sim</title><p>inside' })
      .expect(201);
    const ids = [await kit.page('With', 'own'), await kit.page('Too', 'own')];
    for (const id of ids)
      await kit.admin.put(`${space}/pages/${id}/package`, { package_id: made.id }).expect(200);
    const build = await kit.course(ids);
    const zip = await kit.zip(build);
    const embedded = [...zip.keys()].filter((name) => name.startsWith('embed/'));
    expect(embedded).to.deep.equal([`embed/${made.id}/${made.entry}`]);
    expect(zip.get(embedded[0] ?? '')?.toString()).to.include('inside');
    const { pages } = JSON.parse(zip.get('course.json')?.toString() ?? '') as { pages: { href: string }[] };
    for (const { href } of pages) {
      expect(zip.get(href)?.toString()).to.include(`<iframe src="../embed/${made.id}/${made.entry}"`);
    }
    expect(build.logs.filter(({ level }) => level === 'warning')).to.deep.equal([]);
    await kit.admin.post(`${space}/packages/${made.id}/content`, { html: '<p>new</p>' }).expect(200);
    const again = await kit.built(build.id);
    expect(again.logs.map(({ step }) => step)).to.include('pages: 2 rendered, 0 from the cache');
    expect(await kit.text(again, `embed/${made.id}/${made.entry}`)).to.include('new');
  });

  it('goes with its site, and is not copied with it', async () => {
    const site = await kit.lyceum.make.site();
    const admin = kit.lyceum.as(await kit.lyceum.make.admin(), site);
    const url = await kit.upload(picture(77), 'there.gif', admin);
    const page = await admin
      .post('svc/host/v1/posts', {
        type: 'page',
        status: 'publish',
        title: 'There',
        content: `<img src="${url}">`,
      })
      .expect(201);
    const { body: build } = await admin.post(`${route}/builds`, { page_ids: [page.body.id] }).expect(201);
    await admin.post(`${route}/builds/${build.id}/run`).expect(202);
    let shown = await admin.get(`${route}/builds/${build.id}?wait=30`);
    while (shown.body.terminal !== true) shown = await admin.get(`${route}/builds/${build.id}?wait=30`);
    expect(shown.body.status).to.equal('completed');
    const copied = await kit.admin
      .post(`svc/site-duplicator/v1/sites/${site.blog_id}/duplicate`, { slug: 'copied' })
      .expect(202);
    const wait = `svc/site-duplicator/v1/jobs/${copied.body.job_id}?wait=30`;
    let job = await kit.admin.get(wait);
    while (job.body.status !== 'completed') job = await kit.admin.get(wait);
    const { knex } = kit.lyceum.host.db;
    expect(
      Number((await knex('static_builds').whereNot('blog_id', 1).count({ n: '*' }).first())?.n),
    ).to.equal(1);
    await admin.post(`${route}/builds/${build.id}/run`).expect(202);
    await kit.admin.delete(`svc/site-manager/v1/sites/${site.blog_id}`).expect(200);
    const end = Date.now() + 30_000;
    const left = async () => {
      const rows = await knex('static_builds').where({ blog_id: site.blog_id });
      return rows.length + (await kit.stored(site.blog_id)).length;
    };
    while ((await left()) > 0) expect(Date.now()).to.be.lessThan(end);
    for (const table of [
      'static_build_files',
      'static_build_logs',
      'static_build_page_cache',
      'static_build_pages',
    ]) {
      expect(await knex(table).where({ blog_id: site.blog_id }), table).to.deep.equal([]);
    }
  }).timeout(120_000);
});
