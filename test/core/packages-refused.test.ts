import { expect } from 'chai';
import { type Client, startTestHost, type TestHost } from '../kit/index.ts';
import {
  manifestOf,
  type PackageFiles,
  PackageFolder,
  sayingModule,
  sayingPath,
} from '../kit/package-folder.ts';

const rescan = 'svc/modules/v1/modules/rescan';
const one = 'found_one';

const manifest = (changes: object, lyceum: object = {}): string => manifestOf(one, changes, lyceum);

const declaring = (body: string): string =>
  `import { defineModule, defineOperation, defineMigration, yup } from '@lyceum/core';
   export default defineModule({ id: '${one}', title: 'One', namespaces: ['test/found-one/v1'], ${body} });`;

describe('packages that cannot be used', () => {
  let folder: PackageFolder;
  let lyceum: TestHost;
  let admin: Client;

  beforeEach(async () => {
    folder = await PackageFolder.make();
    lyceum = await startTestHost({ modules: [one], folders: [folder.path] });
    admin = lyceum.as(await lyceum.make.admin());
  });
  afterEach(async () => {
    await lyceum.stop();
    await folder.remove();
  });

  const look = async () => (await admin.post(rescan).expect(200)).body;
  const recordOf = async (id: string) => (await admin.get(`svc/modules/v1/modules/${id}`).expect(200)).body;

  const say = sayingModule(one, 'hello');
  const operation = (text: string): string =>
    declaring(`operations: [defineOperation({ id: '${one}.x', method: 'GET', path: 'test/found-one/v1/x',
        access: { public: 'tests' }, handle: () => null, ${text} })]`);
  const table: readonly (readonly [what: string, files: PackageFiles, code: string, message: RegExp])[] = [
    ['package.json is no JSON', { 'package.json': '{' }, 'manifest_invalid', /package\.json is no JSON/],
    [
      'no version',
      { 'package.json': manifest({ version: undefined }) },
      'manifest_invalid',
      /^version: .*add/,
    ],
    [
      'a wrong id',
      { 'package.json': manifest({}, { id: '__proto__' }) },
      'manifest_invalid',
      /^lyceum\.id: must match/,
    ],
    [
      'an unknown key',
      { 'package.json': manifest({}, { entry: 1 }) },
      'manifest_invalid',
      /^lyceum\.entry: .*remove/,
    ],
    [
      'no api',
      { 'package.json': manifest({}, { api: '1' }) },
      'manifest_invalid',
      /^lyceum\.api: must be the integer/,
    ],
    [
      'another api',
      { 'package.json': manifest({}, { api: 99 }) },
      'api_mismatch',
      /^lyceum\.api: .*99.*offers 1/,
    ],
    [
      'no main',
      { 'package.json': manifest({}, { main: 1 }) },
      'manifest_invalid',
      /^lyceum\.main: must name/,
    ],
    [
      'a main outside',
      { 'package.json': manifest({}, { main: '../module.js' }) },
      'manifest_invalid',
      /^lyceum\.main: must lie inside/,
    ],
    [
      'a main of another kind',
      { 'package.json': manifest({}, { main: './module.json' }) },
      'manifest_invalid',
      /^lyceum\.main: must be a \.js or \.ts/,
    ],
    [
      'a main that is not there',
      { 'module.js': null },
      'load_failed',
      /^lyceum\.main: "\.\/module\.js" is not there; add/,
    ],
    ['a throw', { 'module.js': "throw new Error('no luck');" }, 'load_failed', /no luck \(.*module\.js:1/],
    ['a throw of nothing', { 'module.js': 'throw null;' }, 'load_failed', /Loading threw null/],
    ['a slip of the pen', { 'module.js': 'export default {' }, 'load_failed', /SyntaxError: .*module\.js:1/],
    [
      'a dependency that is not installed',
      { 'module.js': "import 'nowhere-to-be-found';" },
      'load_failed',
      /nowhere-to-be-found.*install it/,
    ],
    [
      'another module that is not there',
      { 'module.js': "import '@lyceum/module/nobody';" },
      'load_failed',
      /No module "nobody" is installed/,
    ],
    [
      'no default export',
      { 'module.js': 'export const x = 1;' },
      'manifest_invalid',
      /^default export: must be defineModule/,
    ],
    [
      'two ids',
      { 'module.js': say.replace(`id: '${one}',\n  title`, "id: 'other',\n  title") },
      'manifest_invalid',
      /^id: is "other", but package\.json says/,
    ],
    [
      'an unknown key of the declaration',
      { 'module.js': declaring('route: 1') },
      'manifest_invalid',
      /^route: is no key/,
    ],
    [
      'an unknown key of an operation',
      { 'module.js': operation('verb: 1') },
      'manifest_invalid',
      /^operations\.found_one\.x\.verb: is no key/,
    ],
    [
      'a path elsewhere',
      { 'module.js': operation("path: 'svc/host/v1/x'") },
      'manifest_invalid',
      /^operations\.found_one\.x\.path: .*outside/,
    ],
    [
      'a path that cannot be matched',
      { 'module.js': operation("path: 'test/found-one/v1/{a'") },
      'manifest_invalid',
      /^operations\.found_one\.x\.path: /,
    ],
    [
      'the id of the host itself',
      { 'package.json': manifest({}, { id: 'core' }) },
      'manifest_invalid',
      /^lyceum\.id: "core" is the host's own/,
    ],
    [
      'a table of the host',
      { 'module.js': declaring("tables: { users: { copy: 'none' } }") },
      'manifest_invalid',
      /^tables\.users: is a table of the host/,
    ],
    [
      'a description that is no text',
      { 'module.js': declaring('description: 5') },
      'manifest_invalid',
      /^description: must be a text/,
    ],
    [
      'a schema that cannot be described',
      { 'module.js': operation('output: yup.object({ a: yup.mixed().oneOf([1n]) })') },
      'manifest_invalid',
      /^operations\.found_one\.x: its schemas cannot be described: .*BigInt/,
    ],
    [
      'a default that cannot be told',
      { 'module.js': declaring("settings: { a: { schema: yup.mixed(), scope: 'site', default: 1n } }") },
      'manifest_invalid',
      /^settings\.a\.default: must be something that JSON can say/,
    ],
    [
      'a module that requires itself',
      { 'module.js': declaring("requires: ['found_one']") },
      'manifest_invalid',
      /^requires: names the module itself/,
    ],
    [
      'a list that is none',
      { 'module.js': declaring("postTypes: 'all'") },
      'manifest_invalid',
      /^postTypes: must be an array/,
    ],
    [
      'a hook that is none',
      { 'module.js': declaring("hooks: { start: 'now' }") },
      'manifest_invalid',
      /^hooks\.start: must be a function/,
    ],
    [
      'a capability of the host',
      { 'module.js': declaring("capabilities: { edit_posts: { title: 'x', roles: [] } }") },
      'manifest_invalid',
      /^capabilities\.edit_posts: .*host/,
    ],
    [
      'a namespace of another module',
      { 'module.js': declaring('').replace('test/found-one/v1', 'svc/host/v1') },
      'namespace_conflict',
      /"svc\/host\/v1" belongs to the module "host"/,
    ],
    [
      'a migration that fails',
      {
        'module.js': declaring(
          "migrations: [defineMigration({ id: '001', up: (trx) => trx.raw('create nonsense') })]",
        ),
      },
      'migration_failed',
      /Migration 001: .*nonsense/,
    ],
    [
      'a start that throws',
      { 'module.js': declaring("hooks: { start: () => { throw new Error('not today'); } }") },
      'load_failed',
      /start: not today/,
    ],
    [
      'services that throw',
      { 'module.js': declaring("services: () => { throw new Error('no parts'); }") },
      'load_failed',
      /services threw: no parts/,
    ],
  ];

  for (const [what, files, code, message] of table) {
    it(`say so: ${what}`, async () => {
      await folder.write(one, { 'module.js': say, ...files });
      const result = await look();
      expect(result.loaded).to.deep.equal([]);
      expect(result.errors).to.have.length(1);
      const [error] = result.errors;
      expect(error.path).to.equal(folder.at(one));
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message);
      if (error.id !== null) {
        const record = await recordOf(one);
        expect(record.error).to.include({ code, message: error.message });
        expect(record).to.include({ enabled: false, reason: 'error' });
        const refused = await admin.put(`svc/modules/v1/modules/${one}`, { enabled: true }).expect(403);
        expect(refused.body.data).to.include({ reason: 'condition', condition: 'loaded' });
      }
      await lyceum.anonymous.get('').expect(200);
      await folder.change(one, { '': null });
      await folder.write(one, { 'module.js': say });
      expect((await look()).errors).to.deep.equal([]);
      await lyceum.anonymous.get(sayingPath(one)).expect(200);
    });
  }
});
