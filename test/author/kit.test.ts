import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { startTestHost } from '../kit/index.ts';
import { manifestOf, PackageFolder } from '../kit/package-folder.ts';

const project = path.resolve(import.meta.dirname, '../..');

interface Ended {
  readonly code: number;
  readonly printed: string;
}

const tsc = path.join(project, 'node_modules/typescript/bin/tsc');

/** Runs an npm script as somebody who stands in `cwd`. */
const npm = (script: string, args: readonly string[], cwd: string): Promise<Ended> =>
  run('npm', ['--prefix', project, 'run', '-s', script, '--', ...args], cwd);

const run = (command: string, args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd }, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, printed: `${stdout}${stderr}`.trim() });
    });
  });

/** Seconds that the machine worked for ended children of this process. */
async function machineSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime, in ticks of 10 ms.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

describe('the kit for authors of modules', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-author-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('leads from nothing to a served route with a passing test within a minute', async function () {
    this.timeout(300_000);
    const began = performance.now();
    const before = await machineSeconds().catch(() => null);
    const written = await npm('module:new', ['quick_start', 'here'], folder);
    expect(written.printed).to.match(/^quick_start: 12 files in .*here/);
    const checked = await npm('module:check', ['here'], folder);
    expect(checked).to.deep.equal({
      code: 0,
      printed:
        'quick_start 1.0.0 is well. It serves:\n  GET acme/quick-start/v1/notes\n  POST acme/quick-start/v1/notes',
    });
    const tested = await npm('mocha', [path.join(folder, 'here/test/*.test.ts')], folder);
    expect(tested.printed).to.match(/5 passing/);
    expect(tested.code).to.equal(0);
    const lyceum = await startTestHost({ package: path.join(folder, 'here') });
    try {
      const admin = lyceum.as(await lyceum.make.admin());
      await admin.put('svc/modules/v1/modules/quick_start', { enabled: true }).expect(200);
      await admin.get('acme/quick-start/v1/notes').expect(200, []);
    } finally {
      await lyceum.stop();
    }
    // What the machine worked, where it can be asked: others may use it too, and waiting is not the kit's.
    const seconds = before === null ? (performance.now() - began) / 1000 : (await machineSeconds()) - before;
    expect(seconds).to.be.below(60);
  });

  it('writes nothing over what is there, and no module of a wrong name', async () => {
    await writeFile(path.join(folder, 'mine.txt'), 'x');
    const full = await npm('module:new', ['polls', '.'], folder);
    expect(full.code).to.equal(1);
    expect(full.printed).to.match(/is not empty; name another one/);
    const wrong = await npm('module:new', ['My-Polls', 'there'], folder);
    expect(wrong.code).to.equal(1);
    expect(wrong.printed).to.match(/must match/);
    expect((await npm('module:new', [], folder)).printed).to.match(/npm run module:new <id>/);
    expect(await readdir(folder)).to.deep.equal(['mine.txt']);
  });

  it('leaves no word of the starter in a new module', async () => {
    await npm('module:new', ['word_check', 'm'], folder);
    for (const name of await readdir(path.join(folder, 'm'), { recursive: true })) {
      const text = await readFile(path.join(folder, 'm', name), 'utf8').catch(() => '');
      expect(`${name} ${text}`).to.not.match(/my.?module/i);
    }
  });

  it('lets the compiler find the types of the host from wherever the module lies', async function () {
    this.timeout(60_000);
    await npm('module:new', ['typed', 'typed'], folder);
    const typed = (): Promise<Ended> => run('node', [tsc, '-p', path.join(folder, 'typed')], folder);
    expect(await typed()).to.deep.equal({ code: 0, printed: '' });
    await writeFile(path.join(folder, 'typed', 'settings.ts'), 'export const settings: number = "none";\n');
    expect((await typed()).printed).to.match(/settings\.ts\(1,14\): error TS2322/);
  });

  describe('checks a module', () => {
    let packages: PackageFolder;
    beforeEach(async () => {
      packages = await PackageFolder.make();
    });
    afterEach(() => packages.remove());

    const check = async (source: string, manifest = manifestOf('checked', {}, {})): Promise<Ended> => {
      await packages.change('checked', { 'package.json': manifest, 'module.js': source });
      return npm('module:check', ['checked'], packages.path);
    };
    const declaring = (body: string): string =>
      `import { defineModule, defineMigration, yup } from '@lyceum/core';
       export default defineModule({ id: 'checked', title: 'x', namespaces: ['acme/checked/v1'], ${body} });`;

    it('and says everything at once', async () => {
      const { code, printed } = await check(
        declaring(`title: '', colour: 'red', postTypes: [{}], hooks: { begin() {} }, operations: [
          { id: 'checked.one', method: 'GOT', path: 'elsewhere/x', access: { public: 'x', can: 'y' }, errors: ['unheard_of'] },
          { id: 'checked.two', method: 'GET', path: 'acme/checked/v1/two', handle() {} },
        ]`),
      );
      expect(code).to.equal(1);
      const lines = printed
        .split('\n')
        .slice(1)
        .map((line) => line.trim().replace('manifest_invalid  ', ''));
      expect(lines.map((line) => line.split(': ')[0])).to.deep.equal([
        'colour',
        'title',
        'hooks.begin',
        'postTypes[0].id',
        'operations.checked.one.method',
        'operations.checked.one.path',
        'operations.checked.one.access',
        'operations.checked.one.handle',
        'operations.checked.one.errors',
        'operations.checked.two.access',
      ]);
    });

    for (const [what, source, manifest, expected] of [
      ['a broken package.json', '', '{', /manifest_invalid {2}package\.json is no JSON/],
      ['another version of the door', '', manifestOf('checked', {}, { api: 2 }), /api_mismatch/],
      ['a slip of the pen', 'export default {', undefined, /load_failed {2}SyntaxError.*module\.js:1/],
      ['an id of the host', '', manifestOf('modules', {}, {}), /id_conflict.*belongs to the package in/],
      [
        'a namespace of the host',
        declaring('').replace('acme/checked/v1', 'svc/host/v1'),
        undefined,
        /namespace_conflict.*"host"/,
      ],
      [
        'a migration that PostgreSQL refuses',
        declaring("migrations: [defineMigration({ id: '001', up: (trx) => trx.raw('create nonsense') })]"),
        undefined,
        /migration_failed.*nonsense/,
      ],
      [
        'a start that fails',
        declaring("hooks: { start() { throw new Error('not here'); } }"),
        undefined,
        /load_failed.*not here/,
      ],
    ] as const) {
      it(`and refuses ${what}`, async function () {
        this.timeout(60_000);
        const { code, printed } = await check(source, manifest);
        expect(printed).to.match(expected);
        expect(code).to.equal(1);
      });
    }

    it('and notes what is hardly meant', async function () {
      this.timeout(60_000);
      const { code, printed } = await check(
        declaring(`requires: ['nobody'], operations: [{ id: 'checked.one', method: 'GET', path: 'acme/checked/v1/one/{id}',
          access: { public: 'x' }, handle() {} }]`),
      );
      expect(code).to.equal(0);
      expect(printed).to.match(/note {2}requires: "nobody" is not installed/);
      expect(printed).to.match(/note {2}operations\.checked\.one\.input\.params: has no "id"/);
    });

    it('and says what is no module', async () => {
      const { code, printed } = await npm('module:check', ['nowhere'], packages.path);
      expect(code).to.equal(1);
      expect(printed).to.match(/manifest_missing/);
      expect((await npm('module:check', [], packages.path)).printed).to.match(
        /npm run module:check <folder>/,
      );
    });
  });
});
