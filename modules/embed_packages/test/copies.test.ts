import { expect } from 'chai';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

describe('embed_packages: copies', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start({
      modules: ['embed_packages', 'site_duplicator', 'post_duplicator'],
      config: { workers: 'inline' },
    });
  });
  after(() => kit.lyceum.stop());

  async function duplicate(source: number, slug: string) {
    const route = 'svc/site-duplicator/v1';
    const wish = { slug, title: 'Copy', copy_content: true, copy_modules: true, copy_files: true };
    const begun = await kit.admin.post(`${route}/sites/${source}/duplicate`, wish).expect(202);
    for (;;) {
      const { body } = await kit.admin.get(`${route}/jobs/${begun.body.job_id}?wait=10`).expect(200);
      if (['completed', 'failed', 'cancelled'].includes(body.status)) return body;
    }
  }

  it('of a site have its packages with their files under addresses of their own, bound to its pages', async () => {
    const { lyceum } = kit;
    const site = await lyceum.make.site();
    const there = `?blog_id=${site.blog_id}`;
    const here = lyceum.as(kit.identity, site);
    const record = (
      await kit
        .send(here.post(`${space}/packages`), zipOf(smallExport), { title: 'Fire' }, 'x.zip')
        .expect(201)
    ).body;
    const second = (
      await kit
        .send(
          here.post(`${space}/packages/${record.id}/content`),
          zipOf({ ...smallExport, 'c.html': 'c' }),
          {},
          'x.zip',
        )
        .expect(200)
    ).body;
    const page = await kit.page({ slug: 'shows' }, here);
    await here.put(`${space}/pages/${page}/package`, { package_id: record.id, path: 'a/b.html' }).expect(200);
    const dangling = await kit.page({ slug: 'dangles' }, here);
    const gone = (await here.post(`${space}/packages`, { title: 'Gone' }).expect(201)).body.id;
    await here.put(`${space}/pages/${dangling}/package`, { package_id: gone }).expect(200);
    await here.delete(`${space}/packages/${gone}`).expect(200);

    const job = await duplicate(site.blog_id, 'the-copy');
    expect([job.status, job.error]).to.deep.equal(['completed', null]);
    const copied = `?blog_id=${job.result.blog_id}`;
    const { body: list } = await kit.admin.get(`${space}/packages${copied}`).expect(200);
    expect(list.packages).to.have.length(1);
    const { body: copy } = await kit.admin
      .get(`${space}/packages/${list.packages[0].id}${copied}`)
      .expect(200);
    expect(copy).to.deep.include({ title: 'Fire', slug: 'fire', files: 4, revision: 2, entry: 'index.html' });
    expect(copy.content_hash).to.equal(second.content_hash);
    expect(copy.id).to.not.equal(record.id);
    const tokenOf = (url: string) => /-([0-9a-f]{32})\//.exec(url)?.[1];
    expect(tokenOf(copy.url)).to.not.equal(tokenOf(second.url));
    expect((await kit.ask(copy.url)).text).to.equal(smallExport['index.html']);
    expect((await kit.ask(copy.pages.at(-1).url)).text).to.equal('c');

    const { body: posts } = await kit.admin
      .get(`svc/host/v1/posts${copied}&type=page&search=page`)
      .expect(200);
    const newPage = posts.find(({ slug }: { slug: string }) => slug === 'shows')?.id;
    expect(copy.bound_page_ids).to.deep.equal([newPage]);
    const bound = await kit.admin.get(`${space}/pages/${newPage}/package${copied}`).expect(200);
    expect(bound.body).to.deep.include({ package_id: copy.id, path: 'a/b.html', path_missing: false });
    const free = posts.find(({ slug }: { slug: string }) => slug === 'dangles')?.id;
    expect((await kit.admin.get(`${space}/pages/${free}/package${copied}`)).body.package_id).to.equal(null);

    await kit.admin.delete(`${space}/packages/${record.id}${there}`).expect(200);
    expect((await kit.ask(second.url)).status).to.equal(404);
    expect((await kit.ask(copy.url)).status).to.equal(200);
  }).timeout(60_000);

  it('of a page show what it does, on its own site', async () => {
    const record = await kit.package();
    const page = await kit.page();
    await kit.admin
      .put(`${space}/pages/${page}/package`, { package_id: record.id, path: 'a/b.html' })
      .expect(200);
    const route = `svc/post-duplicator/v1/posts/${page}/duplicate`;
    const { body } = await kit.admin.post(route, {}).expect(201);
    const copy = body.post_id ?? body.id;
    const shown = await kit.admin.get(`${space}/pages/${copy}/package`).expect(200);
    expect(shown.body).to.deep.include({ package_id: record.id, path: 'a/b.html' });
    const site = await kit.lyceum.make.site();
    const there = (await kit.admin.post(route, { target_blog_id: site.blog_id }).expect(201)).body;
    const id = there.post_id ?? there.id;
    const other = await kit.admin.get(`${space}/pages/${id}/package?blog_id=${site.blog_id}`).expect(200);
    expect(other.body.package_id).to.equal(null);
  });
});
