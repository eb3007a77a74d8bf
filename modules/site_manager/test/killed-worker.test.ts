import { type Client, killWorker, startTestHost, startWorker, type TestHost } from '@lyceum/core/testing';
import { expect } from 'chai';
import { endOfJob } from './end-of-job.ts';

const sites = 'svc/site-manager/v1/sites';

describe('site_manager: a worker that is killed', () => {
  let lyceum: TestHost;
  let admin: Client;
  const workers: Awaited<ReturnType<typeof startWorker>>[] = [];
  before(async () => {
    lyceum = await startTestHost({ modules: ['site_manager'], config: { workers: 'off' } });
    admin = lyceum.as(await lyceum.make.admin());
  });
  after(async () => {
    for (const worker of workers) if (worker.exitCode === null && !worker.killed) await killWorker(worker);
    await lyceum.stop();
  });
  const start = async () => {
    const worker = await startWorker(lyceum, ['site_manager']);
    workers.push(worker);
    return worker;
  };

  it('does no site of a bulk twice and leaves none out, whoever goes on', async function () {
    // A lost worker is noticed by its silence.
    this.timeout(90_000);
    const { knex } = lyceum.host.db;
    const made = await Promise.all(Array.from({ length: 200 }, () => lyceum.make.site()));
    const ids = made.map(({ blog_id }) => blog_id);
    const archived = async (): Promise<number[]> =>
      (await knex('audit_log').where({ action: 'site.archive' }).orderBy('id').pluck('blog_id')) as number[];
    const first = await start();
    const lock = await knex.transaction();
    await lock('sites').where({ blog_id: ids[120] }).forUpdate();
    const body = { blog_ids: ids, action: 'archive' };
    const { body: job } = await admin.post(`${sites}/bulk`, body).expect(202);
    const at = async (): Promise<number> =>
      (await admin.get(`svc/site-manager/v1/jobs/${job.job_id}?wait=1`).expect(200)).body.progress.current;
    while ((await at()) < 120);
    await killWorker(first);
    await lock.rollback();
    expect(await archived()).to.deep.equal(ids.slice(0, 120));

    await start();
    const ended = await endOfJob(admin, job.job_id);
    expect(ended.status).to.equal('completed');
    expect(ended.result).to.deep.equal({ succeeded: ids, failed: [], total: 200, processed: 200 });
    expect(await archived()).to.deep.equal(ids);
  });
});
