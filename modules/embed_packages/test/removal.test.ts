import { expect } from 'chai';
import { PackageKit, space } from './package-kit.ts';

describe('embed_packages: files of a package that was deleted', () => {
  let kit: PackageKit;
  before(async () => {
    kit = await PackageKit.start({ config: { workers: 'inline' } });
  });
  after(() => kit.lyceum.stop());

  it('are removed by the job, which ends well', async () => {
    const { id } = await kit.package();
    await kit.admin.delete(`${space}/packages/${id}`).expect(200);
    const [job] = await kit.lyceum.host.db.knex('jobs').where('type', 'embed_packages.remove_files');
    let shown = { status: 'pending' };
    while (['pending', 'running'].includes(shown.status)) {
      const { body } = await kit.admin.get(`svc/host/v1/jobs/${job.job_id}?wait=10`);
      shown = body.status === undefined ? { status: JSON.stringify(body) } : body;
    }
    expect(shown).to.deep.include({
      status: 'completed',
      result: { removed: true },
    });
    expect((await kit.files()).filter((name) => name.includes(`embed-packages/${id}/`))).to.deep.equal([]);
  });
});
