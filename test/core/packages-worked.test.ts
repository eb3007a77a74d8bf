import { expect } from 'chai';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import { PackageFolder } from '../kit/package-folder.ts';

const rescan = 'svc/modules/v1/modules/rescan';
const one = 'work_one';

/** What packages of these tests tell: they run in the process of the test. */
const heard: string[] = [];
Object.assign(globalThis, { workHeard: heard });

describe('a package that changes while its jobs run', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    folder = await PackageFolder.make();
    lyceum = await startTestHost({ modules: [one], folders: [folder.path], config: { workers: 'inline' } });
    admin = lyceum.as(await lyceum.make.admin());
    heard.length = 0;
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const look = async () => (await admin.post(rescan).expect(200)).body;
  const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  };

  const working = (word: string, steps: number) => `
      import { accepted, callerOf, Database, defineJob, defineModule, defineOperation, defineSchedule, JobRecord, Jobs, jobOperations, presentJob } from '@lyceum/core';
      import { setTimeout as wait } from 'node:timers/promises';
      const count = defineJob({ id: '${one}.count', title: 'x', run: async (job) => {
        let done = job.cursor() ?? 0;
        while (done < ${steps}) {
          await wait(10, undefined, { signal: job.signal });
          done += 1;
          await job.step(async () => ({ cursor: done, message: '${word}' }));
          workHeard.push('${word} ' + done);
        }
        return { by: '${word}', done };
      } });
      export default defineModule({ id: '${one}', title: 'x', namespaces: ['test/work-one/v1'], defaultEnabled: true, jobs: [count],
        schedules: [defineSchedule({ id: '${one}.tick', title: 'x', everySeconds: 1, run: async () => { workHeard.push('tick ${word}'); } })],
        operations: [
          defineOperation({ id: '${one}.begin', method: 'POST', path: 'test/work-one/v1/begin', access: { signedIn: true }, output: JobRecord,
            handle: async (_, call) => accepted(presentJob(await call.get(Database).transaction((trx) => call.get(Jobs).enqueue(trx,
              { type: '${one}.count', payload: {}, site: call.site, userId: callerOf(call).id, startAfterSeconds: 0 })))) }),
          ...jobOperations({ module: '${one}', namespace: 'test/work-one/v1', types: ['${one}.'], access: { signedIn: true }, contract: false, listsAll: true }),
        ] });`;
  const ended = async (jobId: string) => {
    for (;;) {
      const { body } = await admin.get(`test/work-one/v1/jobs/${jobId}?wait=5`).expect(200);
      if (['completed', 'failed', 'cancelled'].includes(body.status)) return body;
    }
  };

  it('hands its jobs over: what runs goes on from its record, what waits is run by the new code', async function () {
    this.timeout(60_000);
    await folder.write(one, { 'module.js': working('old', 100_000) });
    await look();
    const running = (await admin.post('test/work-one/v1/begin').expect(202)).body.job_id;
    await until(() => heard.includes('old 3'));
    await folder.change(one, { 'module.js': working('new', 100) });
    await look();
    const later = (await admin.post('test/work-one/v1/begin').expect(202)).body.job_id;
    expect((await ended(running)).result).to.deep.equal({ by: 'new', done: 100 });
    expect((await ended(later)).result).to.deep.equal({ by: 'new', done: 100 });
    const lastOld = heard.filter((line) => line.startsWith('old ')).length;
    // Only the second job did this step in the new code: the first one went on after it.
    expect(heard.filter((line) => line === `new ${lastOld}`)).to.have.length(1);
  });

  it('has its schedules taken over', async () => {
    await folder.write(one, { 'module.js': working('old', 1) });
    await look();
    await until(() => heard.includes('tick old'));
    await folder.change(one, { 'module.js': working('new', 1) });
    await look();
    await until(() => heard.includes('tick new'));
    const from = heard.indexOf('tick new');
    await until(() => heard.filter((line) => line === 'tick new').length >= 2);
    expect(heard.slice(from)).to.not.include('tick old');
  });

  it('keeps jobs of a package that went away until it is back', async () => {
    await folder.write(one, { 'module.js': working('old', 100_000) });
    await look();
    const id = (await admin.post('test/work-one/v1/begin').expect(202)).body.job_id;
    await until(() => heard.includes('old 1'));
    await folder.change(one, { '': null });
    await look();
    const knex = lyceum.host.db.knex;
    await until(async () => (await knex('jobs').where({ job_id: id }).first('parked')).parked);
    await folder.write(one, { 'module.js': working('back', 50) });
    await look();
    expect((await ended(id)).result.by).to.equal('back');
  });
});
