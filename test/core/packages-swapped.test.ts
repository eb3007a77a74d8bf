import { expect } from 'chai';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import { PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const rescan = 'svc/modules/v1/modules/rescan';
const one = 'swap_one';
const two = 'swap_two';

/** What packages of these tests tell: they run in the process of the test. */
const heard: string[] = [];
Object.assign(globalThis, { swapHeard: heard });

describe('a package that changes while it is served', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    folder = await PackageFolder.make();
    lyceum = await startTestHost({ modules: [one, two], folders: [folder.path] });
    admin = lyceum.as(await lyceum.make.admin());
    heard.length = 0;
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const look = async () => (await admin.post(rescan).expect(200)).body;
  const recordOf = async (id: string) => (await admin.get(`svc/modules/v1/modules/${id}`).expect(200)).body;
  const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  };

  it('takes the place of its predecessor', async () => {
    await folder.write(one, { 'module.js': sayingModule(one, 'old') });
    await look();
    await folder.change(one, { 'module.js': sayingModule(one, 'new') });
    expect(await look()).to.deep.equal({ loaded: [], updated: [one], removed: [], errors: [] });
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'new' });
    expect((await recordOf(one)).title).to.equal('Says new');
  });

  it('is changed by any of its files, but not by its dependencies nor by dot files', async () => {
    const main = `import { word } from './words/word.js';\n${sayingModule(one, 'x').replace("said: 'x'", 'said: word')}`;
    await folder.write(one, { 'module.js': main, 'words/word.js': "export const word = 'old';" });
    await look();
    await folder.change(one, { '.notes': 'x', 'node_modules/x/index.js': '1' });
    expect((await look()).updated).to.deep.equal([]);
    await folder.change(one, { 'words/word.js': "export const word = 'new';" });
    expect((await look()).updated).to.deep.equal([one]);
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'new' });
  });

  it('brings CommonJS and JSON files of its own along', async () => {
    const main = `import word from './word.cjs';
        import more from './more.json' with { type: 'json' };
        ${sayingModule(one, 'x').replace("said: 'x'", 'said: word + more.word')}`;
    const files = (word: string) => ({
      'word.cjs': "module.exports = require('./deeper.cjs');",
      'deeper.cjs': `module.exports = '${word}';`,
      'more.json': JSON.stringify({ word }),
    });
    await folder.write(one, { 'module.js': main, ...files('a') });
    await look();
    await folder.change(one, files('b'));
    await look();
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'bb' });
  });

  for (const [what, broken] of [
    ['does not load', 'throw new Error("broken");'],
    ['claims what another module has', sayingModule(one, 'x').replaceAll('test/swap-one/v1', 'svc/host/v1')],
    [
      'does not start',
      sayingModule(one, 'x').replace(
        'operations:',
        "hooks: { start() { throw new Error('no'); } }, operations:",
      ),
    ],
    [
      'cannot be migrated',
      sayingModule(one, 'x').replace(
        'operations:',
        "migrations: [{ id: '001', up: (trx) => trx.raw('nonsense') }], operations:",
      ),
    ],
  ] as const) {
    it(`stays as it was when its successor ${what}, says so, and is replaced once that is mended`, async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'old') });
      await look();
      const manifest = { name: 'x', version: '2.0.0', type: 'module' };
      const lyceumKey = { lyceum: { id: one, api: 1, main: './module.js' } };
      await folder.change(one, {
        'module.js': broken,
        'package.json': JSON.stringify({ ...manifest, ...lyceumKey }),
      });
      const failed = await look();
      expect(failed).to.deep.include({ loaded: [], updated: [], removed: [] });
      expect(failed.errors).to.have.length(1);
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'old' });
      const record = await recordOf(one);
      expect(record).to.include({ title: 'Says old', version: '1.0.0', enabled: true, reason: null });
      expect(record.error.code).to.equal(failed.errors[0].code);

      await folder.change(one, { 'module.js': sayingModule(one, 'new') });
      expect(await look()).to.deep.equal({ loaded: [], updated: [one], removed: [], errors: [] });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'new' });
      expect(await recordOf(one)).to.include({ version: '2.0.0', error: null });
    });
  }

  it('stays as it was when its package.json breaks, and says so', async () => {
    await folder.write(one, { 'module.js': sayingModule(one, 'old') });
    await look();
    await folder.change(one, { 'package.json': '{ "name": ' });
    const { removed, errors } = await look();
    expect(removed).to.deep.equal([]);
    expect(errors[0].code).to.equal('manifest_invalid');
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'old' });
    expect((await recordOf(one)).error.code).to.equal('manifest_invalid');
  });

  it('answers wholly as before or wholly as after, whatever asks while it is replaced', async function () {
    this.timeout(60_000);
    const version = (n: number) => ({
      'word.js': `export const word = 'v${n}';`,
      'store.js': `import { word } from './word.js'; export class Store { word = word; }`,
      'module.js': `
          import { defineModule, defineOperation, fail, yup } from '@lyceum/core';
          import { setTimeout as wait } from 'node:timers/promises';
          import { Store } from './store.js';
          const output = yup.object({ declared: yup.string(), stored: yup.string(), set: yup.string(), may: yup.boolean(), only${n}: yup.string() });
          export default defineModule({
            id: '${one}', title: 'v${n}', namespaces: ['test/swap-one/v1'], defaultEnabled: true,
            capabilities: { swap_v${n}: { title: 'x', roles: ['subscriber'] } },
            settings: { word: { schema: yup.string(), default: 'v${n}', scope: 'site' } },
            errors: { swap_refused_v${n}: { status: ${n % 2 ? 409 : 422}, message: 'Refused by v${n}.' } },
            services: (provide) => [provide(Store, [], () => new Store())],
            operations: [
              defineOperation({ id: '${one}.tell', method: 'GET', path: 'test/swap-one/v1/tell', access: { can: 'swap_v${n}' }, output,
                handle: async (_, call) => { await wait(Math.random() * 20);
                  return { declared: 'v${n}', stored: call.get(Store).word, set: call.setting('word'), may: call.can('swap_v${n}'), only${n}: 'v${n}' }; } }),
              defineOperation({ id: '${one}.refuse', method: 'GET', path: 'test/swap-one/v1/refuse', access: { public: 'tests' }, errors: ['swap_refused_v${n}'],
                handle: async () => { await wait(Math.random() * 20); fail('swap_refused_v${n}'); } }),
            ],
          });`,
    });
    await folder.write(one, version(0));
    await look();
    const reader = lyceum.as(await lyceum.make.user({ role: 'subscriber' }));
    const wrong: unknown[] = [];
    const versions = new Set<string>();
    let going = true;
    const ask = async (): Promise<void> => {
      while (going) {
        const told = await reader.get('test/swap-one/v1/tell');
        const v: string = told.body.declared;
        const whole = { declared: v, stored: v, set: v, may: true, [`only${v?.slice(1)}`]: v };
        if (told.status !== 200 || JSON.stringify(told.body) !== JSON.stringify(whole)) wrong.push(told.body);
        versions.add(v);
        const { status, body } = await reader.get('test/swap-one/v1/refuse');
        const n = Number(/^swap_refused_v(\d+)$/.exec(body.code)?.[1]);
        if (status !== (n % 2 ? 409 : 422) || body.message !== `Refused by v${n}.`) wrong.push(body);
      }
    };
    const asking = Array.from({ length: 8 }, ask);
    for (let n = 1; n <= 12; n += 1) {
      await folder.change(one, version(n));
      expect((await look()).updated).to.deep.equal([one]);
    }
    going = false;
    await Promise.all(asking);
    expect(wrong).to.deep.equal([]);
    expect(versions.size).to.be.greaterThan(3);
  });

  it('begins before its predecessor ends, which waits for the last request in it', async () => {
    const version = (word: string) =>
      sayingModule(one, word)
        .replace(
          `handle: () => ({ said: '${word}' })`,
          `handle: async () => { swapHeard.push('in ${word}'); await globalThis.swapGate${word}; return { said: '${word}' }; }`,
        )
        .replace(
          'operations:',
          `hooks: { start() { swapHeard.push('start ${word}'); }, stop() { swapHeard.push('stop ${word}'); } }, operations:`,
        );
    const gate = Promise.withResolvers<void>();
    Object.assign(globalThis, { swapGateold: gate.promise, swapGatenew: Promise.resolve() });
    await folder.write(one, { 'module.js': version('old') });
    await look();
    const slow = lyceum.anonymous.get(sayingPath(one)).then((answer) => answer);
    await until(() => heard.includes('in old'));
    await folder.change(one, { 'module.js': version('new') });
    await look();
    await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'new' });
    expect(heard).to.deep.equal(['start old', 'in old', 'start new', 'in new']);
    gate.resolve();
    expect((await slow).body).to.deep.equal({ said: 'old' });
    await until(() => heard.length > 4);
    expect(heard[4]).to.equal('stop old');
  });

  describe('and that others build on', () => {
    const base = (word: string) => ({
      'api.js': `export class Words { word = '${word}'; }`,
      'module.js': sayingModule(one, word)
        .replace('const say', "import { Words } from './api.js';\nconst say")
        .replace(
          'operations:',
          'services: (provide) => [provide(Words, [], () => new Words())], operations:',
        ),
    });
    const built = {
      'module.js': `import { Words } from '@lyceum/module/${one}';\n${sayingModule(two, 'x')
        .replace('handle: () =>', 'handle: (_, call) =>')
        .replace("said: 'x'", 'said: call.get(Words).word')
        .replace('operations:', `requires: ['${one}'], operations:`)}`,
    };

    it('takes them along', async () => {
      await folder.write(one, base('old'));
      await folder.write(two, built);
      await look();
      await lyceum.anonymous.get(sayingPath(two)).expect(200, { said: 'old' });
      await folder.change(one, base('new'));
      expect(await look()).to.deep.equal({ loaded: [], updated: [one], removed: [], errors: [] });
      await lyceum.anonymous.get(sayingPath(two)).expect(200, { said: 'new' });
    });

    it('stays as it was when they cannot follow, and goes with them when they can', async () => {
      await folder.write(one, base('old'));
      await folder.write(two, built);
      await look();
      await folder.change(one, {
        'api.js': 'export class Renamed {}',
        'module.js': sayingModule(one, 'new'),
      });
      const { updated, errors } = await look();
      expect(updated).to.deep.equal([]);
      expect(errors.map(({ id }: { id: string }) => id)).to.deep.equal([one, two]);
      expect(errors[0].message).to.match(/It waits: the new code of "swap_two"/);
      expect(errors[1].message).to.match(/does not provide an export named 'Words'/);
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'old' });
      await lyceum.anonymous.get(sayingPath(two)).expect(200, { said: 'old' });
      await folder.change(two, { 'module.js': sayingModule(two, 'alone') });
      const mended = await look();
      expect(mended).to.deep.equal({ loaded: [], updated: [one, two], removed: [], errors: [] });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'new' });
      await lyceum.anonymous.get(sayingPath(two)).expect(200, { said: 'alone' });
    });

    it('turns them off when it goes, and on when it is back', async () => {
      await folder.write(one, base('old'));
      await folder.write(two, built);
      await look();
      await folder.change(one, { '': null });
      expect(await look()).to.deep.equal({ loaded: [], updated: [], removed: [one], errors: [] });
      await lyceum.anonymous.get(sayingPath(two)).expect(404);
      expect((await recordOf(two)).reason).to.equal('requires');
      await folder.write(one, base('back'));
      expect((await look()).loaded).to.deep.equal([one]);
      await lyceum.anonymous.get(sayingPath(two)).expect(200, { said: 'back' });
    });
  });
});
