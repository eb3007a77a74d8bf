import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { type Client, startTestHost, type TestHost, testModules } from '../kit/index.ts';

const packages = new URL('./packages', import.meta.url).pathname;
const modules = 'svc/modules/v1/modules';
const base = 'test/cell/v1';

/** The slowest of a hundred answers of another module, while `busy` lasts. */
async function slowest(lyceum: TestHost, busy: Promise<unknown>): Promise<{ p99: number; answers: number }> {
  let over = false;
  busy.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const began = performance.now();
    const { status } = await fetch(`${lyceum.origin}/api/test/probe/v1/open`);
    times.push(performance.now() - began);
    expect(status).to.equal(200);
  }
  times.sort((a, b) => a - b);
  return { p99: times[Math.floor(times.length * 0.99)] ?? 0, answers: times.length };
}

describe('a worker that is lost', function () {
  // A loop is ended after five silent seconds.
  this.timeout(60_000);
  let lyceum: TestHost;
  let admin: Client;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['test_cell', 'probe'], folders: [packages, testModules] });
    admin = lyceum.as(await lyceum.make.admin());
    await admin.put(`${modules}/test_cell`, { enabled: true }).expect(200);
  });
  afterEach(() => lyceum.stop());

  const breaks = (how: string) => lyceum.anonymous.post(`${base}/break/${how}`);
  const worker = async (): Promise<number> =>
    (await lyceum.anonymous.get(`${base}/facts`).expect(200)).body.process;
  const places = async (): Promise<string[]> =>
    (await lyceum.host.db.knex('module_crashes').orderBy('id').pluck('place')) as string[];

  it('by process.exit is replaced at once; requests in it are 503', async () => {
    const first = await worker();
    const [ended, beside] = await Promise.all([breaks('exit'), lyceum.anonymous.post(`${base}/break/never`)]);
    expect([ended.status, ended.body.code]).to.deep.equal([503, 'module_unavailable']);
    expect(ended.headers['retry-after']).to.equal('1');
    expect(beside.status).to.be.oneOf([503, 504]);
    expect(await worker()).not.to.equal(first);
    expect(await places()).to.include('its worker (exit with code 0)');
  });

  it('goes on when what it throws can neither be read nor told', async () => {
    for (const how of ['unreadable', 'wordless']) {
      const { status, body } = await breaks(how);
      expect([status, body.code], how).to.deep.equal([500, 'internal_error']);
    }
    expect(await places()).to.deep.equal(['test_cell.break-unreadable', 'test_cell.break-wordless']);
  });

  it('by an endless loop costs the others nothing', async () => {
    const first = await worker();
    const looping = breaks('loop').then((answer) => answer);
    const { p99, answers } = await slowest(lyceum, looping);
    expect((await looping).body.code).to.equal('module_unavailable');
    expect(await worker()).not.to.equal(first);
    expect(await places()).to.deep.equal(['its worker (no heartbeat for 5 s)']);
    expect(answers).to.be.greaterThan(100);
    expect(p99).to.be.lessThan(250);
  });

  for (const how of ['leak', 'buffers']) {
    it(`by a leak (${how}) costs the others nothing`, async () => {
      const leaking = breaks(how).then((answer) => answer);
      const { p99 } = await slowest(lyceum, leaking);
      expect((await leaking).body.code).to.equal('module_unavailable');
      // On a machine that is busy enough, memory grows more slowly than patience.
      expect((await places()).join()).to.match(
        /^its worker \((memory beyond 128 MiB|no heartbeat for 5 s)\)$/,
      );
      await worker();
      expect(p99).to.be.lessThan(250);
    });
  }

  it('three times within an hour is the end of its module, until somebody switches it on', async () => {
    for (let time = 0; time < 3; time += 1) await breaks('exit').expect(503);
    await breaks('exit').expect(404);
    const { body } = await admin.get(`${modules}/test_cell`).expect(200);
    expect(body).to.deep.include({ enabled: false, reason: 'error' });
    expect(body.error.code).to.equal('crashed');
    await admin.put(`${modules}/test_cell`, { enabled: true }).expect(200);
    await worker();
  });

  it('is no matter of what handlers do wrong, which is counted as in process', async () => {
    const first = await worker();
    await breaks('throw').expect(500);
    await breaks('never').expect(504);
    expect(await places()).to.deep.equal([
      'test_cell.break-throw',
      'test_cell.break-never (no answer in time)',
    ]);
    expect(await worker()).to.equal(first);
    await breaks('unfit').expect(500);
    await breaks('unfit').expect(404);
  });

  it('is no matter of errors that nobody waits for, which are counted', async () => {
    const first = await worker();
    await breaks('stray').expect(200);
    while ((await places()).length < 2) await soon();
    expect((await places()).sort()).to.deep.equal(['a floating rejection', 'an uncaught exception']);
    expect(await worker()).to.equal(first);
  });
});

