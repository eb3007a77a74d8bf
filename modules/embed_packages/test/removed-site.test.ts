import { expect } from 'chai';
import { PackageKit, smallExport, space } from './package-kit.ts';
import { zipOf } from './zip-maker.ts';

describe('embed_packages: a site that is removed for good', () => {
  it('takes its packages along, with their files and bindings', async () => {
    const kit = await PackageKit.start({
      modules: ['embed_packages', 'site_manager'],
      config: { workers: 'inline' },
    });
    const { lyceum, admin } = kit;
    const site = await lyceum.make.site();
    const here = lyceum.as(kit.identity, site);
    const record = (
      await kit.send(here.post(`${space}/packages`), zipOf(smallExport), {}, 'x.zip').expect(201)
    ).body;
    await here.post(`${space}/packages/${record.id}/materialize-pages`, {}).expect(200);
    const own = await kit.package();

    const sites = 'svc/site-manager/v1';
    const { body } = await admin.delete(`${sites}/sites/${site.blog_id}?drop_tables=true`).expect(200);
    expect((await kit.ask(record.url)).status).to.be.oneOf([404, 410]);
    const jobs = await lyceum.host.db.knex('jobs').where({ type: 'site_manager.purge' }).pluck('job_id');
    const id = body.job_id ?? jobs[0];
    for (let status = ''; status !== 'completed'; ) {
      status = (await admin.get(`${sites}/jobs/${id}?wait=10`).expect(200)).body.status;
      expect(status).to.not.be.oneOf(['failed', 'cancelled']);
    }
    for (const table of [
      'embed_packages',
      'embed_package_files',
      'embed_package_pages',
      'embed_page_bindings',
    ]) {
      const left = await lyceum.host.db.knex(table).where('blog_id', site.blog_id);
      expect(left, table).to.deep.equal([]);
    }
    const stored = (await kit.files()).filter((name) => name.includes('embed-packages/'));
    expect(stored).to.have.length(3);
    expect((await kit.ask(own.url)).status).to.equal(200);
    await lyceum.stop();
  }).timeout(60_000);
});
