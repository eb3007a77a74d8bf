import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeClient } from '../../core/client/write-client.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const checks =
  '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2024 --types node';

describe('the typed client', () => {
  let lyceum: TestHost;
  let folder: string;

  before(async () => {
    const packages = path.join(root, 'modules/modules/test/packages');
    lyceum = await startTestHost({ modules: ['test_parent'], folders: [packages] });
    folder = await mkdtemp(path.join(tmpdir(), 'lyceum-client-'));
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await copyFile(path.join(import.meta.dirname, 'client/use.ts'), path.join(folder, 'use.ts'));
  });
  after(async () => {
    await lyceum.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const compile = (file: string) => run(process.execPath, [tsc, ...checks.split(' '), file], { cwd: folder });

  it('is one file that compiles strictly, refuses wrong types, and speaks to the server', async () => {
    const admin = await lyceum.make.admin();
    await lyceum.as(admin).put('svc/modules/v1/modules/test_parent', { enabled: true }).expect(200);
    await writeClient(`${lyceum.origin}/api/openapi.json`, path.join(folder, 'lyceum-client.ts'));
    await compile('use.ts');
    const wrong = `import { hostCreatePost } from './lyceum-client.ts';\nawait hostCreatePost({ title: 5 });\n`;
    await writeFile(path.join(folder, 'wrong.ts'), wrong);
    const refusal = await compile('wrong.ts').then(
      () => expect.fail('A count was taken for a title.'),
      ({ stdout: said }) => said,
    );
    expect(refusal)
      .to.match(/^wrong\.ts\(2,\d+\): error TS2322/)
      .and.not.include('lyceum-client.ts(');
    const { body } = await lyceum
      .as(admin)
      .post('svc/host/v1/application-passwords', { name: 'client' })
      .expect(201);
    const credentials = Buffer.from(`${admin.login}:${body.password}`).toString('base64');
    const { stdout } = await run(process.execPath, ['use.ts', lyceum.origin, `Basic ${credentials}`], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).to.deep.equal({ found: true, refused: 'rest_invalid_param', pong: true });
  });

  it('says what is wrong where there is no description', async () => {
    const script = path.join(root, 'core/client/main.ts');
    const asked = run(process.execPath, [script, `${lyceum.origin}/nowhere.json`, 'no.ts'], { cwd: folder });
    const { code, stderr } = await asked.then(
      () => expect.fail('It wrote a client for nothing.'),
      (error) => error,
    );
    expect(code).to.equal(1);
    expect(stderr).to.match(/^No client was written: ./);
    expect(stderr).not.to.include('    at ');
    expect(await readFile(path.join(folder, 'no.ts')).catch(({ code: missing }) => missing)).to.equal(
      'ENOENT',
    );
  });
});