describe('the process of a worker', function () {
  this.timeout(60_000);

  it('ends with its host, however that ends and whatever it does', async () => {
    const lyceum = await startTestHost({ modules: ['test_cell'], folders: [packages] });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      await admin.put(`${modules}/test_cell`, { enabled: true }).expect(200);
      const host = fork(path.join(import.meta.dirname, '../kit/stray-process.ts'), {
        env: {
          ...process.env,
          DATABASE_URL: lyceum.database.url,
          DATA_DIR: lyceum.dataDir,
          HOST_FOLDER: packages,
          HOST_MODULES: 'host,modules,test_cell',
        },
      });
      const [{ port }] = (await once(host, 'message')) as [{ port: number }];
      const url = `http://127.0.0.1:${port}/api/${base}`;
      const facts = (await (await fetch(`${url}/facts`)).json()) as { process: number };
      const looping = fetch(`${url}/break/loop`, { method: 'POST' }).catch(() => null);
      // Nobody answers any more: it is in its loop.
      await fetch(`${url}/facts`, { signal: AbortSignal.timeout(1_500) }).catch(() => null);
      host.kill('SIGKILL');
      await looping;
      const lives = (): boolean => {
        try {
          return process.kill(facts.process, 0);
        } catch {
          return false;
        }
      };
      while (lives()) await soon();
    } finally {
      await lyceum.stop();
    }
  });
});

describe('a job in a worker that is lost', function () {
  this.timeout(60_000);

  it('is tried again, and goes on where it was', async () => {
    const lyceum = await startTestHost({
      modules: ['test_cell'],
      folders: [packages],
      config: { workers: 'inline' },
    });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      await admin.put(`${modules}/test_cell`, { enabled: true }).expect(200);
      const { body } = await admin.post(`${base}/services`, { note: 'exit' }).expect(200);
      for (;;) {
        const job = await lyceum.host.db.knex('jobs').where('job_id', body.job).first();
        if (job.completed_at !== null) {
          expect(job).to.deep.include({ status: 'completed', tries: 1 });
          break;
        }
        await soon();
      }
      expect(await lyceum.host.db.knex('module_crashes').pluck('place')).to.deep.equal([
        'its worker (exit with code 1)',
      ]);
    } finally {
      await lyceum.stop();
    }
  });
});

describe('packages that ask for a worker', function () {
  this.timeout(60_000);

  it('never run in the process of the host, and say what is wrong with them', async () => {
    const folder = path.join(import.meta.dirname, 'isolated-packages');
    const ids = [
      'looping',
      'leaving',
      'custom_setting',
      'rules',
      'bad_heap',
      'bad_word',
      'throwing',
      'late_start',
      'lost_step',
    ];
    const began = performance.now();
    const booting = startTestHost({ modules: ids.map((id) => `cell_${id}`), folders: [folder] });
    // The host goes on while a worker loops.
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 10);
    const lyceum = await booting;
    clearInterval(ticking);
    try {
      expect(turns).to.be.greaterThan((performance.now() - began) / 100);
      const admin = lyceum.as(await lyceum.make.admin());
      const { body } = await admin.get(modules).expect(200);
      const errors = Object.fromEntries(
        (body as { id: string; error: { code: string; message: string } | null }[])
          .filter(({ error }) => error)
          .map(({ id, error }) => [id.slice(5), `${error?.code}: ${error?.message}`]),
      );
      expect(errors).to.have.all.keys(ids);
      expect(errors.looping).to.match(/^load_failed: Error: Loading took longer than 10 s\./);
      expect(errors.leaving).to.match(/^load_failed: Error: The worker ended: exit with code 7\./);
      expect(errors.custom_setting).to.match(
        /^manifest_invalid: settings\.word\.schema: the test "matches" would run/,
      );
      expect(errors.rules).to.match(/^manifest_invalid: settingRules: /);
      expect(errors.bad_heap).to.equal(
        'manifest_invalid: lyceum.heapMb: must be an integer from 64 to 8192.',
      );
      expect(errors.bad_word).to.equal('manifest_invalid: lyceum.isolation: must be "worker".');
      expect(errors.late_start).to.match(/^load_failed: start: /);
      expect(errors.lost_step).to.match(/^migration_failed: Migration 001-exit: /);
      expect(errors.throwing).to.match(
        /^load_failed: Error: as the test wants it \(.*throwing\/module\.ts:1\)$/,
      );
    } finally {
      await lyceum.stop();
    }
  });
});
