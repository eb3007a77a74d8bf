import { chmod, rename, symlink } from 'node:fs/promises';
import { expect } from 'chai';
import type { Client, TestHost } from '../kit/index.ts';
import { startTestHost } from '../kit/index.ts';
import { manifestOf, PackageFolder, sayingModule, sayingPath } from '../kit/package-folder.ts';

const rescan = 'svc/modules/v1/modules/rescan';
const one = 'found_one';
const two = 'found_two';

const manifest = (changes: object, lyceum: object = {}): string => manifestOf(one, changes, lyceum);

const declaring = (body: string): string =>
  `import { defineModule, defineOperation, defineMigration, yup } from '@lyceum/core';
   export default defineModule({ id: '${one}', title: 'One', namespaces: ['test/found-one/v1'], ${body} });`;

describe('packages in a folder', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    folder = await PackageFolder.make();
    lyceum = await startTestHost({ modules: [one, two], folders: [folder.path] });
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const look = async () => (await admin.post(rescan).expect(200)).body;
  const recordOf = async (id: string) => (await admin.get(`svc/modules/v1/modules/${id}`).expect(200)).body;

  describe('that came while the host runs', () => {
    it('are served after a rescan, and switched, described and listed like all others', async () => {
      await lyceum.anonymous.get(sayingPath(one)).expect(404);
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      expect(await look()).to.deep.equal({ loaded: [one], updated: [], removed: [], errors: [] });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'hello' });
      const record = await recordOf(one);
      expect(record).to.include({ id: one, source: 'folder', version: '1.0.0', enabled: true, error: null });
      const { body } = await lyceum.anonymous.get('openapi.json').expect(200);
      expect(body.paths).to.have.property(`/${sayingPath(one)}`);
      await admin.put(`svc/modules/v1/modules/${one}`, { enabled: false }).expect(200);
      await lyceum.anonymous.get(sayingPath(one)).expect(404);
    });

    it('may be TypeScript, use their own dependencies, and be linked into the folder', async () => {
      const elsewhere = await PackageFolder.make();
      await elsewhere.write(one, {
        'package.json': manifest({}, { main: './module.ts' }),
        'module.ts': `import { words } from 'words';\nconst said: string = words;\n${sayingModule(one, '').replace("said: ''", 'said')}`,
        'node_modules/words/package.json': '{ "name": "words", "type": "module", "exports": "./index.js" }',
        'node_modules/words/index.js': "export const words = 'own';",
      });
      await symlink(elsewhere.at(one), folder.at('linked'));
      expect(await look()).to.deep.include({ loaded: [one], errors: [] });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'own' });
      await elsewhere.remove();
    });

    it('are on once the command that they wait for is there, too', async () => {
      const main = sayingModule(one, 'tool')
        .replace("from '@lyceum/core'", "from '@lyceum/core';\nimport { commandFound } from '@lyceum/core'")
        .replace(
          'operations:',
          "conditions: [{ id: 'tool', title: 'The tool', when: commandFound('lyceum-found-tool') }], operations:",
        );
      await folder.write(one, { 'module.js': main });
      await look();
      expect((await recordOf(one)).reason).to.equal('condition');
      await folder.change('tool', { 'package.json': '{}', run: '#!/bin/sh\n' });
      await chmod(folder.at('tool', 'run'), 0o755);
      process.env.LYCEUM_FOUND_TOOL_PATH = folder.at('tool', 'run');
      try {
        await look();
        expect((await recordOf(one)).enabled).to.equal(true);
      } finally {
        delete process.env.LYCEUM_FOUND_TOOL_PATH;
      }
    });

    it('are nothing new to who looks again', async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      const [first, second] = await Promise.all([look(), look()]);
      const loaded = [...first.loaded, ...second.loaded];
      expect(loaded).to.deep.equal([one]);
    });

    it('are forgotten when they go, and free their names at once', async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      await look();
      await folder.change(one, { '': null });
      await folder.write(two, {
        'module.js': sayingModule(two, 'two').replaceAll('test/found-two/v1', 'test/found-one/v1'),
      });
      expect(await look()).to.deep.equal({ loaded: [two], updated: [], removed: [one], errors: [] });
      await admin.get(`svc/modules/v1/modules/${one}`).expect(404);
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'two' });
    });

    it('leave their data, their state and their settings when they go, and find them when they are back', async () => {
      const files = {
        'module.js': declaring(`
          settings: { word: { schema: yup.string(), default: 'none', scope: 'site' } },
          migrations: [defineMigration({ id: '001', up: (trx) => trx.raw('create table found_rows (n integer)') })]`),
      };
      await folder.write(one, files);
      await look();
      await admin.put(`svc/modules/v1/modules/${one}`, { enabled: true }).expect(200);
      await admin.patch(`svc/modules/v1/modules/${one}/settings`, { settings: { word: 'kept' } }).expect(200);
      await lyceum.host.db.knex('found_rows').insert({ n: 7 });
      await folder.change(one, { '': null });
      await look();
      await folder.write(one, files);
      expect((await look()).loaded).to.deep.equal([one]);
      expect((await recordOf(one)).enabled).to.equal(true);
      const { body } = await admin.get(`svc/modules/v1/modules/${one}/settings`).expect(200);
      expect(body.settings).to.deep.equal({ word: 'kept' });
      expect(await lyceum.host.db.knex('found_rows').pluck('n')).to.deep.equal([7]);
    });
  });

  describe('that cannot be used', () => {
    it('are no module without a package.json that has the key', async () => {
      await folder.change('notes', { 'readme.txt': 'nothing' });
      await folder.change('other', { 'package.json': '{ "name": "other" }' });
      const { errors } = await look();
      expect(errors.map(({ path, id, code }: Record<string, unknown>) => [path, id, code])).to.deep.equal([
        [folder.at('notes'), null, 'manifest_missing'],
        [folder.at('other'), null, 'manifest_missing'],
      ]);
    });

    it('are refused when another package has the id: the first one keeps it, whatever its name', async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'first') });
      await look();
      await folder.write(one, { 'module.js': null, 'package.json': null });
      await folder.change(one, { 'package.json': manifest({}), 'module.js': sayingModule(one, 'first') });
      await folder.change('a_before', {
        'package.json': manifest({}),
        'module.js': sayingModule(one, 'second'),
      });
      const { errors } = await look();
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include({ path: folder.at('a_before'), id: one, code: 'id_conflict' });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'first' });
      await folder.change(one, { '': null });
      expect(await look()).to.deep.include({ updated: [one], removed: [], errors: [] });
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'second' });
    });

    it('cannot take the id of a module of the host', async () => {
      await folder.change('modules', {
        'package.json': manifest({}, { id: 'modules' }),
        'module.js': sayingModule(one, 'x'),
      });
      const { errors } = await look();
      expect(errors[0]).to.include({ id: 'modules', code: 'id_conflict' });
      expect((await recordOf('modules')).error).to.equal(null);
    });

    it('are tried again when what they lacked has come', async () => {
      await folder.write(one, {
        'module.js': `import { word } from '@lyceum/module/${two}';\n${sayingModule(one, 'x')}`,
      });
      expect((await look()).errors).to.have.length(1);
      await folder.write(two, {
        'module.js': sayingModule(two, 'two'),
        'api.js': "export const word = 'x';",
      });
      expect(await look()).to.deep.equal({ loaded: [one, two], updated: [], removed: [], errors: [] });
    });
  });

  describe('whose folder is itself a package', () => {
    it('are that package, which stays when its package.json breaks', async () => {
      await folder.change('.', { 'package.json': manifest({}), 'module.js': sayingModule(one, 'alone') });
      expect((await look()).loaded).to.deep.equal([one]);
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'alone' });
      await folder.change('.', { 'package.json': '{' });
      const { removed, errors } = await look();
      expect(removed).to.deep.equal([]);
      expect(errors[0].message).to.match(/cannot be read \(package\.json: .*What is loaded from it stays/);
      await lyceum.anonymous.get(sayingPath(one)).expect(200, { said: 'alone' });
    });
  });

  describe('that cannot be reached', () => {
    it('go on being served while their folder is away', async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      await look();
      await rename(folder.path, `${folder.path}-away`);
      try {
        const result = await look();
        expect(result.removed).to.deep.equal([]);
        expect(result.errors[0]).to.include({ path: folder.path, id: null, code: 'load_failed' });
        await lyceum.anonymous.get(sayingPath(one)).expect(200);
      } finally {
        await rename(`${folder.path}-away`, folder.path);
      }
      expect((await look()).errors).to.deep.equal([]);
    });

    it('are named with the reason when they may not be read', async function () {
      // Nothing is closed to root.
      if (process.getuid?.() === 0) return this.skip();
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      await chmod(folder.at(one), 0o000);
      const { errors } = await look();
      await chmod(folder.at(one), 0o755);
      expect(errors[0]).to.include({ path: folder.at(one), code: 'load_failed' });
    });

    it('are refused when they are larger than any package', async function () {
      this.timeout(60_000);
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`data/${n}.txt`, '']));
      await folder.change(one, files);
      const { errors } = await look();
      expect(errors[0]).to.include({ id: one, code: 'load_failed' });
      expect(errors[0].message).to.match(/more than 10000 files .*keep data elsewhere/);
    });
  });

  describe('and who may have them read', () => {
    it('are administrators of the network', async () => {
      await lyceum.anonymous.post(rescan).expect(401);
      const owner = lyceum.as(await lyceum.make.user({ role: 'administrator' }));
      expect((await owner.post(rescan).expect(403)).body.code).to.equal('rest_forbidden');
    });

    it('is noted, with versions, and not when nothing changed', async () => {
      await folder.write(one, { 'module.js': sayingModule(one, 'hello') });
      await look();
      await look();
      await folder.write(one, { 'module.js': 'throw 1' });
      await look();
      await look();
      const { body } = await admin.get('svc/modules/v1/audit?action=module.').expect(200);
      const rows = body.map(({ action, subject, user_login, from, to }: Record<string, unknown>) => ({
        ...{ action, subject, user_login, from, to },
      }));
      expect(rows).to.deep.equal([
        {
          action: 'module.error',
          subject: `module:${one}`,
          user_login: 'admin',
          from: null,
          to: { code: 'load_failed', message: 'Loading threw 1.' },
        },
        {
          action: 'module.rescan',
          subject: 'installation:1',
          user_login: 'admin',
          from: { [one]: null },
          to: { [one]: '1.0.0' },
        },
      ]);
    });
  });
});
