import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect } from 'chai';
import { Jobs } from '../../core/jobs/jobs.ts';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';

const route = 'test/worker/v1';

describe('tickets of jobs', () => {
  let lyceum: TestHost;
  let admin: Client;
  const boot = async (workers: 'inline' | 'off'): Promise<void> => {
    lyceum = await startTestHost({
      modules: ['test_worker'],
      folders: [path.join(import.meta.dirname, 'packages')],
      config: { workers },
    });
    admin = lyceum.as(await lyceum.make.admin());
  };
  afterEach(() => lyceum.stop());

  const enqueue = async (steps: number): Promise<string> => {
    const body = { type: 'test_worker.count', steps, pauseMs: 10, key: 'k' };
    return (await admin.post(`${route}/start`, body).expect(202)).body.job_id as string;
  };
  const row = (jobId: string) => lyceum.host.db.knex('jobs').where({ job_id: jobId }).first();
  const ticket = (id: string) => lyceum.host.db.knex('pgboss.job').where({ id }).first();
  const change = (jobId: string, values: object) =>
    lyceum.host.db.knex('jobs').where({ job_id: jobId }).update(values);

  it('that are old take no job from its run', async () => {
    await boot('inline');
    const { knex } = lyceum.host.db;
    const jobId = await enqueue(40);
    while ((await row(jobId)).status === 'pending') await new Promise((resolve) => setImmediate(resolve));
    const old = randomUUID();
    const data = JSON.stringify({ job_id: jobId });
    await knex.raw(`insert into pgboss.job (id, name, data) values (?, 'quick', ?)`, [old, data]);
    while ((await ticket(old)).state !== 'completed') await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const { body } = await admin.get(`${route}/jobs/${jobId}?wait=10`).expect(200);
      if (body.completed_at !== null) break;
    }
    expect(await row(jobId)).to.include({ status: 'completed', losses: 0, ticket: null });
    expect(await knex('test_effects').pluck('key')).to.have.length(40);
  });

  it('of a silent worker show the job as pending, also while nobody else works', async () => {
    await boot('off');
    const jobs = lyceum.host.services.host(Jobs);
    const jobId = await enqueue(1);
    const before = await row(jobId);
    const silent = { status: 'running', run_token: randomUUID() };
    await change(jobId, { ...silent, updated_at: new Date() });
    await jobs.recover();
    expect(await row(jobId)).to.include({ status: 'running', losses: 0 });
    await change(jobId, { ...silent, updated_at: new Date(Date.now() - 60_000) });
    await jobs.recover();
    expect(await row(jobId)).to.include({
      ...{ status: 'pending', losses: 1, run_token: null, ticket: before.ticket },
    });
  });

  it('that are gone are replaced', async () => {
    await boot('off');
    const jobs = lyceum.host.services.host(Jobs);
    const jobId = await enqueue(1);
    const { ticket: gone } = await row(jobId);
    await lyceum.host.db.knex('pgboss.job').where({ id: gone }).delete();
    await change(jobId, { updated_at: new Date(Date.now() - 60_000) });
    await jobs.recover();
    const after = await row(jobId);
    expect(after).to.include({ status: 'pending', losses: 0 });
    expect(after.ticket).not.to.equal(gone);
    expect(await ticket(after.ticket)).to.include({ state: 'created' });
    await jobs.recover();
    expect(await row(jobId)).to.include({ ticket: after.ticket });
  });
});
