import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import supertest from 'supertest';
import {
  type Client,
  killWorker,
  startServer,
  startTestHost,
  startWorker,
  type TestHost,
} from '../kit/index.ts';
import { PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const rescan = 'svc/modules/v1/modules/rescan';
const one = 'follow_one';
const two = 'follow_two';

const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};

/** Milliseconds until the address answers this. */
async function timeUntil(
  said: string | null,
  ask: () => Promise<{ body: { said?: string } }>,
): Promise<number> {
  const began = performance.now();
  await until(async () => ((await ask()).body.said ?? null) === said);
  return performance.now() - began;
}

describe('packages in a watched folder', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;

  beforeEach(async () => {
    folder = await PackageFolder.make();
    lyceum = await startTestHost({ modules: [one, two], folders: [folder.path], watch: true });
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const ask = (id: string) => async () => lyceum.anonymous.get(sayingPath(id));
  const errorOf = async (id: string): Promise<string | null> => {
    const admin = lyceum.as(await lyceum.make.admin());
    const { body } = await admin.get(`svc/modules/v1/modules/${id}`);
    return body.error?.code ?? null;
  };

  it('are served, replaced and forgotten by what happens to their files', async function () {
    this.timeout(60_000);
    await folder.write(one, { 'module.js': sayingModule(one, 'first') });
    const came = await timeUntil('first', ask(one));
    await folder.change(one, { 'module.js': sayingModule(one, 'second') });
    const changed = await timeUntil('second', ask(one));
    await folder.change(one, { '': null });
    const went = await timeUntil(null, ask(one));
    // A second of rest, and what a busy machine adds.
    for (const time of [came, changed, went]) expect(time).to.be.below(10_000);
  });

  it('are mended without a restart', async function () {
    this.timeout(60_000);
    await folder.write(one, { 'module.js': 'throw new Error("broken");' });
    await until(async () => (await errorOf(one)) === 'load_failed');
    await lyceum.anonymous.get('').expect(200);
    await folder.change(one, { 'module.js': sayingModule(one, 'mended') });
    await timeUntil('mended', ask(one));
    expect(await errorOf(one)).to.equal(null);
  });

  it('are waited for while they are copied, however slowly', async function () {
    this.timeout(60_000);
    await folder.write(one, { 'module.js': null });
    // The copy pauses for longer than a package is given to come to rest.
    await until(async () => (await errorOf(one)) === 'load_failed');
    await folder.change(one, { 'module.js': `import './part.js';\n${sayingModule(one, 'whole')}` });
    await folder.change(one, { 'part.js': 'export const part = 1;' });
    await timeUntil('whole', ask(one));
  });

  it('may be moved into the folder at a stroke, and be replaced by moving', async function () {
    this.timeout(60_000);
    const elsewhere = await PackageFolder.make();
    await elsewhere.write(one, { 'module.js': sayingModule(one, 'moved') });
    await rename(elsewhere.at(one), folder.at(one));
    await timeUntil('moved', ask(one));
    await elsewhere.write(one, { 'module.js': sayingModule(one, 'again') });
    await rename(folder.at(one), folder.at('.before'));
    await rename(elsewhere.at(one), folder.at(one));
    await timeUntil('again', ask(one));
    await elsewhere.remove();
  });

  it('are loaded when the package that they wait for has come', async function () {
    this.timeout(60_000);
    const main = `import { word } from '@lyceum/module/${two}';\n${sayingModule(one, 'both')}`;
    await folder.write(one, { 'module.js': main });
    await until(async () => (await errorOf(one)) === 'load_failed');
    await folder.write(two, { 'module.js': sayingModule(two, 'two'), 'api.js': "export const word = 'x';" });
    await timeUntil('both', ask(one));
  });

  it('are loaded when their dependencies have been installed', async function () {
    this.timeout(60_000);
    await folder.write(one, { 'module.js': `import 'needed';\n${sayingModule(one, 'whole')}` });
    await until(async () => (await errorOf(one)) === 'load_failed');
    await folder.change(one, {
      'node_modules/needed/package.json': '{ "name": "needed", "type": "module", "exports": "./index.js" }',
      'node_modules/needed/index.js': '',
      'node_modules/.package-lock.json': '{}',
    });
    await timeUntil('whole', ask(one));
  });
});

describe('packages among the dependencies of the installation', () => {
  let root: PackageFolder;
  const hosts: TestHost[] = [];

  beforeEach(async () => {
    root = await PackageFolder.make();
    const dependencies = { [`lyceum-module-${one}`]: '1.0.0', words: '1.0.0', gone: '1.0.0' };
    await writeFile(root.at('package.json'), JSON.stringify({ name: 'installation', dependencies }));
    await mkdir(root.at('node_modules'));
    await root.change('node_modules/words', { 'package.json': '{ "name": "words" }' });
  });
  afterEach(async () => {
    for (const host of hosts.splice(0).reverse()) await host.stop();
    await root.remove();
  });

  const boot = async (): Promise<TestHost> => {
    const [beside] = hosts;
    const host = await startTestHost({
      ...{ modules: [one], dependenciesOf: root.path },
      ...(beside ? { beside } : {}),
    });
    hosts.push(host);
    return host;
  };
  const install = async (said: string): Promise<void> => {
    const packages = await PackageFolder.make();
    await packages.write(one, {
      'package.json': JSON.stringify({
        ...{ name: `lyceum-module-${one}`, version: '1.0.0', type: 'module' },
        lyceum: { id: one, api: 1, main: './module.ts' },
      }),
      'module.ts': `const said: string = '${said}';\n${sayingModule(one, said)}`,
    });
    await cp(packages.at(one), root.at('node_modules', `lyceum-module-${one}`), { recursive: true });
    await packages.remove();
  };

  it('are found by their key, in TypeScript too, and tell of themselves as packages', async () => {
    await install('installed');
    const lyceum = await boot();
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'installed' });
    const admin = lyceum.as(await lyceum.make.admin());
    const { body } = await admin.get(`svc/modules/v1/modules/${one}`).expect(200);
    expect(body.source).to.equal('package');
    const { body: result } = await admin.post(rescan).expect(200);
    expect(result).to.deep.equal({ loaded: [], updated: [], removed: [], errors: [] });
  });

  it('are followed by every process when one has looked: nobody watches them', async () => {
    const first = await boot();
    const second = await boot();
    const admin = first.as(await first.make.admin());
    const ask = async () => second.anonymous.get(sayingPath(one));
    await install('new');
    expect((await admin.post(rescan).expect(200)).body.loaded).to.deep.equal([one]);
    await timeUntil('new', ask);
    await install('newer');
    expect((await admin.post(rescan).expect(200)).body.updated).to.deep.equal([one]);
    await timeUntil('newer', ask);
    // One look, one row: those who follow have nothing to tell.
    const { body } = await admin.get('svc/modules/v1/audit?action=module.rescan').expect(200);
    expect(body).to.have.length(2);
  });

  it('are seen with the next request by a process that missed the notice', async () => {
    const first = await boot();
    const second = await boot();
    const admin = first.as(await first.make.admin());
    await second.anonymous.get('').expect(200);
    // Without its listener the process is deaf.
    await first.host.db.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'lyceum listener'`,
    );
    await install('new');
    await admin.post(rescan).expect(200);
    await timeUntil('new', async () => second.anonymous.get(sayingPath(one)));
  });
});

describe('packages and the processes of an installation', () => {
  it('are the same in servers and workers, whichever looked first', async function () {
    this.timeout(120_000);
    const folder = await PackageFolder.make();
    const lyceum = await startTestHost({ modules: [one], folders: [folder.path] });
    const folders = { HOST_FOLDERS: folder.path };
    const server = await startServer(lyceum, [one], folders);
    const worker = await startWorker(lyceum, [one], folders);
    try {
      const admin: Client = lyceum.as(await lyceum.make.admin());
      const ask = () => async () => supertest(server.origin).get(`/api/${sayingPath(one)}`);
      const version = (word: string) =>
        sayingModule(one, word)
          .replace(
            "from '@lyceum/core'",
            "from '@lyceum/core';\nimport { callerOf, Database, defineJob, Jobs } from '@lyceum/core'",
          )
          .replace(
            'export default',
            `const tell = defineJob({ id: '${one}.tell', title: 'x', run: async () => ({ by: '${word}', process: process.pid }) });
             const begin = defineOperation({ id: '${one}.begin', method: 'POST', path: 'test/follow-one/v1/begin', access: { signedIn: true },
               output: yup.object({ job_id: yup.string() }),
               handle: (_, call) => call.get(Database).transaction((trx) => call.get(Jobs).enqueue(trx,
                 { type: '${one}.tell', payload: {}, site: call.site, userId: callerOf(call).id, startAfterSeconds: 0 })) });
             export default`,
          )
          .replace('operations: [say]', 'operations: [say, begin], jobs: [tell]');
      const work = async (): Promise<{ by: string; process: number }> => {
        const { job_id } = (await admin.post('test/follow-one/v1/begin').expect(200)).body;
        for (;;) {
          const row = await lyceum.host.db.knex('jobs').where({ job_id }).first();
          if (row.status === 'completed') return row.result;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await folder.write(one, { 'module.js': version('first') });
      await admin.post(rescan).expect(200);
      await timeUntil('first', ask());
      expect(await work()).to.deep.equal({ by: 'first', process: worker.pid });

      await folder.change(one, { 'module.js': version('second') });
      await admin.post(rescan).expect(200);
      await timeUntil('second', ask());
      await until(async () => (await work()).by === 'second');

      await folder.change(one, { 'module.js': 'throw new Error("broken");' });
      expect((await admin.post(rescan).expect(200)).body.errors).to.have.length(1);
      expect((await ask()()).body).to.deep.equal({ said: 'second' });

      await folder.change(one, { '': null });
      expect((await admin.post(rescan).expect(200)).body.removed).to.deep.equal([one]);
      await timeUntil(null, ask());
    } finally {
      await killWorker(server.child);
      await killWorker(worker);
      await lyceum.stop();
      await folder.remove();
    }
  });
});
