import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { moduleOfStack } from '../../core/isolation/stray-errors.ts';
import { startTestHost, type TestHost } from '../kit/index.ts';

const packages = new URL('./packages', import.meta.url).pathname;

describe('errors that nobody waits for', () => {
  let lyceum: TestHost;
  let child: ChildProcess;
  let origin: string;
  beforeEach(async () => {
    lyceum = await startTestHost({ modules: ['test_breaker'], folders: [packages] });
    child = fork(path.join(import.meta.dirname, '../kit/stray-process.ts'), {
      env: {
        ...process.env,
        DATABASE_URL: lyceum.database.url,
        DATA_DIR: lyceum.dataDir,
        HOST_FOLDER: packages,
        HOST_MODULES: 'host,modules,test_breaker',
      },
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    origin = `http://127.0.0.1:${port}/api/`;
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    }
    await lyceum.stop();
  });

  const crashes = async (): Promise<string[]> =>
    (await lyceum.host.db
      .knex('module_crashes')
      .where('module', 'test_breaker')
      .orderBy('id')
      .pluck('place')) as string[];
  const leave = async (name: string): Promise<number> =>
    (await fetch(`${origin}test/breaker/v1/stray/${name}`, { method: 'POST' })).status;
  const until = async (count: number): Promise<void> => {
    while ((await crashes()).length < count) await soon();
  };

  it('are charged to the module that left them, and end nothing', async () => {
    expect(await leave('rejection')).to.equal(200);
    await until(1);
    expect(await leave('exception')).to.equal(200);
    await until(2);
    expect(await leave('file')).to.equal(200);
    await until(3);
    expect(await crashes()).to.deep.equal([
      'a floating rejection',
      'an uncaught exception',
      'a floating rejection',
    ]);
    expect((await fetch(`${origin}test/breaker/v1/ping`)).status).to.equal(404);
    expect((await fetch(origin)).status).to.equal(200);
    expect(child.exitCode).to.equal(null);
  });

  it('are traced even when they are nothing', async () => {
    expect(await leave('nothing')).to.equal(200);
    await until(1);
    expect(await crashes()).to.deep.equal(['a floating rejection']);
  });

  it('are counted even when looking at them throws', async () => {
    expect(await leave('unreadable')).to.equal(200);
    await until(1);
    expect(await leave('unreadablelater')).to.equal(200);
    await until(2);
    expect(child.exitCode).to.equal(null);
    const metrics = await (await fetch(new URL('/metrics', origin))).text();
    expect(metrics).to.include('lyceum_module_crashes_total{module="test_breaker"} 2');
    expect(metrics).to.match(
      /lyceum_requests_total\{module="test_breaker",operation="test_breaker.stray-unreadable",status="200"\} 1/,
    );
  });

  it('end the process in order when they are those of the host', async () => {
    const gone = once(child, 'exit');
    child.send('fail');
    expect(await gone).to.deep.equal([3, null]);
    expect(await crashes()).to.deep.equal([]);
  });

  it('are those of the module in whose folder the first frame lies', () => {
    const folders = new Map([
      ['one', '/m/one'],
      ['two', '/m/two'],
    ]);
    const stack = (...lines: string[]): Error =>
      Object.assign(new Error('Cannot read /m/one/x'), {
        stack: `Error: /m/one/x\n    at ${lines.join('\n    at ')}`,
      });
    expect(moduleOfStack(stack('f (/core/a.ts:1:1)', 'g (file:///m/two/b.ts:3:4)'), folders)).to.equal('two');
    expect(moduleOfStack(stack('f (/m/one/node_modules/x/y.js:1:1)'), folders)).to.equal('one');
    expect(moduleOfStack(stack('f (/m/onething/b.ts:3:4)', 'g (node:fs:1:1)'), folders)).to.equal(null);
    expect(moduleOfStack('a text', folders)).to.equal(null);
    expect(moduleOfStack(null, folders)).to.equal(null);
  });
});
